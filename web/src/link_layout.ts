// Where things are in the drawing of a page's links. Wide: pages that link to it on the left, it in the middle, what it
// links to on the right. Narrow, as on a phone: the same from top to bottom, along a line at the left edge.
import type { Direction } from "./api";

export const NARROW = 680;
const ROW = 26;
const NARROW_ROW = 34; // for thumbs
const HEAD = 30; // above the rows: what they are
const LETTER = 7.25; // width of a letter at 12 px in fonts of fixed width
const DOT = 8; // from the dot to the text

export interface Place {
  dot: { x: number; y: number };
  text: { x: number; y: number; anchor: "start" | "end" };
  letters: number; // that fit
  curve: string; // from the dot to the page
  area: { x: number; y: number; width: number; height: number }; // to click
}

export interface Side {
  head: { x: number; y: number; anchor: "start" | "end" };
  places: Place[];
  none: { x: number; y: number; anchor: "start" | "end" }; // where it says why there are none
  more: { x: number; y: number; anchor: "start" | "end" } | null;
}

export interface LinkLayout {
  width: number;
  height: number;
  centre: { x: number; y: number; width: number; height: number; letters: number };
  in: Side;
  out: Side;
}

export interface Counts {
  links: number; // drawn
  more: boolean; // there is a line about the others
}

const rowsOf = ({ links, more }: Counts) => Math.max(1, links) + (more ? 1 : 0);

export function layoutLinks(width: number, counts: Record<Direction, Counts>): LinkLayout {
  return width < NARROW ? narrow(width, counts) : wide(width, counts);
}

function wide(width: number, counts: Record<Direction, Counts>): LinkLayout {
  const rows = Math.max(rowsOf(counts.in), rowsOf(counts.out), 4);
  const height = HEAD + rows * ROW + 4;
  const middle = HEAD + (rows * ROW) / 2;
  const centreWidth = Math.min(300, Math.max(190, width * 0.24));
  const gap = Math.min(110, Math.max(60, width * 0.08)); // for the curves
  const column = (width - centreWidth) / 2 - gap;
  const centre = {
    x: (width - centreWidth) / 2,
    y: middle - 34,
    width: centreWidth,
    height: 68,
    letters: Math.floor((centreWidth - 24) / LETTER),
  };
  const side = (direction: Direction): Side => {
    const left = direction === "in";
    const anchor = left ? "end" : "start";
    const dotX = left ? column - 4 : width - column + 4;
    const textX = left ? dotX - DOT - 4 : dotX + DOT + 4;
    const edge = left ? centre.x : centre.x + centre.width;
    const { links, more } = counts[direction];
    const top = middle - (rowsOf(counts[direction]) * ROW) / 2;
    const places = Array.from({ length: links }, (_, i): Place => {
      const y = top + (i + 0.5) * ROW;
      // The curves end a little apart, so that many of them are still many.
      const end = middle + (links > 1 ? (i / (links - 1) - 0.5) * Math.min(44, links * 7) : 0);
      const bend = (dotX + edge) / 2;
      return {
        dot: { x: dotX, y },
        text: { x: textX, y: y + 4, anchor },
        letters: Math.max(8, Math.floor((column - DOT - 16) / LETTER)),
        curve: `M${n(dotX)} ${n(y)}C${n(bend)} ${n(y)} ${n(bend)} ${n(end)} ${n(edge)} ${n(end)}`,
        area: { x: left ? 0 : width - column, y: y - ROW / 2, width: column, height: ROW },
      };
    });
    const lastY = top + (Math.max(1, links) + 0.5) * ROW + 4;
    return {
      head: { x: textX, y: top - 12, anchor },
      places,
      none: { x: textX, y: top + ROW / 2 + 4, anchor },
      more: more ? { x: textX, y: lastY, anchor } : null,
    };
  };
  return { width, height, centre, in: side("in"), out: side("out") };
}

function narrow(width: number, counts: Record<Direction, Counts>): LinkLayout {
  const line = 8;
  const dotX = 26;
  const textX = dotX + DOT + 4;
  const inHeight = HEAD + rowsOf(counts.in) * NARROW_ROW;
  const centre = { x: 0, y: inHeight + 6, width, height: 60, letters: Math.floor((width - 24) / LETTER) };
  const outTop = centre.y + centre.height + 6;
  const height = outTop + HEAD + rowsOf(counts.out) * NARROW_ROW;
  const side = (direction: Direction): Side => {
    const above = direction === "in";
    const top = (above ? 0 : outTop) + HEAD;
    const { links, more } = counts[direction];
    const places = Array.from({ length: links }, (_, i): Place => {
      const y = top + (i + 0.5) * NARROW_ROW;
      const curve = above
        ? `M${dotX} ${n(y)}Q${line} ${n(y)} ${line} ${n(y + 14)}V${n(centre.y)}`
        : `M${dotX} ${n(y)}Q${line} ${n(y)} ${line} ${n(y - 14)}V${n(centre.y + centre.height)}`;
      return {
        dot: { x: dotX, y },
        text: { x: textX, y: y + 4, anchor: "start" },
        letters: Math.max(8, Math.floor((width - textX) / LETTER)),
        curve,
        area: { x: 0, y: y - NARROW_ROW / 2, width, height: NARROW_ROW },
      };
    });
    const lastY = top + (Math.max(1, links) + 0.5) * NARROW_ROW + 4;
    return {
      head: { x: textX, y: top - 12, anchor: "start" },
      places,
      none: { x: textX, y: top + NARROW_ROW / 2, anchor: "start" },
      more: more ? { x: textX, y: lastY, anchor: "start" } : null,
    };
  };
  return { width, height, centre, in: side("in"), out: side("out") };
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
