// Single keys, where nobody is typing and no dialog is open. With Ctrl, Alt or Meta they are the browser's.

export type Keys = Record<string, () => void>;

export function listenTo(keys: Keys): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, [contenteditable]") !== null;
}
