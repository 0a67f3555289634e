// A slider with its name and its value, both of which a screen reader can say.
// JupyterLab leaves the arrow keys to an input that carries data-lm-suppress-shortcuts.

function render({ model, el }) {
  const label = document.createElement("label");
  label.style.cssText = "display: flex; align-items: center; gap: 8px; " +
    "margin: 2px; color: var(--jp-content-font-color1, inherit); font: 13px sans-serif";
  const name = document.createElement("span");
  name.style.cssText = "min-width: 6em; text-align: right";
  const input = document.createElement("input");
  input.type = "range";
  input.dataset.lmSuppressShortcuts = "true";
  input.style.cssText = "width: 16em; max-width: 50%";
  const value = document.createElement("span");
  label.append(name, input, value);
  el.append(label);

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

export default { render };
