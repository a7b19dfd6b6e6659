// Parts that the tests of the page share: a server, a browser, and actions of a person.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { browse } from "../browser.mjs";
import { serve } from "../serve.mjs";

export const PICTURES = "target/web";
const PATIENCE_MS = 180_000;

export async function harness(dist, program) {
  mkdirSync(PICTURES, { recursive: true });
  const server = await serve(dist, 0);
  const address = `http://localhost:${server.address().port}/`;
  const { context, close } = await browse();
  await context.addInitScript(loseable);
  const complaints = [];
  const t = { address, complaints, context, dist, page: null, program, shared: null };

  // Opens a page. Everything that its console complains of, and every request that leaves this machine, is a failure.
  t.open = async (link = "", { base = address } = {}) => {
    await t.page?.close();
    t.shared = null;
    t.page = await context.newPage();
    t.page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
    t.page.on("pageerror", (error) => complaints.push(String(error)));
    t.page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(base) && !/^(blob|data):/.test(url)) complaints.push(`a request of ${url}`);
    });
    await t.page.goto(base + link);
  };

  // Goes to a link in the page that the test before has left, which is faster, or in a new one if it failed there.
  t.visit = async (link) => {
    if (t.shared === null) {
      await t.open(link);
      t.shared = t.page;
    } else await t.page.evaluate((link) => (location.hash = link), link);
  };

  // State of the viewer, and what the page says if it stopped.
  t.state = () => t.page.evaluate(() => {
    const parts = [...document.querySelectorAll("#stopped:not([hidden]), #unsupported:not([hidden])")];
    const stopped = parts.filter((part) => !part.parentElement.hidden).map((part) => part.innerText).join(" ");
    return { ...(window.sinew ? JSON.parse(window.sinew.state()) : { busy: true, frames: 0 }), stopped };
  });
  t.run = (...steps) => t.page.evaluate((text) => window.sinew.run(text), JSON.stringify(steps));

  // Waits until the state is as wanted, and returns it.
  t.until = async (what, is) => {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const now = await t.state();
      if (is(now)) return now;
      if (Date.now() > end || now.stopped !== "") {
        await t.page.screenshot({ path: `${PICTURES}/failed.png` });
        assert.fail(`${what}: ${JSON.stringify(now)} ${complaints.join("; ")}`);
      }
      await t.page.waitForTimeout(50);
    }
  };
  // Waits until the state is as wanted, and no work is left.
  t.ready = (what, is = () => true) => t.until(what, (now) => !now.busy && is(now));
  // The same, and two more frames were drawn.
  t.drawn = async (what, is) => {
    const now = await t.ready(what, is);
    await t.page.evaluate(() => window.sinew.link());
    await t.until(`${what} and drawn`, ({ frames }) => frames > now.frames + 1);
    return t.state();
  };

  // Takes a picture of the page once it is drawn. Returns the number of its colours and a sum of its pixels.
  t.picture = async (name) => {
    if (await t.page.evaluate(() => Boolean(window.sinew))) await t.drawn(`the picture ${name}`);
    const bytes = await t.page.screenshot({ path: `${PICTURES}/${name}.png` });
    return t.page.evaluate(colors, bytes.toString("base64"));
  };

  // Drops files on the page, as a person does.
  t.drop = (...files) => {
    const sent = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
    return t.page.evaluate((list) => {
      const transfer = new DataTransfer();
      for (const [name, text] of list) {
        transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      }
      const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
      document.getElementById("viewer").dispatchEvent(event);
    }, sent);
  };

  // Drops a file and waits until it is shown.
  t.show = async (name, bytes) => {
    await t.drop([name, bytes]);
    return t.ready(`${name} is open`, (now) => now.file === name);
  };

  // Exports the shown file, and returns the bytes of the download.
  t.exported = async (what, path) => {
    const [download] = await Promise.all([t.page.waitForEvent("download"), t.run({ do: "export", what, path })]);
    assert.equal(download.suggestedFilename(), path);
    return readFileSync(await download.path());
  };

  t.close = async () => {
    await close();
    server.close();
  };
  return t;
}

// Lets a test lose the graphics device of a page, by `loseDevice`.
function loseable() {
  const request = globalThis.GPUAdapter?.prototype.requestDevice;
  if (!request) return;
  GPUAdapter.prototype.requestDevice = async function (...wanted) {
    const device = await request.apply(this, wanted);
    const lost = new Promise((lose) => {
      window.loseDevice = () => lose({ reason: "unknown", message: "the test took it away" });
    });
    Object.defineProperty(device, "lost", { value: Promise.race([lost, device.lost]) });
    return device;
  };
}

async function colors(text) {
  const blob = await (await fetch(`data:image/png;base64,${text}`)).blob();
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const drawn = canvas.getContext("2d");
  drawn.drawImage(bitmap, 0, 0);
  const { data } = drawn.getImageData(0, 0, bitmap.width, bitmap.height);
  const pixels = new Uint32Array(data.buffer);
  return { colors: new Set(pixels).size, sum: pixels.reduce((sum, pixel) => (31 * sum + pixel) | 0, 7) };
}
