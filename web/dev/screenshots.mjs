// Takes pictures of the console for looking at: node dev/screenshots.mjs FOLDER. Of the mock, or of CONSOLE_URL.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { credentials, startBrowser, startMock } from "../test/browser.mjs";

const folder = process.argv[2];
if (!folder) throw new Error("Say which folder the pictures go to.");
await mkdir(folder, { recursive: true });
const server = process.env.CONSOLE_URL ? { url: process.env.CONSOLE_URL, stop() {} } : await startMock("--role", "admin");
const browser = await startBrowser();
try {
  const shoot = async (name, colorScheme, viewport, { hash = "", before, fullPage = true } = {}) => {
    const context = await browser.newContext({ colorScheme, viewport, ...credentials() });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && console.error(name, message.text()));
    await page.goto(server.url + hash);
    await page.waitForSelector("#hosts tbody tr");
    await page.waitForTimeout(1500);
    await before?.(page);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
    await context.close();
  };
  const desk = { width: 1440, height: 900 };
  const phone = { width: 375, height: 812 };
  const looked = "#url=" + encodeURIComponent("https://www.harbor-lantern42.example/meadow/orchard/quartz-126.html");
  await shoot("dark", "dark", desk);
  await shoot("light", "light", desk);
  await shoot("lookup-dark", "dark", desk, { hash: looked, fullPage: false });
  await shoot("lookup-light", "light", desk, { hash: looked, fullPage: false });
  await shoot("phone", "dark", phone);
  await shoot("phone-lookup", "light", phone, { hash: looked });
  await shoot("host", "dark", desk, {
    fullPage: false,
    before: async (page) => {
      await page.locator("#hosts tbody tr").nth(2).click();
      await page.waitForTimeout(300);
    },
  });
} finally {
  await browser.close();
  server.stop();
}
