// Memory and disk.
import type { Stats } from "./api";
import { createFacts } from "./facts";
import { bytes, percent } from "./format";
import { createGauge } from "./gauge";
import { createPanel } from "./panel";

const LITTLE = 0.1; // of the disk: less is a warning

export function createResources() {
  const panel = createPanel("resources", "Memory and disk");
  const facts = createFacts(["Memory", "of it for pending pages", "Store on disk", "Free on disk"]);
  const gauge = createGauge();
  panel.body.append(facts.root, gauge.root);
  return {
    root: panel.root,
    update({ memory, disk, urls }: Stats): void {
      facts.set("Memory", bytes(memory.resident));
      facts.set("of it for pending pages", bytes(memory.pending));
      facts.set("Store on disk", bytes(disk.store), urls > 0 ? `${Math.round(disk.store / urls)} bytes a URL` : "");
      facts.set("Free on disk", bytes(disk.free));
      const room = disk.store + disk.free;
      panel.note(room > 0 ? `${percent(disk.store, room)} of the room is used` : "");
      gauge.set(disk.store, room);
      gauge.root.classList.toggle("warning", room > 0 && disk.free < LITTLE * room);
    },
  };
}
