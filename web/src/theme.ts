// Dark or light: as the system says, unless somebody chose otherwise here. A choice that agrees with the system is
// forgotten, so that the page follows the system again.

export type Theme = "dark" | "light";
const KEY = "aduana-theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners: ((theme: Theme) => void)[] = [];

function system(): Theme {
  return systemDark.matches ? "dark" : "light";
}

// Storage may be forbidden; then the choice lasts as long as the page.
let chosen: Theme | null = null;
try {
  const kept = localStorage.getItem(KEY);
  if (kept === "dark" || kept === "light") chosen = kept;
} catch {}

export function theme(): Theme {
  return chosen ?? system();
}

export function toggleTheme(): void {
  const wanted: Theme = theme() === "dark" ? "light" : "dark";
  chosen = wanted === system() ? null : wanted;
  try {
    if (chosen) localStorage.setItem(KEY, chosen);
    else localStorage.removeItem(KEY);
  } catch {}
  apply();
}

export function onTheme(listener: (theme: Theme) => void): void {
  listeners.push(listener);
  listener(theme());
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) listener(theme());
}

systemDark.addEventListener("change", apply);
apply(); // before the first paint
