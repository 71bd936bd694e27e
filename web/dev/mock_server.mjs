// Serves the built console and answers its questions from a simulated crawl, for trying it without a crawl.
//
//   node dev/mock_server.mjs [--port 8095] [--role reader|admin] [--hosts 1000000] [--dist CONSOLE_OUT, else dist]
//
// On loopback only. It sends the headers that the real server is to send, so that what they forbid is noticed here.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MockCrawl } from "./mock_crawl.mjs";
import { MockHosts } from "./mock_hosts.mjs";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "8095" },
    role: { type: "string", default: "admin" },
    hosts: { type: "string", default: "1000000" },
    dist: { type: "string", default: process.env.CONSOLE_OUT ?? join(dirname(dirname(fileURLToPath(import.meta.url))), "dist") },
  },
});
const hosts = new MockHosts(Number(options.hosts));
const crawl = new MockCrawl(hosts.n);
setInterval(() => crawl.step(), 1000);

const FILES = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/console.js": ["console.js", "text/javascript; charset=utf-8"],
  "/console.css": ["console.css", "text/css; charset=utf-8"],
  "/console.svg": ["console.svg", "image/svg+xml"],
};
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};
const SORTS = ["pending", "in_flight", "done", "gone", "temperature", "next_time", "failures", "name"];

class Fault extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function whole(query, name, otherwise, most) {
  const text = query.get(name);
  if (text === null) return otherwise;
  const n = Number(text);
  if (!Number.isInteger(n) || n < 0 || n > most) throw new Fault(400, "invalid", `${name} is a number from 0 to ${most}`);
  return n;
}

function needed(query, name) {
  const text = query.get(name);
  if (!text) throw new Fault(400, "invalid", `${name} is missing`);
  return text;
}

function hostOf(query) {
  const key = needed(query, "key");
  const i = hosts.number(key);
  if (i < 0) throw new Fault(404, "not_found", `There is no host ${key}`);
  return i;
}

const GET = {
  "/stats": () => crawl.stats(options.role),
  "/series": () => ({ step: 1, end: crawl.second, ...crawl.series }),
  "/hosts": (query) => {
    const sort = query.get("sort") ?? "pending";
    if (!SORTS.includes(sort)) throw new Fault(400, "invalid", `Hosts are not sorted by ${sort}`);
    return hosts.page({
      sort,
      order: query.get("order") === "asc" ? "asc" : "desc",
      offset: whole(query, "offset", 0, 1e9),
      limit: whole(query, "limit", 50, 1000),
      search: query.get("search") ?? "",
      crawl: query.get("crawl") ?? "",
    });
  },
  "/host": (query) => hosts.host(hostOf(query)),
  "/best": (query) => crawl.best(whole(query, "n", 20, 1000)),
  "/failures": (query) => ({ by_reason: crawl.byReason, recent: crawl.recent.slice(0, whole(query, "n", 50, 1000)) }),
  "/freshness": () => crawl.freshness(),
  "/page": (query) => {
    const url = needed(query, "url");
    const page = crawl.page(url, query.get("crawl") ?? "DEFAULT");
    if (!page) throw new Fault(404, "not_found", `${url} is not known`);
    return page;
  },
  "/links": (query) => crawl.linksOf(needed(query, "url"), query.get("direction") ?? "out", whole(query, "limit", 100, 10_000)),
};

const POST = {
  "/host": (query, change) => hosts.control(hostOf(query), change),
  "/pause": () => ((crawl.paused = true), {}),
  "/resume": () => ((crawl.paused = false), {}),
};

async function bodyOf(request) {
  let text = "";
  for await (const piece of request) {
    text += piece;
    if (text.length > 100_000) throw new Fault(413, "too_large", "That is too much");
  }
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Fault(400, "invalid", "That is no JSON");
  }
}

async function answer(request, path, query) {
  if (request.method === "GET" && GET[path]) return GET[path](query);
  if (request.method === "POST" && POST[path]) {
    if (options.role !== "admin") throw new Fault(403, "forbidden", `A ${options.role} may not do this`);
    return POST[path](query, await bodyOf(request));
  }
  if (GET[path] || POST[path]) throw new Fault(405, "method", `${request.method} is not for ${path}`);
  throw new Fault(404, "not_found", `There is no ${path}`);
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const send = (status, type, body) => response.writeHead(status, { ...HEADERS, "Content-Type": type }).end(body);
  try {
    const file = request.method === "GET" ? FILES[pathname] : undefined;
    if (file) send(200, file[1], await readFile(join(options.dist, file[0])));
    else send(200, "application/json", JSON.stringify(await answer(request, pathname, searchParams)));
  } catch (error) {
    const { status = 500, code = "io", message } = error;
    send(status, "application/json", JSON.stringify({ error: { code, message } }));
  }
});
server.listen(Number(options.port), "127.0.0.1", () => {
  console.log(`The console is at http://127.0.0.1:${server.address().port}/ for a ${options.role}`);
});
