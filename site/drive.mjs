// The site in a headless browser, on a desk and on a phone: node drive.mjs FOLDER-OF-SITE FOLDER-FOR-PICTURES
// Served below a folder, as the pages of a repository are, and packed, as any server of files does.
// Needs playwright-core (in NODE_PATH's folder) and a Chromium (CHROME).
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";

const { chromium } = createRequire(path.join(process.env.NODE_PATH, "x.js"))("playwright-core");
const [folder, pictures] = process.argv.slice(2);
const [HOME, MOST_TIME, MOST_BYTES] = ["/jounce/", 2000, 4e6];
const failures = [];
const check = (holds, what) => {
  console.log(`${holds ? "ok    " : "FAILED"} ${what}`);
  if (!holds) failures.push(what);
};

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png",
  ".txt": "text/plain; charset=utf-8", ".gz": "application/gzip" };
const packs = (name) => [".html", ".js", ".css", ".svg"].includes(path.extname(name));
let bytes = 0;
const server = http.createServer((request, answer) => {
  const asked = decodeURIComponent(new URL(request.url, "http://x").pathname);
  const file = path.join(folder, asked.slice(HOME.length), asked.endsWith("/") ? "index.html" : "");
  if (!asked.startsWith(HOME) || !fs.existsSync(file) || fs.statSync(file).isDirectory()) return answer.writeHead(404).end();
  const whole = fs.readFileSync(file);
  const body = packs(file) ? zlib.gzipSync(whole) : whole;
  if (request.method === "GET") bytes += body.length;
  const head = { "content-type": types[path.extname(file)] ?? "application/octet-stream" };
  if (packs(file)) head["content-encoding"] = "gzip";
  answer.writeHead(200, head).end(request.method === "GET" ? body : undefined);
}).listen(0);

const browser = await chromium.launch({
  executablePath: process.env.CHROME,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

// A page in a fresh context, as on a first visit, and the showroom in its frame.
async function visit(context, address) {
  const page = await (await browser.newContext(context)).newPage();
  page.on("pageerror", (error) => String(error).includes("control flow") || check(false, `no error: ${error}`));
  page.on("response", (answer) => answer.status() < 400 || answer.url().endsWith("favicon.ico") || check(false, `there: ${answer.url()}`));
  await page.goto(`http://localhost:${server.address().port}${HOME}${address}`, { waitUntil: "commit" });
  return page;
}

// The showroom of a page once it drives.
async function driving(page) {
  const element = await page.waitForSelector("iframe", { timeout: 60000 });
  const frame = await element.contentFrame();
  await frame.waitForFunction(() => window.showroom && window.showroom.state().steps > 0, null, { timeout: 60000 });
  const state = () => frame.evaluate(() => window.showroom.state());
  const until = async (what, holds) => {
    const end = Date.now() + 60000;
    let now = await state();
    while (!holds(now) && Date.now() < end) {
      await page.waitForTimeout(50);
      now = await state();
    }
    check(holds(now), what);
  };
  return { frame, until };
}

async function first(name, context) {
  const began = Date.now();
  bytes = 0;
  const page = await visit(context, "");
  const { frame, until } = await driving(page);
  const [taken, loaded, busy] = [Date.now() - began, bytes, os.loadavg()[0] > os.cpus().length];
  console.log(`${name}: first step after ${taken} ms; ${(loaded / 1e6).toFixed(2)} MB packed`);
  check(loaded <= MOST_BYTES, `${name}: at most ${MOST_BYTES / 1e6} MB`);
  if (busy) console.log("the cores are busy: how long it takes to start is not judged");
  else check(taken <= MOST_TIME, `${name}: first step within ${MOST_TIME / 1e3} s`);
  return { page, frame, until };
}

const picture = (page, name) => page.screenshot({ path: path.join(pictures, `${name}.png`), timeout: 120000 });

async function desk() {
  const { page, until } = await first("desk", { viewport: { width: 1280, height: 720 } });
  await page.keyboard.down("KeyW");
  await until("desk: W accelerates without a click", (s) => s.speed > 3);
  await page.keyboard.up("KeyW");
  await picture(page, "site-1280");
  await page.click("text=Book");
  await page.waitForSelector("main h1");
  check(page.url().endsWith("/book/index.html"), "the book opens");
  await picture(page, "site-book");
  await page.context().close();
}

async function phone() {
  const { page, frame, until } = await first("phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const box = await frame.locator('[data-pedal="throttle"]').boundingBox();
  const fingers = await page.context().newCDPSession(page);
  await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: box.x + 20, y: box.y + 20, id: 0 }] });
  await until("phone: touch accelerates", (s) => s.speed > 3);
  await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await picture(page, "site-390");
  await page.context().close();
}

// The first live page of each chapter drives what its orders say.
async function chapters() {
  const names = fs.readdirSync(path.join(folder, "book")).filter((name) => name.endsWith(".html"));
  const live = names.filter((name) => fs.readFileSync(path.join(folder, "book", name), "utf8").includes('class="live"'));
  check(live.length > 0, `${live.length} chapters have a live page`);
  for (const name of live) {
    const page = await visit({ viewport: { width: 1280, height: 720 } }, `book/${name}`);
    await page.click(".live button");
    const orders = JSON.parse(await page.locator(".live").first().getAttribute("data-orders"));
    const asked = Object.assign({}, ...orders.filter((order) => typeof order === "object"));
    const { until } = await driving(page);
    await until(`${name}: ${JSON.stringify(asked)}`, (s) => s.fault === null
      && (!asked.vehicle || s.vehicle === asked.vehicle) && (!asked.panel || s.panel === asked.panel));
    if (name === live[0]) await picture(page, "site-live");
    await page.context().close();
  }
}

try {
  await desk();
  await phone();
  await chapters();
} catch (error) {
  check(false, String(error));
} finally {
  await browser.close();
  server.close();
}
process.exit(failures.length ? 1 : 0);
