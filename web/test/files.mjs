// Files that people drop: every format, folders, large files, and files that are broken.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { crowded, dracoed, glbOf, padded, parts, pictured } from "./glb.mjs";
import { PICTURES } from "./harness.mjs";

// The mannequin as an avatar: the humanoid map of VRM 1.0 over its nodes.
function avatar(glb) {
  const [document, buffer] = parts(glb);
  const node = (name) => ({ node: document.nodes.findIndex((node) => node.name === name) });
  const bones = { hips: "hips", spine: "spine_1", head: "head" };
  for (const side of ["left", "right"]) {
    for (const [bone, joint] of [
      ["UpperArm", "upper_arm"], ["LowerArm", "lower_arm"], ["Hand", "hand"],
      ["UpperLeg", "upper_leg"], ["LowerLeg", "lower_leg"], ["Foot", "foot"],
    ]) bones[side + bone] = `${side}_${joint}`;
  }
  const humanBones = Object.fromEntries(Object.entries(bones).map(([bone, joint]) => [bone, node(joint)]));
  for (const { node } of Object.values(humanBones)) assert.ok(node >= 0);
  const meta = { name: "mannequin", authors: ["code"], licenseUrl: "https://vrm.dev/licenses/1.0/" };
  document.extensions = { VRMC_vrm: { specVersion: "1.0", meta, humanoid: { humanBones } } };
  document.extensionsUsed = [...(document.extensionsUsed ?? []), "VRMC_vrm"];
  return glbOf(document, buffer);
}

let glb = null;
const run = (t, ...words) => execFileSync(t.program, words, { stdio: "pipe" });

// The mannequin as the program writes it.
function mannequin(t) {
  if (!glb) {
    run(t, "demo", "--no-pictures", "-o", `${PICTURES}/demo`);
    glb = readFileSync(`${PICTURES}/demo/mannequin.glb`);
  }
  return glb;
}

// A page that other tests have used, too.
async function start(t) {
  if (t.shared !== null) return;
  await t.visit("#sample=tube&time=0");
  await t.ready("the tube is there");
}

// Longest work of the page at a time while a file is opened, for a build with little optimisation on a busy machine.
const MAX_TASK_MS = 400;

export const files = {
  async "an avatar, a glTF with its folder, and a motion alone are opened"(t) {
    mannequin(t);
    await start(t);
    const vrm = await t.show("hero.vrm", avatar(glb));
    assert.equal(vrm.joints, 52);
    const [document, buffer] = parts(glb);
    document.buffers[0].uri = "parts/hero%20data.bin";
    await t.drop(["hero.gltf", JSON.stringify(document)], ["parts/hero data.bin", buffer]);
    const gltf = await t.ready("the glTF is open", (now) => now.file === "hero.gltf");
    assert.deepEqual([gltf.joints, gltf.vertices], [vrm.joints, vrm.vertices]);
    run(t, "convert", `${PICTURES}/demo/mannequin.glb`, "--clip", "walk", "-o", `${PICTURES}/walk.bvh`);
    const bvh = await t.show("walk.bvh", readFileSync(`${PICTURES}/walk.bvh`));
    assert.deepEqual([bvh.vertices, bvh.clips.length], [0, 1]);
    await t.picture("motion");
  },

  async "a file of 50 MB is opened"(t) {
    await start(t);
    // A hundred thousand vertices in 19 meshes, and a picture of four million pixels.
    const filled = pictured(crowded(mannequin(t), 13e6), 2048);
    writeFileSync(`${t.dist}/large.glb`, padded(filled, 50e6 - filled.length));
    const begun = Date.now();
    await t.page.evaluate(async () => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([await (await fetch("large.glb")).blob()], "large.glb"));
      const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
      document.getElementById("viewer").dispatchEvent(event);
      window.slowest = window.longest = 0;
      new PerformanceObserver((tasks) => {
        for (const { duration } of tasks.getEntries()) window.longest = Math.max(window.longest, duration);
      }).observe({ type: "longtask" });
      let last = performance.now();
      const next = (now) => {
        window.slowest = Math.max(window.slowest, now - last);
        last = now;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    const now = await t.drawn("the file is open", (now) => now.file === "large.glb");
    rmSync(`${t.dist}/large.glb`);
    assert.equal(now.joints, 52);
    // It came in pieces: its picture, at the end of what is read, has a checksum.
    assert.deepEqual(now.messages.filter(({ file, is_problem }) => file === "large.glb" && is_problem), []);
    const memory = await t.page.evaluate(() => window.sinew.memory());
    const [slowest, longest] = await t.page.evaluate(() => [window.slowest, window.longest]);
    console.log(`   opened after ${((Date.now() - begun) / 1000).toFixed(1)} s, memory of the program ` +
      `${(memory / 1e6).toFixed(0)} MB, longest work ${longest.toFixed(0)} ms, longest time between frames ` +
      `${slowest.toFixed(0)} ms`);
    assert.ok(longest < MAX_TASK_MS, `${longest} ms`);
    assert.ok(memory < 400e6, `${memory} bytes`);
  },

  async "files of every format made by code are opened"(t) {
    await start(t);
    execFileSync("target/debug/seeds", [`${PICTURES}/seeds`]);
    const made = (folder) => {
      const [first] = readdirSync(`${PICTURES}/seeds/${folder}`).sort();
      return readFileSync(`${PICTURES}/seeds/${folder}/${first}`);
    };
    for (const format of ["fbx", "sinew"]) {
      const now = await t.show(`made.${format}`, made(format));
      assert.ok(now.joints > 0, format);
    }
    // Two markers give no motion: the message counts what was read.
    await t.drop(["made.c3d", made("c3d")]);
    const read = await t.until("the C3D is read", (now) => now.messages.some(({ file }) => file === "made.c3d"));
    assert.match(read.messages.at(-1).text, /2 known markers/);
    for (const extension of ["obj", "ply"]) {
      run(t, "skin", `${PICTURES}/demo/mannequin.glb`, "-o", `${PICTURES}/skin.${extension}`);
      const now = await t.show(`skin.${extension}`, readFileSync(`${PICTURES}/skin.${extension}`));
      assert.ok(now.vertices > 5000, extension);
    }
    run(t, "convert", `${PICTURES}/demo/mannequin.glb`, "--compress", "meshopt", "-o", `${PICTURES}/small.glb`);
    assert.equal((await t.show("small.glb", readFileSync(`${PICTURES}/small.glb`))).joints, 52);
    const plain = await t.show("hero.glb", mannequin(t));
    const packed = await t.show("draco.glb", dracoed(mannequin(t)));
    assert.deepEqual([packed.joints, packed.vertices, packed.findings], [52, plain.vertices, plain.findings]);
    assert.ok((await t.picture("draco")).colors > 2000);
  },

  async "files that cannot be read give a message, and the page still works"(t) {
    await start(t);
    for (const [name, bytes] of [["empty.glb", ""], ["broken.glb", "glTF\x02\0\0\0 nonsense"], ["what.xyz", "?"]]) {
      const before = (await t.state()).messages.length;
      await t.drop([name, bytes]);
      const now = await t.until(`a message about ${name}`, (now) => now.messages.length > before);
      assert.equal(now.messages.at(-1).file, name);
    }
    assert.equal((await t.drawn("it still draws")).failure, null);
    await t.picture("messages");
  },

  async "files of 300 MB without meaning, and of 600 MB, are refused"(t) {
    await start(t);
    for (const [name, megabytes] of [["huge.glb", 300], ["huger.glb", 600]]) {
      const before = (await t.state()).messages.length;
      await t.page.evaluate(([name, megabytes]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(megabytes * 1e6)], name));
        const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
        document.getElementById("viewer").dispatchEvent(event);
      }, [name, megabytes]);
      const now = await t.until(`a message about ${name}`, (now) => now.messages.length > before);
      assert.equal(now.messages.at(-1).file, name);
    }
    assert.equal((await t.show("hero.glb", mannequin(t))).joints, 52);
  },

  async "files of fuzzers are read or refused, without a trap"(t) {
    await start(t);
    let count = 0;
    for (const [folder, extension] of [["gltf", "glb"], ["bvh", "bvh"], ["c3d", "c3d"], ["fbx", "fbx"], ["mesh", "obj"],
      ["sinew", "sinew"]]) {
      for (const name of readdirSync(`${PICTURES}/seeds/${folder}`).slice(0, 6)) {
        const bytes = readFileSync(`${PICTURES}/seeds/${folder}/${name}`);
        for (const [at, value] of [[bytes.length >> 1, 0xff], [bytes.length >> 2, 0x80]]) {
          const broken = Buffer.from(bytes);
          broken[at] ^= value;
          await t.drop([`fuzzed-${count++}.${extension}`, broken]);
        }
      }
    }
    const now = await t.ready(`${count} files were tried`, (now) => !now.opening);
    assert.equal(now.failure, null);
    assert.equal((await t.show("hero.glb", mannequin(t))).joints, 52);
  },
};
