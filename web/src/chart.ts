// Pages, requests and failures a second over the last ten minutes.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Series } from "./api";
import { chartData, scaleTop, SMOOTHED_OVER, timeRange } from "./chart_data";
import { el, setAttribute, setText } from "./dom";
import { moment, rate } from "./format";
import { createPanel } from "./panel";
import { onTheme } from "./theme";

const LINES = [
  { label: "pages/s", series: "series-crawled", colour: "--series-crawled", width: 1.75 },
  { label: "requests/s", series: "series-requested", colour: "--series-requested", width: 1.25 },
  { label: "failures/s", series: "series-failed", colour: "--series-failed", width: 1.5 },
] as const;

export function createChart() {
  const panel = createPanel("throughput", "Last ten minutes");
  const readings = LINES.map(({ label, series }) => {
    const value = el("span", { class: "reading-value" });
    return {
      root: el("span", { class: "reading" }, el("span", { class: `key ${series}` }), value, el("span", { class: "unit" }, ` ${label}`)),
      value,
    };
  });
  const when = el("span", { class: "when" });
  // For eyes only: the same numbers are in the figures, as text that screen readers get.
  panel.head.append(el("div", { class: "readings", "aria-hidden": "true" }, when, ...readings.map((one) => one.root)));
  const box = el("div", { class: "chart", role: "img", "aria-label": "No figures yet" });
  panel.body.append(box);

  let told: Series = { step: 1, end: 0, crawled: [], requested: [], failed: [] };
  let data = chartData(told);
  let top = 0;
  let plot: uPlot | null = null;

  // What is under the pointer, else the newest.
  const read = (idx: number | null | undefined) => {
    const at = idx ?? data[0].length - 1;
    const time = data[0][at];
    setText(when, idx == null || time === undefined ? `mean of ${SMOOTHED_OVER} s` : moment(time).slice(11));
    readings.forEach((one, i) => setText(one.value, rate(data[i + 1]?.[at])));
  };

  const draw = () => {
    plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const font = `11px ${style.getPropertyValue("--font-text").trim() || "sans-serif"}`;
    const grid = { stroke: colour("--line-soft"), width: 1 };
    plot = new uPlot(
      {
        ...sizeOf(box),
        legend: { show: false },
        padding: [8, 16, 0, 0],
        scales: { x: { time: true, range: () => timeRange(told) }, y: { range: (_, __, largest) => [0, (top = scaleTop(largest ?? 0, top))] } },
        cursor: {
          y: false,
          drag: { x: false, y: false },
          points: { size: 6, fill: (_, i) => colour(LINES[i - 1]?.colour ?? "--text") },
        },
        series: [
          {},
          ...LINES.map((line, i) => ({
            label: line.label,
            stroke: colour(line.colour),
            width: line.width,
            points: { show: false },
            ...(i === 0 ? { fill: colour("--series-crawled-area") } : {}),
          })),
        ],
        axes: [
          {
            stroke: colour("--text-muted"),
            font,
            size: 28,
            space: 70,
            grid: { show: false },
            ticks: { show: false },
            values: (_, times) => times.map((time) => moment(time).slice(11, time % 60 === 0 ? 16 : 19)),
          },
          {
            stroke: colour("--text-muted"),
            font,
            size: 46,
            space: 34,
            grid,
            ticks: { show: false },
            values: (_, values) => values.map((value) => value.toLocaleString("en")),
          },
        ],
        hooks: { setCursor: [(self) => read(self.cursor.idx)] },
      },
      data,
      box,
    );
  };

  onTheme(() => {
    if (plot) draw();
  });
  new ResizeObserver(() => plot?.setSize(sizeOf(box))).observe(box);

  return {
    root: panel.root,
    failed: panel.failed,
    update(series: Series): void {
      told = series;
      data = chartData(series);
      // Made only now that the box is laid out and its colours are known.
      if (plot) plot.setData(data);
      else draw();
      read(plot?.cursor.idx);
      if (data[0].length === 0) return; // the server's first second
      const newest = data.slice(1).map((values) => rate(values[values.length - 1]));
      setAttribute(
        box,
        "aria-label",
        `Chart of the last ten minutes; at present ${newest[0]} pages, ${newest[1]} requests and ${newest[2]} failures a second`,
      );
    },
  };
}

function sizeOf(box: HTMLElement): { width: number; height: number } {
  return { width: Math.max(200, box.clientWidth), height: Math.max(120, box.clientHeight) };
}
