// The hosts of the simulated crawl: counted, sorted and searched as the server does.
import { chance, crawlOf, hostName, hostNumber } from "./mock_web.mjs";

export class MockHosts {
  constructor(n) {
    this.n = n;
    this.started = Date.now() / 1000;
    this.controls = new Map(); // by number: { blocked_until, delay, limit }
    this.orders = new Map(); // by key: numbers of hosts, sorted by it
    this.found = new Map(); // by crawl, search and key: the same, of those that were found
  }

  // Few hosts have much: pages are distributed as on the web, roughly.
  size(i) {
    return Math.floor(40_000 * chance(i, 5) ** 2 * (1 / (1 + (chance(i, 6) * this.n) / 60)) + 3 * chance(i, 7));
  }

  host(i) {
    const now = Date.now() / 1000;
    const age = now - this.started;
    const control = this.controls.get(i) ?? {};
    const size = this.size(i);
    const blocked = (control.blocked_until ?? 0) > now;
    const failing = chance(i, 8) < 0.02;
    const fetched = blocked ? 0 : Math.min(size, Math.floor(age * (0.3 + chance(i, 9))));
    const beat = control.delay ?? 1 + 4 * chance(i, 10);
    const phase = (now / beat + chance(i, 15)) % 1;
    return {
      key: hostName(i),
      crawl: crawlOf(hostName(i)),
      pages: {
        known: Math.floor(size * 0.1 * chance(i, 16)),
        queued: size - fetched,
        leased: !blocked && size > fetched && phase < 0.4 ? 1 : 0,
        scheduled: 0,
        done: Math.floor(size * chance(i, 17)) + fetched,
        gone: Math.floor(size * 0.04 * chance(i, 18)),
      },
      temperature: size > 20 && !blocked ? 12 * chance(i, 19) + 3 * Math.sin(now / 20 + i) + 3 : 0,
      next_time: size > fetched ? now + (1 - phase) * beat * (failing ? 60 : 1) : null,
      delay: control.delay ?? null,
      blocked_until: blocked ? control.blocked_until : null,
      limit: control.limit || null,
      failures_in_a_row: failing ? 1 + Math.floor(9 * chance(i, 21)) : 0,
    };
  }

  number(key) {
    const i = hostNumber(key);
    return i >= 0 && i < this.n && hostName(i) === key ? i : -1;
  }

  control(i, change) {
    const control = this.controls.get(i) ?? {};
    if ("block_for" in change) control.blocked_until = Date.now() / 1000 + change.block_for;
    if ("delay" in change) control.delay = change.delay;
    if ("limit" in change) control.limit = change.limit;
    if (change.resume) control.blocked_until = control.delay = null;
    this.controls.set(i, control);
    return this.host(i);
  }

  page({ sort, order, offset, limit, search, crawl }) {
    const all = this.sorted(sort, search, crawl);
    const numbers = [];
    for (let k = offset; k < Math.min(offset + limit, all.length); k++) {
      numbers.push(all[order === "desc" ? all.length - 1 - k : k]);
    }
    return { total: all.length, as_of: Date.now() / 1000, crawls: ["DEFAULT", "news"], hosts: numbers.map((i) => this.host(i)) };
  }

  sorted(sort, search, crawl) {
    const found = `${crawl}\n${search}\n${sort}`;
    if (this.found.has(found)) return this.found.get(found);
    if (!this.orders.has(sort)) {
      // By what does not change, so that it is sorted once; the moving part is small beside it.
      const values = new Float64Array(this.n);
      const value = {
        pending: (i) => this.size(i) + chance(i, 22),
        in_flight: (i) => (this.size(i) > 0 ? 1 + chance(i, 22) : 0),
        done: (i) => Math.floor(this.size(i) * chance(i, 17)),
        gone: (i) => Math.floor(this.size(i) * 0.04 * chance(i, 18)),
        temperature: (i) => (this.size(i) > 20 ? chance(i, 19) : 0),
        next_time: (i) => (this.size(i) > 0 ? chance(i, 10) : 9),
        failures: (i) => (chance(i, 8) < 0.02 ? chance(i, 21) : -1),
        name: (i) => i,
      }[sort];
      for (let i = 0; i < this.n; i++) values[i] = value(i);
      const numbers = new Uint32Array(this.n).map((_, i) => i);
      if (sort !== "name") numbers.sort((a, b) => values[a] - values[b]);
      this.orders.set(sort, numbers);
    }
    const all = this.orders.get(sort);
    if (search === "" && crawl === "") return all;
    const some = all.filter((i) => hostName(i).includes(search) && (crawl === "" || crawlOf(hostName(i)) === crawl));
    if (this.found.size > 20) this.found.clear();
    this.found.set(found, some);
    return some;
  }
}
