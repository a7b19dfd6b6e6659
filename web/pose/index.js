// The package: loads the program, and adds what is shorter in JavaScript.
import start, { Actor, Character, Crowd, Graph, GraphPlayer, Mask, Player, Pose, Rig } from "./sinew-pose.js";

export { Actor, Character, Crowd, Graph, GraphPlayer, Mask, Player, Pose, Rig };
export { initSync } from "./sinew-pose.js";

// Loads the program, once. Without an argument, from the file beside this module; otherwise from an address, a response,
// bytes or a compiled module.
export default async function init(source) {
  if (source === undefined) {
    source = new URL("sinew-pose_bg.wasm", import.meta.url);
    if (source.protocol === "file:") source = globalThis.process.getBuiltinModule("node:fs").readFileSync(source);
  }
  await start({ module_or_path: source });
}

for (const { prototype } of [Actor, Character, Crowd, Graph, GraphPlayer, Mask, Player, Pose, Rig]) {
  const { free } = prototype;
  prototype.free = function () {
    // 0 is the address of a freed object.
    if (this.__wbg_ptr === 0) throw new Error("this object was freed; make a new one");
    free.call(this);
  };
  if (Symbol.dispose) prototype[Symbol.dispose] = prototype.free;
}

Actor.prototype.blend = function (layers) {
  let count = 0;
  for (const [pose, weight, mask] of layers) {
    this.setLayer(count++, pose, weight);
    if (mask !== undefined) this.setLayerMask(mask);
  }
  this.runBlend(count);
};

Actor.prototype.placeFeet = function (pelvis, feet) {
  const joints = [];
  const points = [];
  for (const { hip, knee, ankle, sole = [0, 0, 0], ground, normal = [0, 1, 0] } of feet) {
    joints.push(hip, knee, ankle);
    points.push(...sole, ...ground, ...normal);
  }
  return this.placeFeetAt(pelvis, joints, points);
};

// Index of each joint by name, for every actor that moves bones.
const indices = new WeakMap();

Actor.prototype.applyTo = function (bones) {
  let known = indices.get(this);
  if (!known) indices.set(this, (known = new Map()));
  let local = this.local;
  for (const bone of bones) {
    // The loader of three.js changes names, and keeps the name of the file here.
    const name = bone.userData?.name ?? bone.name;
    let joint = known.get(name);
    if (joint === undefined) {
      known.set(name, (joint = this.joint(name)));
      // The call may have grown the memory.
      local = this.local;
    }
    const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = local.subarray(10 * joint, 10 * joint + 10);
    bone.position.set(x, y, z);
    bone.quaternion.set(qx, qy, qz, qw);
    bone.scale.set(sx, sy, sz);
  }
};
