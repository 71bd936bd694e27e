// From /series to what is drawn.
import type { Series } from "./api";

// Single seconds are mostly noise; the mean of a few shows what an operator wants to see and still turns within them.
export const SMOOTHED_OVER = 5;
const SHORTEST = 60; // seconds
const LONGEST = 600; // as the server tells them

// The mean of the last `width` values at each place; of fewer at the beginning.
export function trailingMean(values: readonly number[], width: number): number[] {
  const means: number[] = [];
  let sum = 0;
  values.forEach((value, i) => {
    sum += value;
    if (i >= width) sum -= values[i - width]!;
    means.push(sum / Math.min(i + 1, width));
  });
  return means;
}

export type ChartData = [times: number[], crawled: number[], requested: number[], failed: number[]];

export function chartData(series: Series): ChartData {
  const { step, end } = series;
  const n = series.crawled.length;
  const times = series.crawled.map((_, i) => end - (n - 1 - i) * step);
  const width = Math.max(1, Math.round(SMOOTHED_OVER / step));
  const mean = (values: number[]) => trailingMean(values, width).map((value) => value / step);
  return [times, mean(series.crawled), mean(series.requested), mean(series.failed)];
}

// The scale of time grows with what a server that was started lately has to show, from one minute to ten.
export function timeRange(series: Series): [from: number, to: number] {
  const told = series.crawled.length * series.step;
  return [series.end - Math.min(LONGEST, Math.max(SHORTEST, told)), series.end];
}

// The top of the scale: a round number over the largest value. It grows at once but shrinks only when much of it is
// empty, so that the lines do not jump about.
export function scaleTop(largest: number, before: number): number {
  const top = roundUp(Math.max(1, largest * 1.05));
  if (top > before) return top;
  return largest < before * 0.55 ? top : before;
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
  return power * (steps.find((step) => step * power >= value) ?? 10);
}
