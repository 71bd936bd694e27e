// The states of a URL in the order of its life, in words for people. Their colours are in styles/tokens.css.
import type { PageState } from "./api";

export interface StateWords {
  state: PageState;
  name: string;
  meaning: string;
}

export const STATES: readonly StateWords[] = [
  { state: "queued", name: "Queued", meaning: "waiting" },
  { state: "leased", name: "In flight", meaning: "with spiders" },
  { state: "done", name: "Done", meaning: "crawled" },
  { state: "scheduled", name: "Scheduled", meaning: "for a next visit" },
  { state: "gone", name: "Gone", meaning: "given up" },
  { state: "known", name: "Known", meaning: "not to be crawled" },
];

const byState = new Map(STATES.map((one) => [one.state, one]));

export function stateName(state: PageState): string {
  return byState.get(state)?.name ?? state;
}

export function stateMeaning(state: PageState): string {
  return byState.get(state)?.meaning ?? "";
}

// A class name and never anything that the server could make up.
export function stateClass(state: PageState): string {
  return byState.has(state) ? `state-${state}` : "state-known";
}
