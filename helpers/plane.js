// The plane that the geometric views share, on top of live.js: axes, arrows, points, and
// handles that mouse, finger and keyboard move.

const SIZE = 320; // of the plane, in pixels

const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

// The corners run from −limit to limit; y points upwards.
function plane(limit, name) {
  const picture = svg(SIZE, SIZE, { role: "group", "aria-label": name });
  const scale = SIZE / 2 / limit;
  const at = ([x, y]) => [SIZE / 2 + scale * x, SIZE / 2 - scale * y];
  for (let i = Math.ceil(-limit); i <= limit; i++) {
    const [x, y] = at([i, i]);
    const style = { class: i === 0 ? "axis" : "grid" };
    picture.append(make("line", { x1: x, x2: x, y1: 0, y2: SIZE, ...style }),
      make("line", { x1: 0, x2: SIZE, y1: y, y2: y, ...style }));
  }

  function segment(style) {
    const node = make("line", style);
    picture.append(node);
    return (from, to, more = {}) => {
      const [[x1, y1], [x2, y2]] = [at(from), at(to)];
      put(node, { x1, y1, x2, y2, ...more });
    };
  }

  function arrow(colour, label) {
    const shaft = segment({ stroke: colour, "stroke-width": 3 });
    const head = make("polygon", { points: "0,0 -12,5 -12,-5", fill: colour });
    const name = text(0, 0, label, { class: "halo" });
    picture.append(head, name);
    return (tip, from = [0, 0]) => {
      const [x, y] = at(tip);
      const [dx, dy] = [tip[0] - from[0], tip[1] - from[1]];
      shaft(from, tip);
      put(head, { transform:
        `translate(${x} ${y}) rotate(${(-Math.atan2(dy, dx) * 180) / Math.PI})` });
      const far = 14 / (Math.hypot(dx, dy) || 1);
      put(name, { x: x + far * dx, y: y - far * dy + 4 });
    };
  }

  function point(colour, label, radius = 5) {
    const dot = make("circle", { r: radius, fill: colour });
    const name = text(0, 0, label, { class: "halo" });
    picture.append(dot, name);
    return (place) => {
      const [x, y] = at(place);
      put(dot, { cx: x, cy: y });
      put(name, { x, y: y - 9 });
    };
  }

  // A place to take hold of; `move` gets where it goes, in steps of 0.1.
  function handle(label, move) {
    const node = make("circle", { r: 13, class: "handle", tabindex: 0, role: "slider",
      "aria-label": label, ...KEYS });
    let here = [0, 0];
    const go = (place) => move(place.map((x) =>
      Math.round(Math.min(Math.max(x, -limit), limit) * 10) / 10));
    const drag = (event) => {
      if (!node.hasPointerCapture(event.pointerId)) return;
      const box = picture.getBoundingClientRect();
      go([((event.clientX - box.left) / box.width) * 2 * limit - limit,
        limit - ((event.clientY - box.top) / box.height) * 2 * limit]);
    };
    node.addEventListener("pointerdown", (event) => {
      node.setPointerCapture(event.pointerId);
      node.focus();
      event.preventDefault(); // no text is selected
    });
    node.addEventListener("pointermove", drag);
    node.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1],
        ArrowDown: [0, -0.1] }[event.key];
      if (!step) return;
      event.preventDefault(); // the page does not scroll
      event.stopPropagation();
      go([here[0] + step[0], here[1] + step[1]]);
    });
    picture.append(node);
    return (place) => {
      here = place;
      const [cx, cy] = at(place);
      put(node, { cx, cy, "aria-valuenow": place[0], "aria-valuemin": -limit,
        "aria-valuemax": limit, "aria-valuetext": place.map((x) => number(x, 1)).join(", ") });
    };
  }
  return { node: picture, segment, arrow, point, handle };
}

// A table with a row for each name: its numbers, and the last one as a bar, too.
function table(names, columns, colour) {
  const head = make("tr", {}, make("td"),
    ...columns.map((name) => make("th", { scope: "col" }, name)));
  const rows = names.map((name) => {
    const numbers = columns.map(() => make("td", {}, " "));
    const bar = make("div", { class: "bar", style: `background: ${colour}` });
    return { numbers, bar, node: make("tr", {}, make("th", { scope: "row" }, name),
      ...numbers, make("td", { class: "track" }, bar)) };
  });
  return {
    node: make("table", {}, head, ...rows.map((row) => row.node)),
    draw(values) { // one list of numbers for each name
      values.forEach((list, i) => {
        list.forEach((x, j) => { rows[i].numbers[j].firstChild.data = number(x); });
        rows[i].bar.style.width = `${100 * Math.min(Math.max(list.at(-1), 0), 1)}%`;
      });
    },
  };
}
