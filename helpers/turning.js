// A query and a key that turn with their positions, on top of live.js and plane.js.
//
// data: query and key (as they are at position 0), step (radians from one position to the
//       next), last position, colours, texts.
// state: query and key, their positions.

function turned([x, y], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x - s * y, s * x + c * y];
}

function render({ model, el }) {
  const { query, key, step, last, limit, colours, texts } = model.get("data");
  const view = plane(limit, texts.plane);
  const arrows = { key: view.arrow(colours.accent, texts.key),
    query: view.arrow(colours.chosen, texts.query) };
  const name = { query: texts.query_position, key: texts.key_position };
  const sliders = ["query", "key"].map((which) => slider(name[which], last + 1,
    (i) => String(i), (i) => share(model, { [which]: i })));
  const both = make("button", { type: "button", ...KEYS }, texts.both);
  both.addEventListener("click", () => {
    const now = model.get("state");
    if (Math.max(now.query, now.key) < last)
      share(model, { query: now.query + 1, key: now.key + 1 });
  });
  const said = make("p", { role: "status" });
  const side = make("div", {}, ...sliders.map((s) => s.node), both, said);
  const root = whole(make("div", { class: "row" }, view.node, side));

  function draw() {
    const now = model.get("state");
    const tips = { query: turned(query, step * now.query), key: turned(key, step * now.key) };
    arrows.query(tips.query);
    arrows.key(tips.key);
    sliders[0].draw(now.query);
    sliders[1].draw(now.key);
    both.disabled = Math.max(now.query, now.key) >= last;
    const score = dot(tips.query, tips.key);
    said.textContent = `${texts.distance} ${plain(now.query - now.key)}, ${texts.score} ${number(score)}`;
    root.drawn = { ...tips, score }; // in full precision
  }
  return live(model, el, root, draw);
}
