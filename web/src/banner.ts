// Says clearly that what is seen is old, since when, and when the next try is.
import { el, setHidden, setText } from "./dom";
import { roughly } from "./format";
import type { Connection } from "./poll";

export function createBanner(tryNow: () => void) {
  // Read aloud once; the seconds that count down are for the eyes.
  const what = el("span", { role: "alert" });
  const when = el("span", { class: "number" });
  const button = el("button", { type: "button" }, "Try now");
  const root = el("div", { class: "banner", id: "banner", hidden: true }, what, when, button);
  button.addEventListener("click", tryNow);
  let connection: Connection = { kind: "connecting" };

  const write = () => {
    setHidden(root, connection.kind !== "lost");
    document.body.classList.toggle("stale", connection.kind === "lost");
    if (connection.kind !== "lost") {
      setText(what, "");
      return;
    }
    const { since, nextTry, why } = connection;
    const reason = why === "no answer" ? "" : `: ${why}`;
    setText(what, `The server does not answer${reason}. The figures are those of before.`);
    const wait = Math.max(0, Math.ceil((nextTry - Date.now()) / 1000));
    const silent = roughly(Math.floor((Date.now() - since) / 1000));
    setText(when, `Silent for ${silent}; ${wait === 0 ? "trying now" : `next try in ${wait} s`}.`);
  };

  return {
    root,
    connection(now: Connection) {
      connection = now;
      write();
    },
    tick: write,
  };
}
