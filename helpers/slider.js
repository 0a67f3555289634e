// A slider with its name and its value, both of which a screen reader can say.

function render({ model, el }) {
  const name = make("span");
  const input = rangeInput();
  const value = make("span");
  el.append(make("label", { class: "course-slider" }, name, input, value));

  function show() {
    name.textContent = model.get("name");
    input.setAttribute("aria-label", model.get("name"));
    for (const key of ["min", "max", "step"]) input[key] = model.get(key);
    input.disabled = model.get("disabled");
    input.value = model.get("value");
    value.textContent = Number(model.get("value").toPrecision(6));
  }

  input.addEventListener("input", () => {
    model.set("value", Number(input.value));
    model.save_changes();
    value.textContent = Number(model.get("value").toPrecision(6));
  });
  model.on("change", show);
  show();
  return () => model.off("change", show);
}
