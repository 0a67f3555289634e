// Matrices as coloured cells, on top of live.js: what the explorer and the film share.

// A number in a place of fixed width: fewer decimals from 10 on, 1e+4 from 10 000 on.
function narrow(x, digits = 3) {
  const size = Math.abs(x);
  if (size >= 1e4) return x.toExponential(0).replace("-", "−");
  return number(x, Math.max(0, digits - (size >= 10) - (size >= 100)));
}

const pen = document.createElement("canvas").getContext("2d");
pen.font = "bold 12px sans-serif";
const widest = (names) => Math.max(...names.map((name) => pen.measureText(name).width));

// The colour of a cell and the ink of its number, from the table that Python made.
function colour(x, limit, { positive, negative }) {
  const steps = x < 0 ? negative : positive;
  return steps[Math.round(Math.min(Math.abs(x) / limit, 1) * (steps.length - 1))];
}

// A matrix of coloured cells with their numbers; the strip below tells the colours.
function heatMap(rows, columns, { low, high, axes, small, colours, framed = [] }) {
  const [w, h, digits] = small ? [40, 26, 2] : [64, 34, 3];
  const tilted = widest(columns) > w - 4;
  const left = (axes ? 22 : 0) + 8 + widest(rows);
  const top = (axes ? 18 : 0) + (tilted ? 18 + 0.65 * widest(columns) : 20);
  const [right, bottom] = [left + w * columns.length, top + h * rows.length];
  const beyond = tilted ? Math.max(4, 0.8 * widest(columns) - w / 2) : 4;
  const picture = svg(Math.max(right + beyond, left + 150), bottom + 26);
  if (axes) {
    const turn = `translate(12 ${(top + bottom) / 2}) rotate(-90)`;
    picture.append(text((left + right) / 2, 12, axes.key),
      text(0, 0, axes.query, { transform: turn }));
  }
  columns.forEach((name, j) => {
    const place = `translate(${left + w * (j + 0.5)} ${top - 6})`;
    picture.append(text(0, 0, name, tilted
      ? { transform: `${place} rotate(-40)`, "text-anchor": "start" } : { transform: place }));
  });
  const cells = rows.map((_, i) => columns.map((_, j) => {
    const rect = make("rect", { x: left + w * j, y: top + h * i, width: w, height: h });
    const label = text(left + w * (j + 0.5), top + h * (i + 0.5) + 4, " ",
      { "font-size": small ? 11 : 13 });
    picture.append(rect, label);
    return { rect, label };
  }));
  const names = rows.map((name, i) =>
    text(left - 6, top + h * (i + 0.5) + 4, name, { "text-anchor": "end" }));
  const frame = make("rect", { x: left + 1, width: right - left - 2, height: h - 2,
    fill: "none", stroke: colours.chosen, "stroke-width": axes && !framed.length ? 3 : 0 });
  picture.append(...names, frame, ...framed.map((j, i) => make("rect", {
    x: left + w * j + 1.5, y: top + h * i + 1.5, width: w - 3, height: h - 3,
    fill: "none", stroke: colours.chosen, "stroke-width": 3 })));
  for (let i = 0; i <= 8; i++) {
    const [cell] = colour(low + ((high - low) * i) / 8, high, colours);
    picture.append(make("rect",
      { x: left + 30 + 10 * i, y: bottom + 12, width: 10, height: 10, fill: cell }));
  }
  const [least, most] = low < 0 ? ["≤ ", "≥ "] : ["", ""]; // beyond: the same colour
  picture.append(
    text(left + 26, bottom + 21, least + narrow(low, 0), { "text-anchor": "end" }),
    text(left + 124, bottom + 21, most + narrow(high, 0), { "text-anchor": "start" }));
  const heading = make("h4");
  return {
    node: make("div", {}, heading, picture),
    draw(matrix, title, said, chosen = 0) {
      heading.textContent = title;
      matrix.forEach((row, i) => row.forEach((x, j) => {
        const [cell, ink] = colour(x, high, colours);
        cells[i][j].rect.setAttribute("fill", cell);
        cells[i][j].label.setAttribute("fill", ink);
        cells[i][j].label.firstChild.data = narrow(x, digits);
      }));
      frame.setAttribute("y", top + h * chosen + 1);
      names.forEach((name, i) =>
        name.setAttribute("font-weight", axes && !framed.length && i === chosen ? "bold" : "normal"));
      picture.setAttribute("aria-label", `${title}. ` + matrix.map((row, i) =>
        `${said[i]}: ${row.map((x) => number(x)).join(", ")}`).join("; "));
    },
  };
}
