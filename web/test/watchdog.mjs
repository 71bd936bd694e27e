// Whatever hangs must not stay behind: imported by each file of tests, which then ends in any case, and with it its server
// and its browser.
const LONGEST = 240_000; // milliseconds

setTimeout(() => {
  console.error("The tests took too long.");
  process.exit(1);
}, LONGEST).unref();
