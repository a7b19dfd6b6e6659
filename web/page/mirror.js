// The widgets of the program as elements inside its canvas: unseen, but read and used by screen readers.

const BUTTONS = { Button: "button", CheckBox: "checkbox", RadioButton: "radio", Link: "link", MenuItem: "menuitem" };
const NUMBERS = { Slider: "range", SpinButton: "number" };

const kindOf = ({ role }) => (BUTTONS[role] ? "button" : NUMBERS[role] ? "input" : role === "Label" ? "span" : "div");

function made(viewer, widget) {
  const element = document.createElement(kindOf(widget));
  element.id = `widget-${widget.id}`;
  element.tabIndex = -1;
  if (BUTTONS[widget.role]) {
    element.type = "button";
    element.setAttribute("role", BUTTONS[widget.role]);
    element.addEventListener("click", () => viewer.act(widget.id));
  } else if (NUMBERS[widget.role]) {
    element.type = NUMBERS[widget.role];
    element.step = "any";
    element.addEventListener("change", () => viewer.act(widget.id, Number(element.value)));
  } else if (widget.role !== "Label") element.setAttribute("role", widget.role === "Image" ? "img" : "group");
  return element;
}

function update(element, { role, name, text, value, min, max, on, disabled }) {
  if (role === "Label") return (element.textContent = name);
  element.ariaLabel = text ? `${name}: ${text}` : name;
  if (on !== null) element[BUTTONS[role] === "button" ? "ariaPressed" : "ariaChecked"] = String(on);
  if (BUTTONS[role]) element.disabled = disabled;
  if (!NUMBERS[role]) return;
  element.min = min ?? "";
  element.max = max ?? "";
  if (document.activeElement !== element) element.value = value ?? 0;
}

// Shows a list of widgets, as the program gives it.
export function mirror(canvas, viewer, list) {
  const { widgets, focus } = JSON.parse(list);
  const known = new Map([...canvas.children].map((element) => [element.id, element]));
  const elements = widgets.map((widget) => {
    const old = known.get(`widget-${widget.id}`);
    const element = old?.localName === kindOf(widget) ? old : made(viewer, widget);
    update(element, widget);
    return element;
  });
  // Moving elements would take the focus from them.
  if (elements.length !== canvas.children.length || elements.some((element, at) => element !== canvas.children[at])) {
    canvas.replaceChildren(...elements);
  }
  const focused = `widget-${focus}`;
  if (elements.some(({ id }) => id === focused)) canvas.setAttribute("aria-activedescendant", focused);
  else canvas.removeAttribute("aria-activedescendant");
}

// What is shown, in words: said again when it changes. The time only while it stands.
export function status({ file, clip, time, playing, opening, messages }) {
  const what = clip === null ? "rest pose" : playing ? `${clip} plays` : `${clip} at ${time.toFixed(2)} s`;
  const last = messages.at(-1);
  const said = last ? ` ${last.file}: ${last.text}.` : "";
  return `${opening ? "Opening a file. " : ""}${file}: ${what}.${said}`;
}
