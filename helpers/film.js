// A film of weights, on top of live.js and maps.js: frames that can be slid through.
//
// data: shown (queries and keys), right (the key to look at, for each query), said (both
//       in words), total, frames (weights and caption of each), colours, texts.
// state: at, the frame that is shown.

const PACE = 150; // milliseconds from frame to frame

function render({ model, el }) {
  const { shown, said, right, total, colours, texts } = model.get("data");
  const map = heatMap(shown.queries, shown.keys, { low: 0, high: 1, colours, framed: right,
    axes: { query: texts.query, key: texts.key } });
  const progress = make("progress", { max: total, "aria-label": texts.training });
  const play = make("button", { type: "button", ...KEYS });
  const caption = make("p");
  const scrubber = slider(texts.picture, 1, (i) => String(i), (at) => share(model, { at }));
  let timer;

  function pause() {
    clearInterval(timer);
    timer = undefined;
    play.textContent = texts.play;
  }
  function step() {
    const { at } = model.get("state");
    if (at + 1 >= model.get("data").frames.length) return pause();
    share(model, { at: at + 1 });
  }
  play.addEventListener("click", () => {
    if (timer) return pause();
    const last = model.get("data").frames.length - 1;
    if (model.get("state").at >= last) share(model, { at: 0 });
    play.textContent = texts.pause;
    timer = setInterval(step, PACE);
  });

  function draw() {
    const { frames } = model.get("data");
    progress.value = frames.length;
    scrubber.input.max = Math.max(frames.length - 1, 0);
    scrubber.input.disabled = play.disabled = frames.length < 2;
    if (!frames.length) return;
    const at = Math.min(model.get("state").at, frames.length - 1);
    scrubber.draw(at);
    caption.textContent = frames[at].caption;
    map.draw(frames[at].weights, texts.weights, said);
    root.drawn = frames[at].weights; // in full precision
  }
  pause();
  const controls = make("div", { class: "row" }, play, scrubber.node);
  const root = whole(progress, controls, caption, map.node);
  model.on("change:data", draw);
  const forget = live(model, el, root, draw);
  return () => { pause(); model.off("change:data", draw); forget(); };
}
