// The page in a headless browser, as a person would use it: node page.mjs FOLDER-OF-PAGE FOLDER-FOR-PICTURES
// Needs playwright-core (in NODE_PATH's folder) and a Chromium (CHROME, or on the path).
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";

const { chromium } = createRequire(path.join(process.env.NODE_PATH, "x.js"))("playwright-core");
const [folder, pictures] = process.argv.slice(2);
const failures = [];
const check = (holds, what) => {
  console.log(`${holds ? "ok    " : "FAILED"} ${what}`);
  if (!holds) failures.push(what);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
let bytes = 0;
const server = http.createServer((request, answer) => {
  const file = path.join(folder, request.url === "/" ? "index.html" : path.basename(request.url));
  if (!fs.existsSync(file)) return answer.writeHead(404).end();
  const body = fs.readFileSync(file);
  bytes += body.length;
  answer.writeHead(200, { "content-type": types[path.extname(file)] ?? "text/plain" }).end(body);
}).listen(0);

const browser = await chromium.launch({
  executablePath: process.env.CHROME,
  args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
// A page in a fresh context, as on a first visit.
const open = async (context) => {
  const page = await (await browser.newContext(context)).newPage();
  page.on("pageerror", (error) => {
    if (!String(error).includes("control flow")) check(false, `no error: ${error}`);
  });
  // A pad that the test plugs in, holds and unplugs.
  await page.addInitScript(() => {
    window.pad = null;
    navigator.getGamepads = () => [window.pad];
    window.plug = (throttle) => {
      const buttons = Array.from({ length: 17 }, (_, n) => ({ pressed: n === 7, touched: n === 7, value: n === 7 ? throttle : 0 }));
      const seen = { id: "test pad", index: 0, connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons, timestamp: performance.now() };
      window.pad = seen;
    };
    window.unplug = () => { window.pad = null; };
  });
  const began = Date.now();
  bytes = 0;
  await page.goto(`http://localhost:${server.address().port}/`);
  await page.waitForFunction(() => window.showroom && window.showroom.state().steps > 2, null, { timeout: 60000 });
  const { width } = context.viewport;
  console.log(`${width} px: driving after ${Date.now() - began} ms; ${(bytes / 1e6).toFixed(2)} MB loaded`);
  const state = () => page.evaluate(() => window.showroom.state());
  const until = async (what, holds, ms = 60000) => {
    const end = Date.now() + ms;
    let now = await state();
    while (!holds(now) && Date.now() < end) {
      await wait(50);
      now = await state();
    }
    check(holds(now), what);
    return now;
  };
  const order = (what) => page.evaluate((what) => window.showroom.order(what), what);
  // Where something can be clicked. What a change brought, like findings, may have moved it out of sight: then the list is
  // scrolled to it.
  let last = [0, 0];
  const place = async (name) => {
    for (let tries = 0; tries < 80; tries += 1) {
      const at = await page.evaluate((name) => window.showroom.place(name), name);
      if (at) return (last = Array.from(at));
      if (tries % 4 === 3) {
        await page.mouse.move(...last);
        await page.mouse.wheel(0, 120);
      }
      await wait(250);
    }
    check(false, `${name} is in sight`);
    return last;
  };
  const picture = (name) => page.screenshot({ path: path.join(pictures, `${name}.png`), timeout: 120000 });
  return { page, state, until, order, place, picture };
};

async function desk() {
  const { page, state, until, order, place, picture } = await open({ viewport: { width: 1280, height: 720 } });
  check(bytes < 8e6, "the page has less than 8 MB");
  await picture("page-first");

  await page.keyboard.down("KeyW");
  const fast = await until("W accelerates", (s) => s.speed > 8);
  check(fast.engine === "standalone" && fast.vehicle === "sedan", "a sedan on no engine");
  await picture("page-1280");

  await page.click("#sound");
  await page.waitForFunction(() => window.showroom.loudness() > 0.005, null, { timeout: 5000 }).then(
    () => check(true, "the engine is heard"), () => check(false, "the engine is heard"));
  await page.click("#sound");

  await page.keyboard.press("KeyE");
  const swapped = await until("E swaps the engine", (s) => s.engine === "Rapier");
  check(swapped.speed > 0.9 * fast.speed, `the speed is kept: ${fast.speed.toFixed(2)}, ${swapped.speed.toFixed(2)}`);

  // A spring by hand: the panel by its key, its number by the mouse.
  const SPRING = "axles.0.suspension.stiffness";
  await page.keyboard.press("Digit2");
  await until("2 opens the numbers", (s) => s.panel === "tune");
  const drag = await place(SPRING);
  await page.mouse.move(...drag);
  await page.mouse.down();
  await page.mouse.move(drag[0] - 60, drag[1], { steps: 12 });
  await page.mouse.up();
  const softer = await until("a number dragged to the left is a softer spring", (s) => s.spring < 25000 && s.spring > 0);
  check(softer.fault === null && softer.speed > 1, `in the running car: ${softer.spring} N/m`);
  const type = async (path, text) => {
    await page.mouse.click(...(await place(path)));
    await wait(300);
    await page.keyboard.press("Control+KeyA");
    await page.keyboard.type(text, { delay: 60 });
    await page.keyboard.press("Enter");
  };
  await type(SPRING, "20000");
  await until("a typed number is the spring's", (s) => s.spring === 20000);
  await picture("tuned");
  await type("axles.0.suspension.damping", "10");
  await until("lint speaks by itself", (s) => s.lint.some((told) => told.startsWith("warning [damping-ratio]")));
  await order("undo");
  await type(SPRING, "-1");
  const refused = await until("a bad spring is refused with its reason", (s) => /stiffness/.test(s.fault ?? ""));
  check(refused.spring === 20000 && refused.panel === "tune", "and nothing else has changed");
  await wait(1500);
  await picture("refused");
  await page.keyboard.press("KeyU");
  await until("U undoes what was typed", (s) => s.spring === softer.spring && s.fault === null);
  await order("default");
  await until("the default comes back", (s) => s.spring === 25000);
  await page.keyboard.press("Digit2");
  await until("2 closes the numbers", (s) => s.panel === null);

  await page.keyboard.press("KeyP");
  await until("P pauses", (s) => s.paused);
  const before = await state();
  await page.keyboard.press("KeyB");
  const back = await until("B rewinds", (s) => s.steps < before.steps);
  check(Math.abs(before.steps - back.steps - 120) <= 1, `by two seconds: ${before.steps - back.steps} steps`);
  check(back.speed_text === Math.abs(back.speed * 3.6).toFixed(0), "the dial shows the library's speed");
  await page.keyboard.press("KeyP");
  await page.keyboard.up("KeyW");

  // Whoever looks away lets go.
  await order("restart");
  await page.keyboard.down("KeyW");
  await until("W accelerates again", (s) => s.speed > 4);
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  await until("without the keyboard's focus, the pedal is released", (s) => s.throttle === 0);
  await page.keyboard.up("KeyW");

  await order("restart");
  await page.evaluate(() => window.plug(0));
  // A frame has at most 8 steps: after three, the pad has been seen with its throttle free.
  const plugged = (await state()).steps;
  await until("frames pass", (s) => s.steps > plugged + 24);
  await page.evaluate(() => window.plug(1));
  await until("a pad accelerates", (s) => s.speed > 4 && s.throttle > 0.5);
  await page.evaluate(() => window.unplug());
  await until("an unplugged pad lets go", (s) => s.throttle === 0);

  await order({ contact: "sweeps" });
  await order({ inside: true });
  await order({ course: "town" });
  await wait(500);
  check((await state()).contact === "sweeps" && (await state()).fault === null, "wheels are swept");
  await picture("swept");
  await order({ contact: "rays" });
  await order({ inside: false });
  await order({ course: "hills" });

  for (const panel of ["world", "tune", "inside", "time", "fleet"]) {
    await order({ panel });
    await wait(400);
    await picture(`panel-${panel}`);
  }
  await order({ fleet: 1000 });
  const many = await until("1000 cars drive", (s) => s.fleet === 1000 && s.fleet_cost.update > 0);
  check(many.fleet_levels.every((cars) => cars > 0), `on levels by distance: ${many.fleet_levels}`);
  await page.keyboard.down("KeyW");
  await until("W drives the car in their middle", (s) => s.speed > 2);
  await page.keyboard.up("KeyW");
  await wait(400);
  await picture("fleet");
  await order({ fleet: 0 });
  await order({ panel: null });
  // A file without its mass, with a wheel of no width and a word for a number.
  const sedan = fs.readFileSync(new URL("../../vehicles/sedan.toml", import.meta.url), "utf8");
  const mine = sedan.replace(/^mass = 1500.0/m, "").replace("width = 0.205", "width = 0.0").replace("final_ratio = 4.05", "final_ratio = \"long\"");
  await order({ open: ["mine.toml", mine] });
  await wait(1500);
  await picture("faults");
  const kept = await state();
  const faults = (kept.fault ?? "").split("\n").filter((line) => /^mine.toml:\d+: \S+ = .*: /.test(line));
  const named = ["chassis.mass", "axles[0].width", "drivetrain.gearbox.final_ratio"].every((path) => faults.some((line) => line.includes(path)));
  check(named && faults.length === 3, `every fault of a bad file is told: ${kept.fault}`);
  check(kept.vehicle === "sedan", "and the last good car stays");
  await order("restart");

  // Any lost context comes back.
  await page.evaluate(() => {
    const loss = document.querySelector("canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
    loss.loseContext();
    setTimeout(() => loss.restoreContext(), 300);
  });
  const lost = await state();
  await wait(1500);
  await until("a lost context is survived", (s) => s.steps > lost.steps + 10 && s.fault === null);
  await picture("renewed");
  console.log(`a frame takes ${(await state()).frame_ms.toFixed(1)} ms (a processor draws)`);
  await page.context().close();
}

async function phone() {
  const { page, until, order, place, picture } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await picture("page-390-first");
  const fingers = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  const pad = async (pedal) => {
    const box = await page.locator(`[data-pedal="${pedal}"]`).boundingBox();
    return { x: box.x + 20, y: box.y + 20 };
  };
  const [throttle, left] = [{ ...(await pad("throttle")), id: 0 }, { ...(await pad("left")), id: 1 }];
  await touch("touchStart", [throttle]);
  const straight = await until("touch accelerates", (s) => s.speed > 3);
  await touch("touchStart", [throttle, left]);
  const held = await page.evaluate(() => document.querySelectorAll("#pads .held").length);
  check(held === 2, `two fingers hold two buttons: ${held}`);
  await until("a second finger steers", (s) => s.speed > straight.speed && s.position[1] > straight.position[1] + 1);
  await picture("page-390");
  await touch("touchEnd", []);
  await until("fingers that are lifted let go", (s) => s.throttle === 0);
  // A spring by a finger.
  const tap = async (name) => {
    const [x, y] = await place(name);
    await page.touchscreen.tap(x, y);
  };
  await tap("Tune");
  const before = await until("a tap opens the numbers", (s) => s.panel === "tune");
  const [x, y] = await place("axles.0.suspension.stiffness");
  await touch("touchStart", [{ x, y, id: 0 }]);
  for (let n = 1; n <= 10; n++) {
    await touch("touchMove", [{ x: x + 6 * n, y, id: 0 }]);
    await wait(30);
  }
  await touch("touchEnd", []);
  const stiffer = await until("a number dragged to the right is a stiffer spring", (s) => s.spring > before.spring);
  check(stiffer.fault === null, `${before.spring} N/m, then ${stiffer.spring} N/m`);
  await picture("panel-390-tune");
  for (const panel of ["World", "Inside", "Fleet"]) {
    await tap(panel);
    await until(`a tap opens ${panel}`, (s) => s.panel === panel.toLowerCase());
    await wait(400);
    await picture(`panel-390-${panel.toLowerCase()}`);
  }
  await tap("World");
  await tap("Course: town");
  await until("a tap changes the course", (s) => s.course === "town");
  await page.context().close();
}

try {
  await desk();
  await phone();
} catch (error) {
  check(false, String(error));
} finally {
  await browser.close();
  server.close();
}
process.exit(failures.length ? 1 : 0);
