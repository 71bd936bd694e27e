// Numbers, times and sizes as text. All pure: the clock is given.

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const NONE = "–";

export function count(n: number | null | undefined): string {
  return n == null || !Number.isFinite(n) ? NONE : grouped.format(n);
}

// Few digits where there is little, none behind the point where there is much: the width stays about the same.
export function rate(n: number | null | undefined): string {
  if (n == null || !Number.isFinite(n)) return NONE;
  if (n !== 0 && Math.abs(n) < 10) return n.toFixed(2);
  return Math.abs(n) < 100 ? n.toFixed(1) : grouped.format(n);
}

export function decimal(n: number | null | undefined, digits: number): string {
  return n == null || !Number.isFinite(n) ? NONE : n.toFixed(digits);
}

// Scores are between 0 and 1; most are tiny, and their order is what matters.
export function score(n: number | null | undefined): string {
  if (n == null || !Number.isFinite(n)) return NONE;
  if (n === 0) return "0";
  return Math.abs(n) >= 0.001 ? n.toFixed(4) : n.toExponential(2);
}

export function percent(part: number, whole: number): string {
  if (!(whole > 0)) return NONE;
  const share = (100 * part) / whole;
  if (share === 0) return "0 %";
  if (share < 0.1) return "< 0.1 %";
  if (share > 99.9 && share < 100) return "> 99.9 %";
  return `${share.toFixed(1)} %`;
}

export function bytes(n: number | null | undefined): string {
  if (n == null || !Number.isFinite(n)) return NONE;
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  while (Math.abs(n) >= 999.5 && unit + 1 < units.length) {
    n /= 1000;
    unit++;
  }
  const digits = unit === 0 || n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2;
  return `${n.toFixed(digits)} ${units[unit]}`;
}

const UNITS: [name: string, seconds: number][] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

// In one unit, rounded down, as in "in 3 s".
export function roughly(seconds: number): string {
  if (!Number.isFinite(seconds)) return NONE;
  const s = Math.max(0, seconds);
  for (const [name, size] of UNITS) {
    if (s >= size) return `${grouped.format(Math.floor(s / size))} ${name}`;
  }
  return s === 0 ? "0 s" : "< 1 s";
}

// In two units: "3 d 4 h". Below ten seconds with a fraction, for things that are measured.
export function duration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return NONE;
  const s = Math.max(0, seconds);
  if (s < 0.9995) return s === 0 ? "0 s" : s < 0.001 ? "< 1 ms" : `${Math.round(s * 1000)} ms`;
  if (s < 9.95) return `${s.toFixed(1)} s`;
  let rest = Math.round(s);
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (n > 0) parts.push(`${grouped.format(n)} ${name}`);
    // A unit that is zero ends it: "2 h 5 s" would claim more than anybody wants to know.
    if (parts.length === 2 || (parts.length === 1 && n === 0)) break;
  }
  return parts.join(" ");
}

// Whole seconds, for what counts up: the parts do not come and go while one looks.
export function uptime(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = `${two(Math.floor(s / 3600) % 24)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return s < 86_400 ? clock : `${grouped.format(Math.floor(s / 86_400))} d ${clock}`;
}

export function ago(time: number | null | undefined, now: number): string {
  if (time == null) return "never";
  return now - time < 1 ? "now" : `${roughly(now - time)} ago`;
}

export function until(time: number | null | undefined, now: number): string {
  if (time == null || time <= now) return "now";
  // Rounded up: what is said to be in 3 s must not come in 2.
  const left = time - now;
  return `in ${roughly(left < 60 ? Math.ceil(left) : left)}`;
}

// "2026-11-16 09:17:39", by the reader's own clock.
export function moment(time: number | null | undefined): string {
  if (time == null) return "never";
  const d = new Date(time * 1000);
  if (Number.isNaN(d.getTime())) return NONE;
  const two = (n: number) => String(n).padStart(2, "0");
  return (
    `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ` +
    `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`
  );
}

// The server's words for machines, as words for people: "queue_full" → "queue full".
export function words(name: string): string {
  return name.replace(/_/g, " ");
}
