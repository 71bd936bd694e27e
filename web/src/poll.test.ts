import assert from "node:assert/strict";
import { test } from "node:test";
import { NoAnswer, Refused } from "./api";
import { type Clock, type Connection, LONGEST_WAIT, Poller, waitAfter } from "./poll";

// A clock that goes when it is told to.
class TestClock implements Clock {
  private time = 0;
  private waiting: { at: number; action: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, action: () => void): () => void {
    const one = { at: this.time + ms, action };
    this.waiting.push(one);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== one);
    };
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const next = this.waiting.filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.waiting = this.waiting.filter((one) => one !== next);
      this.time = next.at;
      next.action();
    }
    this.time = end;
  }
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

function setUp() {
  const clock = new TestClock();
  const told: Connection[] = [];
  const poller = new Poller((connection) => told.push(connection), clock);
  return { clock, told, poller };
}

test("the wait doubles up to a limit", () => {
  assert.deepEqual([1, 2, 3, 4].map(waitAfter), [1000, 2000, 4000, 8000]);
  assert.equal(waitAfter(100), LONGEST_WAIT);
});

test("tasks run on their beats", async () => {
  const { clock, told, poller } = setUp();
  let fast = 0;
  let slow = 0;
  poller.add({ every: 1000, run: async () => void fast++ });
  poller.add({ every: 5000, run: async () => void slow++ });
  await clock.pass(10_500);
  assert.equal(fast, 11);
  assert.equal(slow, 3);
  assert.deepEqual(told, [{ kind: "live" }]);
});

test("nothing is asked while the tab is hidden, and everything at once when it is seen again", async () => {
  const { clock, poller } = setUp();
  let runs = 0;
  poller.add({ every: 1000, run: async () => void runs++ });
  await clock.pass(1500);
  poller.sleep(true);
  await clock.pass(60_000);
  assert.equal(runs, 2);
  poller.sleep(false);
  await clock.pass(1);
  assert.equal(runs, 3);
});

test("without an answer only the probe goes on, less and less often, and all start again with the first answer", async () => {
  const { clock, told, poller } = setUp();
  let up = true;
  const times: number[] = [];
  let others = 0;
  poller.add({
    every: 1000,
    run: async () => {
      times.push(clock.now());
      if (!up) throw new NoAnswer("no answer");
    },
  });
  poller.add({ every: 1000, run: async () => void others++ });
  await clock.pass(500);
  up = false;
  await clock.pass(16_000);
  assert.deepEqual(times, [0, 1000, 2000, 4000, 8000, 16_000]);
  assert.ok(others <= 2);
  const lost = told[told.length - 1]!;
  assert.ok(lost.kind === "lost" && lost.since === 1000 && lost.nextTry === 32_000);
  up = true;
  const before = others;
  poller.tryNow();
  await clock.pass(1);
  assert.equal(told[told.length - 1]!.kind, "live");
  assert.equal(others, before + 1);
});

test("a task that gets no answer makes the probe look, and waits longer itself", async () => {
  const { clock, told, poller } = setUp();
  let probes = 0;
  let complaints = 0;
  const tries: number[] = [];
  poller.add({ every: 60_000, run: async () => void probes++ });
  poller.add({
    every: 1000,
    run: async () => {
      tries.push(clock.now());
      throw new NoAnswer("no answer");
    },
    failed: () => void complaints++,
  });
  await clock.pass(7500);
  assert.equal(complaints, 3); // the first silence is not told
  assert.deepEqual(tries, [0, 1000, 3000, 7000]);
  assert.ok(probes >= 4);
  assert.deepEqual(told, [{ kind: "live" }]);
});

test("what is refused to one task concerns that task only", async () => {
  const { clock, told, poller } = setUp();
  let runs = 0;
  const refusals: (string | null)[] = [];
  poller.add({ every: 1000, run: async () => void runs++ });
  poller.add({
    every: 1000,
    run: async () => {
      throw new Refused(403, "forbidden", "not for spiders");
    },
    failed: (error) => refusals.push(error?.message ?? null),
  });
  await clock.pass(5500);
  assert.equal(runs, 6);
  assert.deepEqual(refusals, ["not for spiders", "not for spiders", "not for spiders"]);
  assert.deepEqual(told, [{ kind: "live" }]);
});

test("a hurried task gives up the answer that is under way", async () => {
  const { clock, told, poller } = setUp();
  let started = 0;
  poller.add({ every: 1000, run: async () => {} });
  const handle = poller.add({
    every: 1000,
    run: (signal) => {
      started++;
      return new Promise((resolve, reject) => {
        if (started === 2) resolve();
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
    },
  });
  await clock.pass(100);
  handle.now();
  await clock.pass(100);
  assert.equal(started, 2);
  assert.equal(told.length, 1);
  handle.stop();
  await clock.pass(10_000);
  assert.equal(started, 2);
});
