// A query and its keys as arrows, on top of live.js and plane.js.
//
// data: labels of the keys, limit of the plane, scale of the scores, colours, texts.
// state: query and keys, the tips of the arrows.

function render({ model, el }) {
  const { labels, limit, scale, colours, texts } = model.get("data");
  const view = plane(limit, texts.plane);
  const shadows = labels.map(() => view.segment({ class: "shadow", stroke: colours.accent }));
  const drops = labels.map(() => view.segment({ class: "drop" }));
  const keys = labels.map((label) => view.arrow(colours.accent, label));
  const query = view.arrow(colours.chosen, texts.query);
  const handles = labels.map((label, j) => view.handle(`${texts.key} ${label}`, (tip) =>
    share(model, { keys: model.get("state").keys.map((key, i) => (i === j ? tip : key)) })));
  const hold = view.handle(texts.query, (tip) => share(model, { query: tip }));
  const numbers = table(labels, [texts.score, texts.weight], colours.accent);
  const root = whole(make("div", { class: "row" }, view.node, numbers.node));

  function draw() {
    const state = model.get("state");
    const scores = state.keys.map((key) => dot(state.query, key) * scale);
    const weights = softmax(scores);
    state.keys.forEach((key, j) => {
      const size = dot(key, key);
      const along = size ? dot(state.query, key) / size : 0;
      const foot = [along * key[0], along * key[1]]; // where the query's shadow ends
      shadows[j]([0, 0], foot);
      drops[j](state.query, foot);
      keys[j](key);
      handles[j](key);
    });
    query(state.query);
    hold(state.query);
    numbers.draw(scores.map((score, j) => [score, weights[j]]));
    root.drawn = { scores, weights }; // in full precision
  }
  return live(model, el, root, draw);
}
