// What every live view uses. Python puts it before the view's own script, which defines
// `render`, and closes both with `export default { render }`.

const SVG_TAGS = ["svg", "rect", "text"];

function make(tag, attributes = {}, ...children) {
  const node = SVG_TAGS.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children); // a string becomes a text node: tokens are never HTML
  return node;
}

// JupyterLab takes the arrow keys away from an input that does not carry this itself.
const KEYS = { "data-lm-suppress-shortcuts": "true" };
const rangeInput = (attributes) => make("input", { type: "range", ...KEYS, ...attributes });

// A number as `number` in marks.py writes it: a real minus sign, and never −0.000.
function number(x, digits = 3) {
  const size = Math.abs(x);
  let text = size.toFixed(digits);
  const halfway = (size * 2 ** (digits + 1)) % 2 === 1; // 0.0625: to even, as in Python
  if (halfway && text.at(-1) % 2) text = (size * (1 - 2 ** -50)).toFixed(digits);
  return (x < 0 && Number(text) !== 0 ? "−" : "") + text;
}
