// A web that nobody wrote: hosts and pages made up from their numbers, the same every time, so that a million hosts
// cost three arrays of numbers.

const WORDS = (
  "harbor lantern quarry meadow orchard cinder marble willow copper saffron tundra delta ember falcon glacier hazel " +
  "indigo juniper kelp lagoon magnet nectar onyx pepper quartz raven sierra timber umber velvet walnut yarrow zephyr"
).split(" ");
const SECTIONS = ["news", "wiki", "blog", "docs", "shop", "forum", "archive", "people"];

// A number from 0 to 1 for each pair of numbers, and a good one.
export function chance(a, b = 0) {
  let x = (Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)) >>> 0;
  x ^= x >>> 16;
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  x ^= x >>> 16;
  return (x >>> 0) / 4294967296;
}

const word = (i, k) => WORDS[Math.floor(chance(i, k) * WORDS.length)];

export function hostName(i) {
  const port = chance(i, 4) < 0.01 ? ":8080" : "";
  const front = chance(i, 3) < 0.4 ? "www." : chance(i, 3) < 0.5 ? `${SECTIONS[i % SECTIONS.length]}.` : "";
  return `${front}${word(i, 1)}-${word(i, 2)}${i}.example${port}`;
}

export function hostNumber(name) {
  const digits = /(\d+)\.example/.exec(name);
  return digits ? Number(digits[1]) : -1;
}

// Pages are known in the crawl of their host only.
export const crawlOf = (name) => (hostNumber(name) >= 0 && chance(hostNumber(name), 23) < 0.1 ? "news" : "DEFAULT");

export function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

// What the wild web sends: these must be letters on the page and nothing else.
const HOSTILE = [
  'http://evil.example/<img src=x onerror="document.title=1">',
  "javascript:alert(document.domain)//",
  "http://evil.example/\u202egnp.exe",
  `http://long.example/${"very-long-segment/".repeat(110)}end.html?q=${"x".repeat(60)}`,
  "http://xn--mnchen-3ya.example/stra%C3%9Fe?q=%00",
];

export function pageUrl(k) {
  if (k % 211 === 17) return HOSTILE[Math.floor(k / 211) % HOSTILE.length];
  const host = hostName(Math.floor(chance(k, 11) ** 3 * 50_000));
  const scheme = chance(k, 12) < 0.7 ? "https" : "http";
  return `${scheme}://${host}${pageName(k)}`;
}

// Its path and query.
export function pageName(k) {
  const depth = Math.floor(chance(k, 13) * 4);
  let path = "";
  for (let d = 0; d < depth; d++) path += `/${word(k, 20 + d)}`;
  const ending = chance(k, 14);
  if (ending < 0.3) return `${path}/${word(k, 30)}-${k % 9973}.html`;
  return ending < 0.5 ? `${path}/item?id=${k}&ref=${word(k, 31)}` : `${path}/`;
}

export function numberOf(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
