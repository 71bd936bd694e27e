// The header: what this is, whether it runs, whether we hear from it; and the switches.
import { setPaused, type Stats } from "./api";
import { el, setAttribute, setHidden, setText } from "./dom";
import { uptime } from "./format";
import { icon } from "./icons";
import type { Connection } from "./poll";
import { onTheme, toggleTheme } from "./theme";
import { attempt, say } from "./toast";

export function createHeader(lookupForm: HTMLElement, showHelp: () => void, askNow: () => void) {
  const version = el("span", { class: "version" });
  const run = el("span", { class: "pill", id: "run-state", hidden: true });
  const up = el("span", { class: "uptime", title: "Time since the server was started", hidden: true });
  const link = el("span", { class: "pill", id: "connection", role: "status" }, "Connecting");
  const role = el("span", { class: "tag", id: "role", hidden: true });
  const pause = el("button", { type: "button", id: "pause", hidden: true });
  const themeButton = el("button", { type: "button", class: "quiet square", id: "theme", "aria-keyshortcuts": "t" });
  const help = el("button", { type: "button", class: "quiet square", "aria-label": "Help: keys", "aria-keyshortcuts": "?" }, "?");

  let paused = false;
  let live = false;
  pause.addEventListener("click", () => {
    const wanted = !paused;
    pause.disabled = true;
    void attempt(wanted ? "It could not be paused" : "It could not be resumed", async () => {
      await setPaused(wanted);
      say(wanted ? "Paused: spiders get no pages" : "Running again");
      askNow();
    }).then(() => (pause.disabled = !live));
  });
  themeButton.addEventListener("click", toggleTheme);
  help.addEventListener("click", showHelp);
  onTheme((theme) => {
    const other = theme === "dark" ? "light" : "dark";
    themeButton.replaceChildren(icon(other));
    setAttribute(themeButton, "aria-label", `Change to the ${other} theme`);
    setAttribute(themeButton, "title", `Change to the ${other} theme (t)`);
  });

  const root = el(
    "header",
    { class: "top" },
    el("div", { class: "brand" }, icon("mark"), el("h1", {}, "Aduana"), version),
    el("div", { class: "status" }, run, up, link),
    lookupForm,
    el("div", { class: "switches" }, role, pause, themeButton, help),
  );

  return {
    root,
    update(stats: Stats): void {
      paused = stats.paused;
      setText(version, stats.version);
      setText(run, paused ? "Paused" : "Running");
      setAttribute(run, "data-kind", paused ? "warning" : "good");
      setText(up, uptime(stats.uptime));
      setHidden(role, false);
      setText(role, stats.role);
      setHidden(pause, stats.role !== "admin");
      if (pause.dataset.paused !== String(paused)) {
        pause.dataset.paused = String(paused);
        pause.replaceChildren(icon(paused ? "play" : "pause"), paused ? "Resume" : "Pause");
      }
    },
    connection(connection: Connection): void {
      const text = { connecting: "Connecting", live: "Live", lost: "No answer" }[connection.kind];
      setText(link, text);
      setAttribute(link, "data-kind", { connecting: "", live: "good", lost: "bad" }[connection.kind]);
      // Whether it runs is known only while we hear from it.
      live = connection.kind === "live";
      setHidden(run, !live);
      setHidden(up, !live);
      pause.disabled = !live;
    },
  };
}
