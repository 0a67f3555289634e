// Values as points and the output among them, on top of live.js and plane.js.
//
// data: labels, values (their places), edge (the corners of their hull, in order), limit,
//       least and most score with the step, colours, texts.
// state: scores, one for each value.

function render({ model, el }) {
  const { labels, values, edge, limit, scores: range, colours, texts } = model.get("data");
  const view = plane(limit, texts.plane);
  const sides = edge.map(() => view.segment({ class: "side" }));
  const spokes = labels.map(() => view.segment({ stroke: colours.accent }));
  const points = labels.map((label) => view.point(colours.accent, label));
  const output = view.point(colours.chosen, texts.output, 7);
  const [least, most, step] = range;
  const steps = Math.round((most - least) / step);
  const score = (i) => Math.round((least + step * i) * 1e9) / 1e9;
  const sliders = labels.map((label, j) => slider(`${texts.score} ${label}`, steps + 1,
    (i) => plain(score(i)), (i) => share(model,
      { scores: model.get("state").scores.map((x, k) => (k === j ? score(i) : x)) })));
  const numbers = table(labels, [texts.weight], colours.accent);
  const said = make("p", { role: "status" });
  const side = make("div", {}, ...sliders.map((s) => s.node), numbers.node, said);
  const root = whole(make("div", { class: "row" }, view.node, side));

  function draw() {
    const { scores } = model.get("state");
    const weights = softmax(scores);
    const place = [0, 1].map((c) =>
      weights.reduce((sum, w, j) => sum + w * values[j][c], 0));
    edge.forEach((corner, i) =>
      sides[i](values[corner], values[edge[(i + 1) % edge.length]]));
    values.forEach((value, j) => {
      spokes[j](place, value, { "stroke-width": 0.5 + 6 * weights[j] });
      points[j](value);
    });
    output(place);
    sliders.forEach((s, j) => s.draw(Math.round((scores[j] - least) / step)));
    numbers.draw(weights.map((w) => [w]));
    said.textContent = `${texts.output} = (${place.map((x) => number(x)).join(", ")})`;
    root.drawn = { weights, output: place }; // in full precision
  }
  return live(model, el, root, draw);
}
