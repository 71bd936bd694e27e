// A Chromium for tests and pictures, and a server to show: the one at CONSOLE_URL, else the mock.
//   CONSOLE_URL       where the console is; CONSOLE_USER and CONSOLE_PASSWORD if it wants to know
//   CHROMIUM          the browser, /usr/bin/chromium if not given
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const web = dirname(dirname(fileURLToPath(import.meta.url)));

// Resolves to { url, stop }. The mock chooses a free port and says which.
export async function startMock(...options) {
  const child = spawn(process.execPath, [join(web, "dev/mock_server.mjs"), "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/\S+/.exec(line);
    if (found) return { url: found[0], stop: () => child.kill() };
  }
  throw new Error("the mock server did not start");
}

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
}

export function credentials() {
  const { CONSOLE_USER: username, CONSOLE_PASSWORD: password } = process.env;
  return username ? { httpCredentials: { username, password: password ?? "" } } : {};
}
