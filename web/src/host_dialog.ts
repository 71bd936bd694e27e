// One host: what is known about it and, for admins, its controls. It is bound to the host's name and not to a place in
// the table, so that nothing is done to a host that has just moved under the pointer.
import { controlHost, getHost, type Host, type HostControl } from "./api";
import { crawlName } from "./crawl_name";
import { createDialog } from "./dialog";
import { el, setHidden, setText } from "./dom";
import { createFacts } from "./facts";
import { count, decimal, moment, roughly } from "./format";
import { delayText, isBlocked, nextText } from "./host_words";
import { serverNow } from "./server_clock";
import { STATES } from "./states";
import { attempt, say } from "./toast";
import { visible } from "./url_text";

const BLOCKS: [text: string, seconds: number][] = [
  ["10 minutes", 600],
  ["1 hour", 3_600],
  ["1 day", 86_400],
  ["1 week", 604_800],
  ["30 days", 2_592_000],
];
const LONGEST_DELAY = 49 * 86_400; // as of the server
const MOST_PAGES = 2 ** 32 - 1; // likewise

export interface HostDialog {
  root: HTMLElement;
  show(host: Host, first?: "block" | "delay"): void;
  act(host: Host, control: HostControl): Promise<boolean>; // whether it was done
  setAdmin(admin: boolean): void;
}

export function createHostDialog(changed: () => void): HostDialog {
  const dialog = createDialog("host-dialog");
  const facts = createFacts([
    "Crawl",
    ...STATES.map(({ name }) => name),
    "Next request",
    "Blocked until",
    "Temperature",
    "Delay",
    "Limit",
    "Failures in a row",
  ]);

  const blockFor = el("select", { id: "block-for", name: "block-for" });
  for (const [text, seconds] of BLOCKS) blockFor.append(el("option", { value: String(seconds) }, text));
  blockFor.value = "3600";
  const blockForm = el(
    "form",
    { class: "control" },
    el("label", { for: "block-for" }, "Give out none of its pages for"),
    el("div", { class: "row" }, blockFor, el("button", { type: "submit", class: "danger" }, "Block")),
  );
  const delayInput = el("input", {
    id: "host-delay",
    type: "number",
    min: "0",
    max: String(LONGEST_DELAY),
    step: "any",
    inputmode: "decimal",
    required: true,
  });
  const asConfigured = el("button", { type: "button" }, "As configured");
  const delayForm = el(
    "form",
    { class: "control" },
    el("label", { for: "host-delay" }, "Seconds between requests, at least"),
    el("div", { class: "row" }, delayInput, el("button", { type: "submit" }, "Set delay"), asConfigured),
  );
  const limitInput = el("input", {
    id: "host-limit",
    type: "number",
    min: "1",
    max: String(MOST_PAGES),
    step: "1",
    inputmode: "numeric",
    required: true,
  });
  const noLimit = el("button", { type: "button" }, "No limit");
  const limitForm = el(
    "form",
    { class: "control" },
    el("label", { for: "host-limit" }, "Crawled pages after which it is asked no more"),
    el("div", { class: "row" }, limitInput, el("button", { type: "submit" }, "Set limit"), noLimit),
  );
  const resume = el("button", { type: "button" }, "Resume");
  const resumeRow = el(
    "div",
    { class: "control" },
    el("span", { class: "label" }, "Unblock, and take a delay back"),
    el("div", { class: "row" }, resume),
  );
  const controls = el("div", { class: "controls", hidden: true }, blockForm, delayForm, limitForm, resumeRow);
  dialog.body.append(facts.root, controls);

  let shown: Host | null = null;

  const write = (host: Host) => {
    shown = host;
    const now = serverNow();
    setText(dialog.title, visible(host.key));
    facts.set("Crawl", crawlName(host.crawl));
    for (const { state, name } of STATES) facts.set(name, count(host.pages[state] ?? 0));
    facts.set("Next request", nextText(host, now));
    facts.set("Blocked until", isBlocked(host, now) ? moment(host.blocked_until) : null);
    facts.set("Temperature", decimal(host.temperature, 2));
    facts.set("Delay", delayText(host));
    facts.set("Limit", host.limit ? `${count(host.limit)} pages` : "none");
    facts.set("Failures in a row", count(host.failures_in_a_row));
    setHidden(noLimit, host.limit === null);
    setHidden(asConfigured, host.delay === null);
    setHidden(resumeRow, host.delay === null && !isBlocked(host, now));
  };

  const act = (host: Host, control: HostControl) => {
    const name = visible(host.key);
    return attempt(`${name} could not be changed`, async () => {
      const after = await controlHost(host.key, host.crawl, control);
      say(`${name} ${done(control)}`);
      if (after && shown?.key === host.key && shown.crawl === host.crawl) write(after);
      changed();
    });
  };
  const actOnShown = (control: HostControl) => {
    if (shown) void act(shown, control).then((isDone) => isDone && dialog.close());
  };

  blockForm.addEventListener("submit", (event) => {
    event.preventDefault();
    actOnShown({ block_for: Number(blockFor.value) });
  });
  delayForm.addEventListener("submit", (event) => {
    event.preventDefault();
    actOnShown({ delay: Number(delayInput.value) });
  });
  asConfigured.addEventListener("click", () => actOnShown({ delay: null }));
  limitForm.addEventListener("submit", (event) => {
    event.preventDefault();
    actOnShown({ limit: Number(limitInput.value) });
  });
  noLimit.addEventListener("click", () => actOnShown({ limit: 0 }));
  resume.addEventListener("click", () => actOnShown({ resume: true }));

  return {
    root: dialog.root,
    act,
    show(host, first) {
      write(host);
      delayInput.value = host.delay === null ? "" : String(host.delay);
      limitInput.value = host.limit === null ? "" : String(host.limit);
      dialog.show();
      if (!controls.hidden && first) (first === "delay" ? delayInput : blockFor).focus();
      // What the table knew may be seconds old.
      void getHost(host.key, host.crawl)
        .then((newest) => {
          if (dialog.root.open && shown?.key === host.key && shown.crawl === host.crawl) write(newest);
        })
        .catch(() => {});
    },
    setAdmin: (admin) => setHidden(controls, !admin),
  };
}

function done(control: HostControl): string {
  if ("block_for" in control) return `is blocked for ${roughly(control.block_for)}`;
  if ("resume" in control) return "is asked again as configured";
  if ("limit" in control) return control.limit === 0 ? "has no limit of pages" : `is limited to ${count(control.limit)} pages`;
  return control.delay === null ? "has the configured delay again" : `is asked every ${control.delay} s at most`;
}
