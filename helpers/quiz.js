// Buttons that answer a question, on top of live.js.
//
// data: question, letters, options, right and replies, one for each option.
// state: chosen, the options that were clicked, in order.

function render({ model, el }) {
  const { question, letters, options, right, replies } = model.get("data");
  const buttons = letters.map((letter, i) => {
    const button = make("button",
      { type: "button", ...KEYS, title: options[i], "aria-label": `${letter}: ${options[i]}` },
      letter);
    button.addEventListener("click", () =>
      share(model, { chosen: [...model.get("state").chosen, i] }));
    return button;
  });
  const reply = make("p", { role: "status" });
  const root = whole(
    make("div", { class: "row", role: "group", "aria-label": question }, ...buttons), reply);
  root.classList.add("course-quiz");

  function draw() {
    const { chosen } = model.get("state");
    buttons.forEach((button, i) => {
      const tried = chosen.includes(i);
      button.classList.toggle("right", tried && right[i]);
      button.classList.toggle("wrong", tried && !right[i]);
    });
    reply.textContent = chosen.length ? replies[chosen.at(-1)] : "";
  }
  return live(model, el, root, draw);
}
