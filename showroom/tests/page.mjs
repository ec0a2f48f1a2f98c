// The page in a headless browser, as a person would use it: node page.mjs FOLDER-OF-PAGE FOLDER-FOR-PICTURES
// Needs playwright-core (in NODE_PATH's folder) and a Chromium (CHROME, or on the path).
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
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
  const [taken, busy] = [Date.now() - began, os.loadavg()[0] > os.cpus().length];
  console.log(`${width} px: driving after ${taken} ms; ${(bytes / 1e6).toFixed(2)} MB loaded`);
  if (busy) console.log("the cores are busy: how long it takes to start is not judged");
  else check(taken < 3000, "driving within 3 s");
  const state = () => page.evaluate(() => window.showroom.state());
  const reached = async (holds, ms) => {
    const end = Date.now() + ms;
    let now = await state();
    while (!holds(now) && Date.now() < end) {
      await wait(50);
      now = await state();
    }
    return now;
  };
  const until = async (what, holds, ms = 60000) => {
    const now = await reached(holds, ms);
    check(holds(now), what);
    return now;
  };
  // The frames that answer to a key or a finger.
  const frames = () => page.evaluate(() => new Promise((done) => {
    const next = (left) => left ? requestAnimationFrame(() => next(left - 1)) : done();
    next(3);
  }));
  const key = async (name) => {
    await page.keyboard.press(name);
    await frames();
  };
  // A number of the vehicle file, changed by hand: from field to field with Tab, the number's keys, Enter.
  const type = async (path, number) => {
    let now = await state();
    for (let fields = 0; now.typed !== path && fields < 150; fields++) {
      await key("Tab");
      now = await state();
    }
    check(now.typed === path, `Tab comes to ${path}`);
    for (const digit of number) await key(digit);
    await key("Enter");
    await until(`Enter ends typing ${number}`, (s) => s.typed === null);
  };
  const order = (what) => page.evaluate((what) => window.showroom.order(what), what);
  const picture = (name) => page.screenshot({ path: path.join(pictures, `${name}.png`), timeout: 120000 });
  return { page, state, until, order, frames, type, picture };
};

async function desk() {
  const { page, state, until, order, type, picture } = await open({ viewport: { width: 1280, height: 720 } });
  check(bytes < 4e6, "the page has less than 4 MB");
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

  await page.keyboard.up("KeyW");
  await page.keyboard.press("Digit2");
  await until("2 opens the panel of numbers", (s) => s.panel === "tune");
  await type("axles.0.suspension.stiffness", "20000");
  await until("a spring is changed in the running car, and nothing else",
    (s) => s.spring === 20000 && JSON.stringify(s.changed) === '{"axles.0.suspension.stiffness":20000}');
  await type("axles.0.suspension.damping", "10");
  await until("lint speaks by itself", (s) => s.lint.some((told) => told.startsWith("warning [damping-ratio]")));
  await picture("tuned");
  await page.keyboard.press("KeyU");
  await until("U takes the damping back", (s) => !s.lint.some((told) => told.startsWith("warning [damping-ratio]")));
  await type("axles.0.suspension.stiffness", "-1");
  await until("a bad spring is refused with its reason", (s) => s.spring === 20000 && /stiffness/.test(s.fault ?? ""));
  await picture("refused");
  await page.keyboard.press("KeyU");
  await until("U undoes the change", (s) => s.spring === 25000 && s.fault === null);

  await page.keyboard.press("KeyP");
  await until("P pauses", (s) => s.paused);
  const before = await state();
  await page.keyboard.press("KeyB");
  const back = await until("B rewinds", (s) => s.steps < before.steps);
  check(Math.abs(before.steps - back.steps - 120) <= 1, `by two seconds: ${before.steps - back.steps} steps`);
  check(back.speed_text === Math.abs(back.speed * 3.6).toFixed(0), "the dial shows the library's speed");
  await page.keyboard.press("KeyP");

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
  await order({ fleet: 100 });
  await until("100 cars drive", (s) => s.fleet === 100 && s.fleet_cost.update > 0);
  await wait(400);
  await picture("fleet");
  await order({ fleet: 0 });
  await order({ panel: null });
  await page.evaluate(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(['schema = 4\nname = "mine"\n'], "mine.toml"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped }));
  });
  await until("a bad file that is dropped keeps the last good car", (s) => /mine.toml/.test(s.fault ?? "") && s.vehicle === "sedan");
  await wait(1500);
  await picture("faults");
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
  const { page, state, until, order, frames, picture } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await picture("page-390-first");
  const fingers = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  const place = async (pedal) => {
    const box = await page.locator(`[data-pedal="${pedal}"]`).boundingBox();
    return { x: box.x + 20, y: box.y + 20 };
  };
  const [throttle, left] = [{ ...(await place("throttle")), id: 0 }, { ...(await place("left")), id: 1 }];
  await touch("touchStart", [throttle]);
  const straight = await until("touch accelerates", (s) => s.speed > 3);
  await touch("touchStart", [throttle, left]);
  const held = await page.evaluate(() => document.querySelectorAll("#pads .held").length);
  check(held === 2, `two fingers hold two buttons: ${held}`);
  await until("a second finger steers", (s) => s.speed > straight.speed && s.position[1] > straight.position[1] + 1);
  await picture("page-390");
  await touch("touchEnd", []);
  await until("fingers that are lifted let go", (s) => s.throttle === 0);
  for (const panel of ["world", "inside", "tune"]) {
    await order({ panel });
    await wait(400);
    await picture(`panel-390-${panel}`);
  }

  // Fingers have no keys: the browser asks for the number that is touched. From below, the first is one of the suspension.
  let asked = "";
  page.on("dialog", async (dialog) => {
    asked = dialog.message();
    await dialog.accept("2.5");
  });
  for (let y = 504; y > 430 && !asked; y -= 12) {
    await touch("touchStart", [{ x: 76, y, id: 0 }]);
    await frames();
    await touch("touchEnd", []);
    await wait(500);
  }
  check(asked.startsWith("axles.0.suspension."), `a touched number is asked for: ${asked}`);
  const changed = (s) => Object.entries(s.changed);
  await until("the answer is the number, and nothing else changes",
    (s) => changed(s).length === 1 && changed(s)[0][0] === asked && changed(s)[0][1] === 2.5 && s.typed === null);
  await picture("page-390-tuned");
  await order("undo");
  await until("it is taken back", (s) => changed(s).length === 0);
  await page.context().close();
}

// A phone on its side: dials above, fingers below, a panel beside the scene.
async function landscape() {
  const { page, until, order, picture } = await open({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  await picture("page-844-first");
  await order({ press: ["throttle", true] });
  await until("a phone on its side drives", (s) => s.speed > 3);
  await picture("page-844");
  await order({ panel: "tune" });
  await order({ slide: ["power", 1.5] });
  await until("a slider changes the running car", (s) => Object.keys(s.changed).includes("drivetrain.engine.peak_torque") && s.fault === null);
  await wait(400);
  await picture("panel-844-tune");
  await page.context().close();
}

try {
  await desk();
  await phone();
  await landscape();
} catch (error) {
  check(false, String(error));
} finally {
  await browser.close();
  server.close();
}
process.exit(failures.length ? 1 : 0);
