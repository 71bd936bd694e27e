// The few drawings of the console, as lines in the colour of the text.
import { svg } from "./dom";

const PATHS = {
  mark: ["M4 21V11a8 8 0 0 1 16 0v10", "M4 14.5h16", "M12 14.5V21"],
  dark: ["M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z"],
  light: [
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
    "M12 2.5v2M12 19.5v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2.5 12h2M19.5 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
  ],
  pause: ["M8.5 5v14", "M15.5 5v14"],
  play: ["M7.5 5l11 7-11 7z"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  search: ["M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z", "M15.5 15.5L20 20"],
  open: ["M9 5H5v14h14v-4", "M13 4h7v7", "M20 4l-9 9"],
} as const;

export function icon(name: keyof typeof PATHS): SVGSVGElement {
  const drawing = svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" });
  for (const d of PATHS[name]) drawing.append(svg("path", { d }));
  return drawing;
}
