// The live view of helpers/explorer.py, on top of live.js. It computes attention by
// itself, so that the picture follows a slider without asking Python.
//
// data:  what no slider changes (tokens and their labels, X, Wv, start, limits, colours,
//        texts).
// state: what the sliders say (Wq, Wk, stretch, scaled, query), shared with Python as
//        one value, so that no half-changed state is ever drawn.

// --- Mathematics: the formulas of helpers/core.py -----------------------------------

const transpose = (A) => A[0].map((_, j) => A.map((row) => row[j]));
const times = (A, factor) => A.map((row) => row.map((x) => x * factor));
const product = (A, B) => A.map((row) =>
  B[0].map((_, j) => row.reduce((sum, x, i) => sum + x * B[i][j], 0)));

function attend({ X, Wv }, { Wq, Wk, stretch, scaled }) {
  const Q = product(X, times(Wq, stretch));
  const K = product(X, Wk);
  const scores = times(product(Q, transpose(K)), scaled ? 1 / Math.sqrt(Wq[0].length) : 1);
  const weights = scores.map(softmax);
  return { scores, weights, output: product(weights, product(X, Wv)) };
}

// --- Small tools --------------------------------------------------------------------

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// --- Pictures: each returns its node and a function that draws new numbers ----------

// The weights of one query as bars from 0 to 1.
function barChart(names, small, { accent }) {
  const [h, left] = [small ? 20 : 28, 8 + widest(names)];
  const picture = svg(left + 220, h * names.length + 4);
  const bars = names.map((name, j) => {
    const box = { x: left, y: h * j + 4, height: h - 6 };
    const bar = make("rect", { ...box, fill: accent });
    const label = text(left + 168, h * (j + 0.5) + 5, " ", { "text-anchor": "start" });
    picture.append(text(left - 6, h * (j + 0.5) + 5, name, { "text-anchor": "end" }),
      bar, make("rect", { ...box, width: 160, class: "track" }), label);
    return { bar, label };
  });
  const heading = make("h4");
  return {
    node: make("div", {}, heading, picture),
    draw(weights, title) {
      heading.textContent = title;
      weights.forEach((x, j) => {
        bars[j].bar.setAttribute("width", 160 * x);
        bars[j].label.firstChild.data = number(x);
      });
      picture.setAttribute("aria-label", `${title}. ` + weights.map((x, j) =>
        `${names[j]}: ${number(x)}`).join(", "));
    },
  };
}

// --- Controls: each reads from and writes to one place in the state -----------------

function entry(name, range, digits, fixed, read, write, change) {
  const input = rangeInput({ ...range, "aria-label": name });
  const value = make("span", { class: "value" }, " ");
  const node = make("label", { class: "cell" }, make("span", {}, name), value, input);
  const start = read(fixed.start);
  let shown;
  // At rest the input holds the exact number; hand and keyboard move it in round steps.
  const round = (event) => { if (event.key !== "Tab") input.step = range.step; };
  input.addEventListener("keydown", round);
  input.addEventListener("pointerdown", round);
  input.addEventListener("input", () => change((state) => write(state, input.valueAsNumber)));
  return {
    node,
    draw(state) {
      const now = read(state);
      if (now === shown) return;
      shown = now;
      input.min = Math.min(input.min, Math.floor(now)); // Python may go beyond the ends
      input.max = Math.max(input.max, Math.ceil(now));
      input.value = now;
      if (input.valueAsNumber !== now) Object.assign(input, { step: "any", value: now });
      node.classList.toggle("changed", now !== start);
      value.firstChild.data = narrow(now, digits) + (now === start ? "" : " •");
      input.setAttribute("aria-valuetext", narrow(now, digits) + (now === start ? ""
        : `, ${fill(fixed.texts.changed, { start: narrow(start, digits) })}`));
    },
  };
}

function matrixOfSliders(W, fixed, change) {
  const { limit, texts } = fixed;
  const [n, m] = [fixed.start[W].length, fixed.start[W][0].length];
  const range = { min: -limit, max: limit, step: 0.05 };
  const grid = make("div", { class: "matrix",
    style: `grid-template-columns: repeat(${m}, minmax(0, ${m > 4 ? 62 : 108}px))` });
  const sliders = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) {
    sliders.push(entry(`${W}[${i}, ${j}]`, range, 3, fixed, (state) => state[W][i][j],
      (state, x) => { state[W][i][j] = x; }, change));
  }
  grid.append(...sliders.map((s) => s.node));
  const heading = make("h4", {}, W, make("small", {}, ` ${texts[W]}`));
  const node = make("div", { role: "group", "aria-label": W }, heading, grid);
  return { node, draw: (state) => sliders.forEach((s) => s.draw(state)) };
}

function bar(fixed, change) {
  const { tokens, texts, start } = fixed;
  const query = make("select", { ...KEYS, "aria-label": texts.query_choice },
    ...tokens.map((token, i) => make("option", { value: i }, `${i}: ${token}`)));
  query.addEventListener("change", () => change((s) => { s.query = Number(query.value); }));
  const stretch = entry(texts.stretch, { min: 0, max: fixed.longest, step: 0.1 }, 1, fixed,
    (state) => state.stretch, (state, x) => { state.stretch = x; }, change);
  const scaled = make("input", { type: "checkbox", ...KEYS, "aria-label": texts.scaled });
  scaled.addEventListener("change", () => change((s) => { s.scaled = scaled.checked; }));
  const mark = make("label", { class: "cell" }, scaled, texts.scaled);
  const reset = make("button", { type: "button", ...KEYS }, texts.reset);
  reset.addEventListener("click", () =>
    change((s) => Object.assign(s, structuredClone(start))));
  return {
    node: make("div", { class: "bar" },
      make("label", { class: "cell" }, texts.query_choice, query), stretch.node, mark, reset),
    draw(state) {
      query.value = state.query;
      scaled.checked = state.scaled;
      mark.classList.toggle("changed", state.scaled !== start.scaled);
      stretch.draw(state);
    },
  };
}

// --- The whole view -----------------------------------------------------------------

function render({ model, el }) {
  const fixed = model.get("data");
  const { labels, texts, colours, Wv } = fixed;
  const small = labels.length > 6;
  const map = { axes: { query: texts.query, key: texts.key }, small, colours, high: fixed.score_limit };

  function change(edit) {
    const state = structuredClone(model.get("state"));
    edit(state);
    share(model, state);
  }

  const controls = [bar(fixed, change), matrixOfSliders("Wq", fixed, change)];
  if (fixed.with_Wk) controls.push(matrixOfSliders("Wk", fixed, change));
  const scores = heatMap(labels, labels, { ...map, low: -map.high });
  const weights = heatMap(labels, labels, { ...map, low: 0, high: 1 });
  const bars = barChart(labels, small, colours);
  const context = heatMap([""], Wv[0].map((_, j) => String(j)), {
    small: Wv[0].length > 4, colours, low: -fixed.value_limit, high: fixed.value_limit });
  const row = make("div", { class: "row" }, bars.node, context.node);
  const root = whole(...controls.map((c) => c.node), scores.node, weights.node, row);
  root.classList.add("course-explorer");

  function draw() {
    const state = model.get("state");
    const now = attend(fixed, state);
    const query = labels[state.query];
    controls.forEach((c) => c.draw(state));
    scores.draw(now.scores, texts.scores, labels, state.query);
    weights.draw(now.weights, texts.weights, labels, state.query);
    bars.draw(now.weights[state.query], fill(texts.bars, { query }));
    context.draw([now.output[state.query]], fill(texts.context, { query }), [query]);
    root.attention = now; // what is drawn, in full precision
  }
  return live(model, el, root, draw);
}
