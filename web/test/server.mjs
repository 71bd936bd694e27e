// Starts `aduana serve`, on a free port and with a store of its own.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

// Else what is to be done at the exit is not done.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export class Server {
  // Options are those of `aduana serve`; users are names, who have the role of that name.
  constructor(program, { options = [], users = [] } = {}) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), "console-crawl-"));
    this.options = ["--dir", join(this.folder, "store"), ...options];
    this.port = "0";
    if (users.length > 0) this.options.push("--passwds", this.passwords(users));
    // Also if a test never comes to its end.
    this.leave = () => this.child?.kill("SIGKILL");
    process.on("exit", this.leave);
  }

  passwords(users) {
    const file = join(this.folder, "passwords");
    for (const user of users) {
      const made = spawnSync(this.program, ["passwd", file, user, "--role", user], { input: `${password(user)}\n`, encoding: "utf8" });
      if (made.status !== 0) throw new Error(`aduana passwd: ${made.error?.message ?? made.stderr}`);
    }
    return file;
  }

  // Also again, after kill(): at the same place.
  async start() {
    this.child = spawn(this.program, ["serve", ...this.options, "--port", this.port], { stdio: ["ignore", "pipe", "pipe"] });
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
    let said = "";
    this.child.stderr.on("data", (piece) => (said += piece));
    for await (const line of createInterface({ input: this.child.stdout })) {
      said += `${line}\n`;
      const found = /Listening on (http:\/\/[^:]+:(\d+)\/)/.exec(line);
      if (!found) continue;
      this.child.stdout.resume();
      [, this.url, this.port] = found;
      return;
    }
    await this.ended; // and has said why
    throw new Error(`aduana serve did not start: ${said}`);
  }

  async kill() {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  async stop() {
    this.child?.kill("SIGTERM");
    await this.ended;
    process.off("exit", this.leave);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const password = (user) => `${user} has no secret`;
export const authorization = (user) => `Basic ${Buffer.from(`${user}:${password(user)}`).toString("base64")}`;
