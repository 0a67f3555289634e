// Bars that follow sliders, on top of live.js. Python has computed the numbers at every
// position of the sliders; here they are looked up.
//
// data: names and values of the sliders, table (the numbers of every position, the last
//       slider running fastest), labels and how they are shown, low, high, ylabel, colour.
// state: at, the position of each slider.

const WIDTH = 560, HEIGHT = 230; // of the picture
const EDGE = 10, ABOVE = 40, BELOW = 46; // margins around the bars

function bars({ labels, shown, low, high, ylabel, colour }) {
  const y = (x) => ABOVE
    + (HEIGHT - ABOVE - BELOW) * (high - Math.min(Math.max(x, low), high)) / (high - low);
  const slot = (WIDTH - 2 * EDGE) / labels.length;
  const picture = svg(WIDTH, HEIGHT);
  picture.append(text(EDGE, 14, ylabel, { "text-anchor": "start" }));
  const parts = shown.map((label, j) => {
    const middle = EDGE + slot * (j + 0.5);
    const bar = make("rect",
      { x: middle - slot * 0.3, width: slot * 0.6, fill: colour });
    const digits = text(middle, 0, " ");
    picture.append(bar, digits, text(middle, HEIGHT - BELOW + 34, label));
    return { bar, digits };
  });
  picture.append(make("line",
    { x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0), stroke: "currentColor" }));
  return {
    node: picture,
    draw(numbers) {
      numbers.forEach((x, j) => {
        const { bar, digits } = parts[j];
        bar.setAttribute("y", Math.min(y(x), y(0)));
        bar.setAttribute("height", Math.abs(y(x) - y(0)));
        digits.setAttribute("y", x >= 0 ? y(x) - 5 : y(x) + 15);
        digits.firstChild.data = number(x);
      });
      picture.setAttribute("aria-label",
        `${ylabel}: ${labels.map((label, j) => `${label} ${number(numbers[j])}`).join(", ")}`);
    },
  };
}

function render({ model, el }) {
  const data = model.get("data");
  const { names, values, table, labels } = data;
  const sliders = names.map((name, k) =>
    slider(name, values[k].length, (i) => plain(values[k][i]), (i) => {
      const at = [...model.get("state").at];
      at[k] = i;
      share(model, { at });
    }));
  const picture = bars(data);

  function draw() {
    const { at } = model.get("state");
    const row = at.reduce((sum, i, k) => sum * values[k].length + i, 0);
    const numbers = table.slice(row * labels.length, (row + 1) * labels.length);
    sliders.forEach((s, k) => s.draw(at[k]));
    picture.draw(numbers);
    root.drawn = numbers; // in full precision
  }
  const root = whole(...sliders.map((s) => s.node), picture.node);
  return live(model, el, root, draw);
}
