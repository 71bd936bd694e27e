// Builds the console into static files with fixed names, which the C++ build then puts into the binary:
// index.html, console.js, console.css, console.svg. Where to: the first argument, else CONSOLE_OUT, else dist/.
import { build } from "esbuild";
import { copyFile, mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? process.env.CONSOLE_OUT ?? join(here, "dist"));
const LARGEST = 300 * 1024; // bytes of all files together: it is carried by every binary

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { console: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2021", "chrome100", "firefox100", "safari15.4"],
  legalComments: "inline", // the licence of uPlot stays with it
  logLevel: "warning",
});
for (const name of ["index.html", "console.svg"]) await copyFile(join(here, "src", name), join(out, name));

let total = 0;
for (const name of ["index.html", "console.js", "console.css", "console.svg"]) {
  const { size } = await stat(join(out, name));
  total += size;
  console.log(`${String(size).padStart(7)} ${name}`);
}
console.log(`${String(total).padStart(7)} together`);
if (total > LARGEST) {
  console.error(`The console has grown beyond ${LARGEST} bytes.`);
  process.exit(1);
}
