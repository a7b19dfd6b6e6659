// The element in other people's pages, pages with a file inside, and what can happen to a page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PICTURES } from "./harness.mjs";

const element = (t, at, get) => t.page.evaluate(
  ([at, get]) => new Function("viewer", `return ${get}`)(document.querySelectorAll("sinew-viewer")[at]), [at, get]);

export const embedding = {
  async "two elements of a page play, seek and take pictures"(t) {
    copyFileSync(`${PICTURES}/demo/mannequin.glb`, `${t.dist}/mannequin.glb`);
    await t.context.addInitScript(() => {
      window.heard = [];
      for (const name of ["load", "error", "timeupdate", "finding"]) {
        document.addEventListener(name, (event) => {
          if (event.target.tagName === "SINEW-VIEWER") window.heard.push([name, event.detail]);
        }, true);
      }
    });
    await t.open("example.html");
    await t.page.waitForFunction(() => window.heard.filter(([name]) => name === "load").length === 2, null,
      { timeout: 180_000 });
    assert.deepEqual(await element(t, 1, "[viewer.clip, viewer.method, viewer.playing]"), ["run", "lbs,dqs", false]);
    assert.ok(Math.abs(await element(t, 1, "viewer.currentTime") - 0.25) < 1e-6);
    assert.ok(await element(t, 0, "viewer.playing"));
    await t.page.waitForFunction(() => window.heard.some(([name]) => name === "timeupdate"), null, { timeout: 60_000 });
    await element(t, 0, "viewer.pause()");
    await element(t, 1, "viewer.seek(0.5)");
    await t.page.waitForFunction(() => {
      const [one, two] = document.querySelectorAll("sinew-viewer");
      return !one.playing && two.currentTime === 0.5;
    }, null, { timeout: 60_000 });
    const size = await element(t, 1, "viewer.screenshot().then((picture) => [picture.type, picture.size])");
    assert.equal(size[0], "image/png");
    assert.ok(size[1] > 10_000, `${size}`);
    assert.ok((await t.picture("element")).colors > 2000);
    const slider = await element(t, 1, 'viewer.shadowRoot.querySelector("[type=range]").value');
    assert.equal(Number(slider), 0.5);
    assert.ok(!(await t.page.evaluate(() => window.heard)).some(([name]) => name === "error"));
  },

  async "an element that moves in its page, and one whose file changes, show the right file"(t) {
    const loads = () => t.page.evaluate(() => window.heard.filter(([name]) => name === "load").length);
    const before = await loads();
    await t.page.evaluate(() => {
      const one = document.querySelector("sinew-viewer");
      one.parentElement.append(one);
    });
    const again = (count) => t.page.waitForFunction(
      (count) => window.heard.filter(([name]) => name === "load").length === count, count, { timeout: 180_000 });
    await again(before + 1);
    copyFileSync(`${PICTURES}/demo/tube.glb`, `${t.dist}/tube.glb`);
    await element(t, 1, '(viewer.src = "missing.glb", viewer.src = "tube.glb")');
    await again(before + 2);
    rmSync(`${t.dist}/tube.glb`);
    const last = await t.page.evaluate(() => window.heard.filter(([name]) => name === "load").at(-1)[1]);
    assert.deepEqual(last.clips, ["twist", "bend"]);
    t.complaints.splice(0, t.complaints.length, ...t.complaints.filter((text) => !/404/.test(text)));
  },

  async "an element without its file says so"(t) {
    await t.page.evaluate(() => (window.heard = []));
    await element(t, 0, 'viewer.src = "missing.glb"');
    await t.page.waitForFunction(() => window.heard.some(([name]) => name === "error"), null, { timeout: 60_000 });
    const said = await t.page.evaluate(() => window.heard.find(([name]) => name === "error")[1].message);
    assert.match(said, /missing\.glb could not be loaded: 404/);
    // The browser itself complains about the missing file.
    t.complaints.splice(0, t.complaints.length, ...t.complaints.filter((text) => !/404/.test(text)));
    rmSync(`${t.dist}/mannequin.glb`);
  },

  async "a page with a character inside opens from the disk"(t) {
    const page = `${PICTURES}/hero.html`;
    execFileSync(t.program, ["convert", `${PICTURES}/demo/mannequin.glb`, "-o", page, "--viewer", `${t.dist}/viewer.html`]);
    const url = pathToFileURL(resolve(page)).href;
    console.log(`   ${(readFileSync(page).length / 1e6).toFixed(1)} MB`);
    await t.open("#clip=wave&time=1.5&method=lbs,dqs", { base: url });
    const now = await t.ready("the character is shown", (now) => now.file === "mannequin.glb" && now.clip === "wave");
    assert.deepEqual([now.joints, now.time, now.methods], [52, 1.5, ["lbs", "dqs"]]);
    assert.ok((await t.picture("inside")).colors > 2000);
    t.shared = t.page;
  },

  async "a page that was hidden, and one that lost its device, go on or say so"(t) {
    await t.visit("#sample=tube&time=0");
    await t.ready("the tube is there", (now) => now.file === "tube");
    const other = await t.context.newPage();
    await other.bringToFront();
    await t.run({ do: "seek", time_secs: 0.2 });
    await t.page.waitForTimeout(300);
    await other.close();
    await t.page.bringToFront();
    await t.drawn("it goes on", (now) => Math.abs(now.time - 0.2) < 1e-6);
    await t.page.evaluate(() => window.loseDevice());
    await t.page.locator("#stopped").waitFor({ timeout: 60_000 });
    assert.match(await t.page.locator("#reason").innerText(), /device was lost/);
    t.complaints.length = 0;
  },

  async "a browser without WebGPU gets a page that says so"(t) {
    const page = await t.context.newPage();
    await page.addInitScript(() => Object.defineProperty(navigator, "gpu", { value: undefined }));
    await page.goto(t.address);
    await page.locator("#unsupported").waitFor({ timeout: 60_000 });
    assert.match(await page.locator("#unsupported").innerText(), /has no WebGPU[\s\S]*Chrome and Edge/);
    assert.ok(await page.locator("#unsupported img").evaluate((image) => image.complete && image.naturalWidth > 0));
    await page.screenshot({ path: `${PICTURES}/unsupported.png` });
    await page.close();
  },
};
