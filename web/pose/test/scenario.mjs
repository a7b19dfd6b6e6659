// Scenario of docs/guests.md: node web/pose/test/scenario.mjs FOLDER [--vertices FILE]. Prints a hash for each step.
import { readFileSync, writeFileSync } from "node:fs";
import init, { Character } from "../dist/index.js";

const DT_SECS = 1 / 60;

// FNV-1a over bytes, with 64 bits in four parts of 16.
class Hash {
  parts = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

  addBytes(bytes) {
    let [a, b, c, d] = this.parts;
    for (const byte of bytes) {
      a ^= byte;
      // Times 0x100000001b3: 0x1b3, and 2^40, which is 0x100 two parts higher.
      const e = a * 0x1b3;
      const f = b * 0x1b3 + (e >>> 16);
      const g = c * 0x1b3 + (f >>> 16) + (a << 8);
      const h = d * 0x1b3 + (g >>> 16) + (b << 8);
      [a, b, c, d] = [e & 0xffff, f & 0xffff, g & 0xffff, h & 0xffff];
    }
    this.parts = [a, b, c, d];
  }

  add(...numbers) {
    this.addPose(new Float32Array(numbers));
  }

  addPose(floats) {
    this.addBytes(new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength));
  }

  toString() {
    return this.parts.map((part) => part.toString(16).padStart(4, "0")).reverse().join("");
  }
}

// Actor with a clip at a time.
function at(rig, clip, timeSecs) {
  const actor = rig.actor();
  const player = rig.player(clip);
  player.seek(timeSecs);
  actor.sample(player);
  return actor;
}

function posed(actor) {
  const hash = new Hash();
  hash.addPose(actor.model);
  return hash;
}

function sampled(rig) {
  const hash = new Hash();
  for (let i = 0; i < 10; i++) hash.addPose(at(rig, "walk", i * 0.1).model);
  return hash;
}

function played(rig) {
  const [actor, player, hash] = [rig.actor(), rig.player("run"), new Hash()];
  player.speed = 1.25;
  let events = 0;
  for (let i = 0; i < 60; i++) {
    events += player.advance(DT_SECS).length;
    actor.sample(player);
    hash.addPose(actor.model);
  }
  hash.add(events);
  return hash;
}

function blended(rig) {
  const [walk, idle] = [["walk", 0.3], ["idle", 0.1]].map(([clip, timeSecs]) => {
    const [pose, player] = [rig.pose(), rig.player(clip)];
    player.seek(timeSecs);
    pose.sample(player);
    return pose;
  });
  const [actor, hash] = [rig.actor(), new Hash()];
  for (let i = 0; i <= 10; i++) {
    const weight = Math.fround(i / 10);
    actor.blend([[walk, weight], [idle, 1 - weight]]);
    hash.addPose(actor.model);
  }
  return hash;
}

// Walks, and then interrupts a transition to standing.
function machineSteps(rig, graph) {
  const [actor, player] = [rig.actor(), graph.player()];
  const update = (speed, updates, hash) => {
    let events = 0;
    player.set("speed", speed);
    for (let i = 0; i < updates; i++) {
      events += player.update(DT_SECS).length;
      player.pose(actor);
      hash.addPose(actor.model);
    }
    return events;
  };
  const [machine, interrupted] = [new Hash(), new Hash()];
  update(2, 60, machine);
  const events = update(0, 6, interrupted) + update(3, 30, interrupted);
  interrupted.add(events);
  return { machine, interrupted };
}

function moved(graph) {
  const [player, hash] = [graph.player(), new Hash()];
  player.set("speed", 3);
  for (let i = 0; i < 90; i++) {
    player.update(DT_SECS);
    const { translation, headingRad } = player.rootStep;
    hash.add(...translation, headingRad);
  }
  return hash;
}

// Actor of step 8. The vertices of this pose are compared, too.
export function reaching(rig) {
  const actor = at(rig, "walk", 0.25);
  actor.twoBone("left_upper_arm", "left_lower_arm", "left_hand", [0.35, 1.3, 0.3], null, 0.8);
  return actor;
}

function aimed(rig) {
  const actor = at(rig, "idle", 0.5);
  actor.aim(["neck", "head"], [0.4, 1], "head", [0, 0, 1], [1, 1.8, 2]);
  return actor;
}

// Hashes of all steps, by name, and the vertices of step 8.
export function run(folder) {
  const [hero, other] = ["hero.glb", "other.glb"].map((name) => Character.load(readFileSync(`${folder}/${name}`)));
  const rig = hero.rig("dqs");
  const graph = rig.graph(readFileSync(`${folder}/machine.json`, "utf8"), "hips");
  const packed = hero.pack("walk", 1e-4);
  const pack = new Hash();
  pack.addBytes(packed);
  const steps = {
    load: posed(rig.actor()),
    sample: sampled(rig),
    play: played(rig),
    blend: blended(rig),
    ...machineSteps(rig, graph),
    root: moved(graph),
    two_bone: posed(reaching(rig)),
    aim: posed(aimed(rig)),
    pack,
    packed: sampled(hero.rig("dqs", packed)),
  };
  other.retarget(hero, "walk");
  steps.retarget = sampled(other.rig("dqs"));
  const vertices = new Float32Array(6 * rig.vertices);
  reaching(rig).skin(vertices);
  return { steps, vertices };
}

const [folder, option, file] = process.argv.slice(2);
if (process.argv[1].endsWith("scenario.mjs")) {
  await init();
  const { steps, vertices } = run(folder);
  for (const [step, hash] of Object.entries(steps)) console.log(`${step} ${hash}`);
  if (option === "--vertices") writeFileSync(file, new Uint8Array(vertices.buffer));
}
