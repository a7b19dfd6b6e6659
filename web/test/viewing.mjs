// A sample is opened by a link, played, compared, posed and saved.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { PICTURES } from "./harness.mjs";

// Distance from a joint to its outer ring on the screen, in pixels.
const RING = 94;

export const viewing = {
  async "a link opens a sample and draws it"(t) {
    await t.visit("#sample=mannequin&clip=run&method=dqs&time=0.25");
    const begun = Date.now();
    const now = await t.drawn("the mannequin is drawn", (now) => now.time === 0.25);
    console.log(`   drawn ${((Date.now() - begun) / 1000).toFixed(1)} s after the page was there`);
    assert.deepEqual([now.file, now.clip, now.time, now.playing], ["mannequin", "run", 0.25, false]);
    assert.equal(now.failure, null);
    assert.ok((await t.picture("sample")).colors > 2000);
    assert.match(await t.page.evaluate(() => window.sinew.link()), /^sample=mannequin&clip=run&method=dqs&time=0.2500&/);
  },

  async "it plays, pauses by a key, and scrubs"(t) {
    await t.run({ do: "play" });
    const one = await t.until("it plays", (now) => now.playing);
    await t.until("time passes", (now) => now.time !== one.time);
    await t.page.locator("#viewer").focus();
    await t.page.keyboard.press("Space");
    await t.until("it pauses", (now) => !now.playing);
    await t.run({ do: "seek", time_secs: 0.1 });
    await t.ready("it is at 0.1 s", (now) => Math.abs(now.time - 0.1) < 1e-9);
    const before = await t.picture("scrubbed");
    await t.run({ do: "seek", time_secs: 0.4 });
    await t.ready("it is at 0.4 s", (now) => Math.abs(now.time - 0.4) < 1e-9);
    assert.notEqual((await t.picture("scrubbed")).sum, before.sum);
  },

  async "it shows methods side by side"(t) {
    await t.run({ do: "compare_methods", methods: ["lbs", "dqs"] });
    const now = await t.ready("two methods are drawn", (now) => now.methods.length === 2);
    assert.deepEqual(now.methods, ["lbs", "dqs"]);
    assert.ok((await t.picture("methods")).colors > 2000);
    await t.run({ do: "compare_none" });
    await t.ready("one method is drawn", (now) => now.methods.length === 1);
  },

  async "a joint is picked by a click, turned by a drag, and turned back"(t) {
    await t.run({ do: "clip", clip: null }, { do: "preset", preset: "front" }, { do: "frame" });
    await t.drawn("it stands at rest", (now) => now.clip === null);
    const place = (name) => t.page.evaluate((name) => [...window.sinew.joint(name)], name);
    const [elbow, wrist] = [await place("left_lower_arm"), await place("left_hand")];
    await t.page.mouse.click((elbow[0] + wrist[0]) / 2, (elbow[1] + wrist[1]) / 2);
    await t.until("a joint is selected", (now) => now.selected === "left_lower_arm");
    await t.page.keyboard.press("r");
    await t.drawn("the rings are drawn");
    const [x, y] = await place("left_lower_arm");
    const before = await t.page.evaluate(() => [...window.sinew.pose()]);
    await t.page.mouse.move(x + RING, y);
    await t.page.mouse.down();
    for (const step of [10, 20, 30, 40]) await t.page.mouse.move(x + RING, y + step);
    await t.page.mouse.up();
    await t.until("an edit is there", (now) => now.edits > 0);
    const turned = await t.page.evaluate(() => [...window.sinew.pose()]);
    assert.notDeepEqual(turned, before);
    await t.picture("turned");
    const file = await t.exported("glb", "posed.glb");
    await t.page.keyboard.press("Control+z");
    await t.page.waitForFunction((pose) => String(window.sinew.pose()) === pose, String(before), { timeout: 60_000 });
    const now = await t.show("posed.glb", file);
    const clip = now.clips.indexOf("posed");
    await t.run({ do: "clip", clip }, { do: "pause" });
    await t.until("its pose plays", (now) => now.clip === "posed");
    const opened = await t.page.evaluate(() => [...window.sinew.pose()]);
    opened.forEach((number, at) => assert.ok(Math.abs(number - turned[at]) < 1e-6, `number ${at} of the pose`));
  },

  async "a dropped GLB has the poses of the native program, to the bit"(t) {
    await t.visit("#sample=mannequin&time=0");
    const before = await t.ready("the mannequin is drawn", (now) => now.file === "mannequin" && now.time === 0);
    const glb = await t.exported("glb", "hero.glb");
    const now = await t.show("hero.glb", glb);
    assert.equal(now.joints, before.joints);
    writeFileSync(`${PICTURES}/hero.glb`, glb);
    const clip = now.clips.indexOf("run");
    const times = Array.from({ length: 10 }, (_, at) => at / 16);
    const words = ["sample", `${PICTURES}/hero.glb`, "--clip", "run", "--time", times.join(",")];
    const { samples } = JSON.parse(execFileSync(t.program, words, { maxBuffer: 1 << 28 }));
    await t.run({ do: "clip", clip }, { do: "pause" });
    for (const [at, sample] of samples.entries()) {
      await t.run({ do: "seek", time_secs: times[at] });
      await t.until("the time", (now) => now.time === times[at] && now.clip === "run");
      const pose = await t.page.evaluate(() => [...window.sinew.pose()]);
      const joints = sample.translation.map((moved, j) => [...moved, ...sample.rotation[j], ...sample.scale[j]]);
      assert.deepEqual(pose, joints.flat().map(Math.fround), `pose at ${times[at]} s`);
    }
    await t.picture("dropped");
  },
};
