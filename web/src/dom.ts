// Making and changing elements. Text goes in as text and nothing is ever parsed as HTML, so no URL can be more than
// letters. Changes that change nothing are left out: they would cost layout, and selections.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | boolean>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, value);
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const texts = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), texts, children);
}

export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function setHidden(element: HTMLElement, hidden: boolean): void {
  if (element.hidden !== hidden) element.hidden = hidden;
}

// As many rows as there are things, reusing those that are there; the rows keep their focus.
export function fitRows<R>(rows: R[], n: number, make: () => R, elementOf: (row: R) => Element, parent: Element): void {
  while (rows.length > n) elementOf(rows.pop()!).remove();
  while (rows.length < n) {
    const row = make();
    rows.push(row);
    parent.append(elementOf(row));
  }
}
