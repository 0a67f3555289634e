// Masks side by side, on top of live.js, with a slider for the length.
//
// data: names, lengths, masks (for each name and length, rows of 1 and 0), colour, texts.
// state: at, which of the lengths.

const BOX = 132; // of one mask, in pixels

function render({ model, el }) {
  const { names, lengths, masks, colour, texts } = model.get("data");
  const length = slider(texts.length, lengths.length, (i) => String(lengths[i]),
    (at) => share(model, { at }));
  const pictures = names.map((name) => {
    const picture = svg(BOX, BOX);
    const caption = make("p", {}, " ");
    return { picture, caption, node: make("div", {}, make("h4", {}, name), picture, caption) };
  });
  const root = whole(length.node,
    make("div", { class: "row" }, ...pictures.map((p) => p.node)));

  function draw() {
    const { at } = model.get("state");
    length.draw(at);
    masks.forEach((mask, k) => {
      const rows = mask[at];
      const cell = BOX / Math.max(rows.length, rows[0].length);
      const { picture, caption } = pictures[k];
      const seen = rows.flat().filter(Boolean).length;
      caption.textContent = `${seen} / ${rows.flat().length}`;
      put(picture, { "aria-label": `${names[k]}: ${caption.textContent} ${texts.visible}` });
      picture.replaceChildren(...rows.flatMap((row, i) => row.map((x, j) => make("rect",
        { x: cell * j + 0.5, y: cell * i + 0.5, width: cell - 1, height: cell - 1,
          fill: x ? colour : "none", stroke: x ? colour : "currentColor",
          "stroke-opacity": x ? 1 : 0.3 }))));
    });
    root.drawn = masks.map((mask) => mask[at]);
  }
  return live(model, el, root, draw);
}
