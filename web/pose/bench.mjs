// Time of a frame of 500 characters, until their bone matrices are filled: three.js and sinew-pose in one run.
//
// usage: node web/pose/bench.mjs [FILE.glb] [CLIP]
import { readFileSync } from "node:fs";
import { AnimationMixer, Matrix4 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import init, { Character } from "./dist/index.js";
import { skinOf } from "./dist/three.js";
import { figure } from "./test/figure.mjs";

const CHARACTERS = 500, FRAMES = 200, DT_SECS = 1 / 60;
globalThis.self ??= globalThis;
await init();
const [file, clip = file ? "walk" : "bend"] = process.argv.slice(2);
const glb = file ? readFileSync(file) : figure({ joints: 31, times: Array.from({ length: 31 }, (_, at) => at / 30) });
const gltf = await new GLTFLoader().parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), "");

function skinnedMesh(scene) {
  let found;
  scene.traverse((object) => { found ??= object.isSkinnedMesh ? object : undefined; });
  return found;
}

// Each character is a clone with a mixer of its own, at a time of its own.
function withThree() {
  const members = Array.from({ length: CHARACTERS }, (_, member) => {
    const scene = clone(gltf.scene);
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(gltf.animations.find(({ name }) => name === clip)).play();
    mixer.update(0.013 * member);
    return { scene, mixer, skeleton: skinnedMesh(scene).skeleton };
  });
  const frame = () => {
    for (const { scene, mixer, skeleton } of members) {
      mixer.update(DT_SECS);
      scene.updateMatrixWorld();
      skeleton.update();
    }
  };
  return { frame, matrices: (member) => members[member].skeleton.boneMatrices };
}

const rig = Character.load(glb).rig("lbs");
const skin = skinOf(rig, skinnedMesh(gltf.scene).skeleton);
const numbers = 16 * rig.skinJoints(skin).length;

// Each character has an actor and a player.
function withActors() {
  const members = Array.from({ length: CHARACTERS }, (_, member) => {
    const player = rig.player(clip);
    player.advance(0.013 * member);
    return { player, actor: rig.actor(), out: new Float32Array(numbers) };
  });
  const frame = () => {
    for (const { player, actor, out } of members) {
      player.advance(DT_SECS);
      actor.sample(player);
      actor.writeBoneMatrices(out, skin);
    }
  };
  return { frame, matrices: (member) => members[member].out };
}

// One call for all characters, through a state machine.
function withCrowd() {
  const crowd = rig.crowd(rig.graph(JSON.stringify({ states: [{ name: "play", motion: { clip } }] })), CHARACTERS);
  const durationSecs = rig.player(clip).durationSecs;
  for (let member = 0; member < CHARACTERS; member++) crowd.jump(member, "play", (0.013 * member) / durationSecs);
  const out = new Float32Array(numbers * CHARACTERS);
  const frame = () => {
    crowd.update(DT_SECS);
    crowd.writeBoneMatrices(out, skin);
  };
  return { frame, matrices: (member) => out.subarray(numbers * member, numbers * (member + 1)) };
}

const three = withThree();
const kinds = { "actors and players": withActors(), "a crowd": withCrowd() };
// The same matrices at the same frame. three.js counts from the world of the file, as we do.
three.frame();
const identity = new Matrix4();
if (!skinnedMesh(gltf.scene).bindMatrix.equals(identity)) throw new Error("the mesh is not bound at the origin");
for (const [name, { frame, matrices }] of Object.entries(kinds)) {
  frame();
  let worst = 0;
  for (let member = 0; member < CHARACTERS; member++) {
    matrices(member).forEach((value, at) => { worst = Math.max(worst, Math.abs(value - three.matrices(member)[at])); });
  }
  console.log(`${name}: matrices within ${worst.toExponential(1)} of three.js`);
}
// In turn, because other programs of the machine slow all of them down.
const all = { "three.js": three, ...kinds };
const times = Object.fromEntries(Object.keys(all).map((name) => [name, Infinity]));
for (let frame = 0; frame < FRAMES; frame++) {
  for (const [name, kind] of Object.entries(all)) {
    const start = performance.now();
    kind.frame();
    times[name] = Math.min(times[name], performance.now() - start);
  }
}
console.log(`${CHARACTERS} characters, ${numbers / 16} bones, clip "${clip}", minimum of ${FRAMES} frames:`);
for (const [name, ms] of Object.entries(times)) {
  console.log(`${name.padEnd(20)} ${ms.toFixed(2).padStart(6)} ms  ${(times["three.js"] / ms).toFixed(1).padStart(5)} times as fast as three.js`);
}
