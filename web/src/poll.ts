// Asks the server again and again, without being a burden to it.
//
// Every task runs on its own beat and never twice at once. Nothing runs while the tab is hidden. Whether the server is
// there, one task says, the probe: without an answer to it all others stand still, and it tries again after a time that
// doubles; when it gets through, all run at once. Another task that fails (its role may not see it, or it takes too
// long) concerns only itself, but has the probe look at once.
import { NoAnswer, Refused } from "./api";

export interface Clock {
  now(): number; // milliseconds
  after(ms: number, action: () => void): () => void; // returns how to call it off
}

export interface Task {
  every: number; // milliseconds from an answer to the next question
  run(signal: AbortSignal): Promise<void>;
  failed?(error: Error | null): void; // null: it is well again
}

export type Connection =
  | { kind: "connecting" }
  | { kind: "live" }
  | { kind: "lost"; since: number; nextTry: number; why: string };

export const FIRST_WAIT = 1_000;
export const LONGEST_WAIT = 30_000;

export function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(20, Math.max(0, failures - 1)));
}

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

interface Running {
  task: Task;
  callOff: (() => void) | null; // of the next run
  controller: AbortController | null; // of the present one
  again: boolean; // asked for while it ran
  failures: number; // in a row
}

export interface Handle {
  now(): void; // run as soon as possible, giving up an answer that is under way
  stop(): void;
}

export class Poller {
  private readonly running = new Set<Running>();
  private probe: Running | null = null;
  private asleep = false;
  private connection: Connection = { kind: "connecting" };

  constructor(
    private readonly changed: (connection: Connection) => void,
    private readonly clock: Clock = realClock,
  ) {}

  // The first task that is added is the probe.
  add(task: Task): Handle {
    const one: Running = { task, callOff: null, controller: null, again: false, failures: 0 };
    this.running.add(one);
    this.probe ??= one;
    this.schedule(one, 0);
    return {
      now: () => this.hurry(one),
      stop: () => {
        this.running.delete(one);
        one.callOff?.();
        one.controller?.abort();
      },
    };
  }

  // The tab is hidden, or seen again.
  sleep(asleep: boolean): void {
    if (asleep === this.asleep) return;
    this.asleep = asleep;
    for (const one of this.running) {
      one.callOff?.();
      one.callOff = null;
      if (!asleep) this.schedule(one, 0);
    }
  }

  // Somebody does not want to wait for the next try.
  tryNow(): void {
    if (this.probe) this.hurry(this.probe);
  }

  private hurry(one: Running): void {
    if (one.controller) {
      one.again = true;
      one.controller.abort();
    } else {
      this.schedule(one, 0);
    }
  }

  private schedule(one: Running, wait: number): void {
    one.callOff?.();
    one.callOff = null;
    if (this.asleep || !this.running.has(one)) return;
    if (this.connection.kind === "lost" && one !== this.probe) return;
    one.callOff = this.clock.after(wait, () => {
      one.callOff = null;
      void this.run(one);
    });
  }

  private async run(one: Running): Promise<void> {
    if (one.controller) return;
    const controller = new AbortController();
    one.controller = controller;
    let wait = one.task.every;
    try {
      await one.task.run(controller.signal);
      one.failures = 0;
      one.task.failed?.(null);
      if (one === this.probe) this.answered();
    } catch (error) {
      // Aborting is our own doing: nothing is known about the server then.
      if (!controller.signal.aborted) {
        one.failures++;
        wait = Math.max(wait, waitAfter(one.failures));
        this.failed(one, error);
      }
    }
    one.controller = null;
    if (one.again) {
      one.again = false;
      wait = 0;
    }
    this.schedule(one, wait);
  }

  private failed(one: Running, error: unknown): void {
    if (!(error instanceof NoAnswer || error instanceof Refused)) {
      // A mistake of ours, or an answer that is not as agreed: the other panels live on.
      console.error(error);
      return;
    }
    // Silence is not told of a single task at once: if the server is gone, the probe will say so for all.
    if (error instanceof Refused || one.failures > 1) one.task.failed?.(error);
    if (one === this.probe) this.unanswered(error);
    else if (error instanceof NoAnswer && this.probe && !this.probe.controller) this.schedule(this.probe, 0);
  }

  private answered(): void {
    const before = this.connection.kind;
    if (before === "live") return;
    this.tell({ kind: "live" });
    if (before === "lost") for (const one of this.running) if (!one.controller) this.schedule(one, 0);
  }

  private unanswered(error: Error): void {
    const before = this.connection;
    const now = this.clock.now();
    const since = before.kind === "lost" ? before.since : now;
    this.tell({ kind: "lost", since, nextTry: now + waitAfter(this.probe?.failures ?? 1), why: error.message });
    for (const one of this.running) {
      if (one === this.probe) continue;
      one.callOff?.();
      one.callOff = null;
    }
  }

  private tell(connection: Connection): void {
    this.connection = connection;
    this.changed(connection);
  }
}
