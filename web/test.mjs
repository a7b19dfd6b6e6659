// Tests of the page in a browser: node web/test.mjs [DIST] [PROGRAM]. Pictures of the page go to target/web.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { browse } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [dist = "web/dist", program = "target/debug/sinew"] = process.argv.slice(2);
const PICTURES = "target/web";
const PATIENCE_MS = 180_000;

mkdirSync(PICTURES, { recursive: true });
const server = await serve(dist, 0);
const address = `http://localhost:${server.address().port}/`;
const { context, close } = await browse();
const complaints = [];
let page;

async function open(link = "") {
  await page?.close();
  page = await context.newPage();
  page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) complaints.push(`a request of ${url}`);
  });
  await page.goto(address + link);
}

const state = () => page.evaluate(() => (window.sinew ? JSON.parse(window.sinew.state()) : { busy: true }));
const run = (...steps) => page.evaluate((text) => window.sinew.run(text), JSON.stringify(steps));

// Waits until the state is as wanted, and returns it.
async function until(what, is) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await state();
    if (is(now)) return now;
    if (Date.now() > end) {
      await page.screenshot({ path: `${PICTURES}/failed.png` });
      const stopped = await page.locator("#stopped, #unsupported").allInnerTexts();
      assert.fail(`${what}: ${JSON.stringify(now)} ${stopped.join(" ")} ${complaints.join("; ")}`);
    }
    await page.waitForTimeout(100);
  }
}
const settled = (what, is = () => true) => until(what, (now) => now.done && is(now));

// Takes a picture of the page. Returns the number of its colours and the fraction of its middle that is not background.
async function picture(name) {
  const bytes = await page.screenshot({ path: `${PICTURES}/${name}.png` });
  return page.evaluate(async (text) => {
    const blob = await (await fetch(`data:image/png;base64,${text}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const drawn = canvas.getContext("2d");
    drawn.drawImage(bitmap, 0, 0);
    const { data } = drawn.getImageData(0, 0, bitmap.width, bitmap.height);
    const pixels = new Uint32Array(data.buffer);
    return { colors: new Set(pixels).size, sum: pixels.reduce((sum, pixel) => (31 * sum + pixel) | 0, 7) };
  }, bytes.toString("base64"));
}

// Drops files on the page, as a person does.
function drop(...files) {
  const sent = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  return page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.getElementById("viewer").dispatchEvent(event);
  }, sent);
}

// Exports the shown file, and returns the bytes of the download.
async function exported(what, path) {
  const [download] = await Promise.all([page.waitForEvent("download"), run({ do: "export", what, path })]);
  assert.equal(download.suggestedFilename(), path);
  return readFileSync(await download.path());
}

const tests = {
  async "a link opens a sample and draws it"() {
    await open("#sample=mannequin&clip=run&method=dqs&time=0.25");
    const begun = Date.now();
    const now = await settled("the mannequin is drawn");
    console.log(`   drawn and refined after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    assert.deepEqual([now.file, now.clip, now.time, now.playing], ["mannequin", "run", 0.25, false]);
    assert.equal(now.failure, null);
    assert.ok((await picture("sample")).colors > 2000);
    assert.match(await page.evaluate(() => window.sinew.link()), /^sample=mannequin&clip=run&method=dqs&time=0.2500&/);
  },

  async "it plays, pauses by a key, and scrubs"() {
    await run({ do: "play" });
    const one = await until("it plays", (now) => now.playing);
    await until("time passes", (now) => now.time !== one.time);
    await page.locator("#viewer").focus();
    await page.keyboard.press("Space");
    await until("it pauses", (now) => !now.playing);
    await run({ do: "seek", time_secs: 0.1 });
    await settled("it is at 0.1 s", (now) => Math.abs(now.time - 0.1) < 1e-9);
    const before = await picture("scrubbed");
    await run({ do: "seek", time_secs: 0.4 });
    await settled("it is at 0.4 s", (now) => Math.abs(now.time - 0.4) < 1e-9);
    assert.notEqual((await picture("scrubbed")).sum, before.sum);
  },

  async "it shows methods side by side"() {
    await run({ do: "compare_methods", methods: ["lbs", "dqs"] });
    const now = await settled("two methods are drawn", (now) => now.methods.length === 2);
    assert.deepEqual(now.methods, ["lbs", "dqs"]);
    assert.ok((await picture("methods")).colors > 2000);
  },

  async "a dropped GLB opens, with the poses of the native program"() {
    const glb = await exported("glb", "hero.glb");
    const before = await state();
    await drop(["hero.glb", glb]);
    const now = await settled("the file is open", (now) => now.file === "hero.glb");
    assert.equal(now.joints, before.joints);
    writeFileSync(`${PICTURES}/hero.glb`, glb);
    const clip = now.clips.indexOf("run");
    const times = Array.from({ length: 10 }, (_, at) => Math.fround((at / 10) * 0.6));
    const arguments_ = ["sample", `${PICTURES}/hero.glb`, "--clip", "run", "--time", times.join(",")];
    const { samples } = JSON.parse(execFileSync(program, arguments_, { maxBuffer: 1 << 28 }));
    await run({ do: "clip", clip }, { do: "pause" });
    for (const [at, sample] of samples.entries()) {
      await run({ do: "seek", time_secs: times[at] });
      await until("the time", (now) => now.time === times[at] && now.clip === "run");
      const pose = await page.evaluate(() => [...window.sinew.pose()]);
      const joints = sample.translation.map((moved, j) => [...moved, ...sample.rotation[j], ...sample.scale[j]]);
      assert.deepEqual(pose, joints.flat().map(Math.fround), `pose at ${times[at]} s`);
    }
    await picture("dropped");
  },

  async "files that cannot be read give a message, and the page still works"() {
    for (const [name, bytes] of [["empty.glb", ""], ["broken.glb", "glTF\x02\0\0\0 nonsense"], ["what.xyz", "?"]]) {
      const before = (await state()).messages.length;
      await drop([name, bytes]);
      const now = await until(`a message about ${name}`, (now) => now.messages.length > before);
      assert.equal(now.messages.at(-1).file, name);
    }
    assert.equal((await settled("it still draws")).failure, null);
    await picture("messages");
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const begun = Date.now();
  try {
    await test();
    assert.deepEqual(complaints, [], "the browser has nothing to complain about");
    console.log(`ok ${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
    complaints.length = 0;
  }
}
await close();
server.close();
console.log(`test-web: ${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
