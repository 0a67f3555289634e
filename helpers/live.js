// What every live view uses. Python puts it before the view's own script, which defines
// `render`, and closes both with `export default { render }`.
//
// A view reads its data once. What a reader can change is its state, one value, so that
// nothing half changed is ever drawn; it is shared with Python where a kernel runs.

const SVG_TAGS = ["svg", "g", "rect", "text", "line", "circle", "polygon"];

function make(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  put(node, attributes);
  node.append(...children); // a string becomes a text node: tokens are never HTML
  return node;
}

const text = (x, y, content, more = {}) =>
  make("text", { x, y, "text-anchor": "middle", ...more }, content);
const svg = (width, height, more = {}) => make("svg",
  { role: "img", width, height, viewBox: `0 0 ${width} ${height}`, fill: "currentColor", ...more });

function put(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// The root of a view. Formulas are not looked for in tokens.
const whole = (...children) =>
  make("div", { class: "course-live mathjax_ignore tex2jax_ignore" }, ...children);

// Show a view, and draw it anew when its state changes.
function live(model, el, root, draw) {
  draw();
  model.on("change:state", draw);
  el.append(root);
  return () => model.off("change:state", draw);
}

// Change the state: drawn at once, here and wherever the view is shown a second time;
// sent when Python has taken the one before, and of several the latest.
function share(model, changes) {
  model.set("state", { ...model.get("state"), ...changes });
  model.save_changes();
}

// JupyterLab takes the arrow keys away from an input that does not carry this itself.
const KEYS = { "data-lm-suppress-shortcuts": "true" };
const rangeInput = (attributes) => make("input", { type: "range", ...KEYS, ...attributes });

// A slider over the positions 0 … n − 1, with its name and what it says at a position.
function slider(name, n, say, choose) {
  const input = rangeInput({ min: 0, max: n - 1, step: 1, "aria-label": name });
  const value = make("span", {}, " ");
  input.addEventListener("input", () => choose(input.valueAsNumber));
  return {
    node: make("label", { class: "course-slider" }, make("span", {}, name), input, value),
    input,
    draw(i) {
      input.value = i;
      value.firstChild.data = say(i);
      input.setAttribute("aria-valuetext", say(i));
    },
  };
}

// A number as `number` in marks.py writes it: a real minus sign, and never −0.000.
function number(x, digits = 3) {
  const size = Math.abs(x);
  let text = size.toFixed(digits);
  const halfway = (size * 2 ** (digits + 1)) % 2 === 1; // 0.0625: to even, as in Python
  if (halfway && text.at(-1) % 2) text = (size * (1 - 2 ** -50)).toFixed(digits);
  return (x < 0 && Number(text) !== 0 ? "−" : "") + text;
}

// A number with the digits that it needs, six at most.
const plain = (x) => String(Number(x.toPrecision(6))).replace("-", "−");

// Softmax of one row; the largest score is subtracted first, so exp never overflows.
function softmax(row) {
  const top = Math.max(...row);
  const exps = row.map((x) => Math.exp(x - top));
  const total = exps.reduce((sum, x) => sum + x, 0);
  return exps.map((x) => x / total);
}
