// A skinned figure as a GLB, made by code: a chain of joints with two clips.

import { glbOf } from "../../test/glb.mjs";

const FLOAT = 5126, USHORT = 5123;
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

// Numbers that look random, and are the same each time.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

class Numbers {
  parts = [];
  views = [];
  accessors = [];
  length = 0;

  add(type, values, bounds) {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    this.views.push({ buffer: 0, byteOffset: this.length, byteLength: bytes.length });
    const componentType = values instanceof Uint16Array ? USHORT : FLOAT;
    const accessor = { bufferView: this.views.length - 1, componentType, count: values.length / WIDTHS[type], type };
    if (bounds) Object.assign(accessor, boundsOf(values, WIDTHS[type]));
    this.parts.push(bytes, padding);
    this.length += bytes.length + padding.length;
    return this.accessors.push(accessor) - 1;
  }
}

function boundsOf(values, width) {
  const of = (best) => Array.from({ length: width }, (_, k) => best(...values.filter((_, at) => at % width === k)));
  return { min: of(Math.min), max: of(Math.max) };
}

// Chain of joints, a band of triangles along it, and clips "bend" and "sway" with keys at these times.
export function figure({ joints = 5, times = [0, 0.25, 0.5, 1], seed = 1, part = "joint" } = {}) {
  const next = random(seed);
  const buffer = new Numbers();
  const name = (joint) => `${part} ${joint}`;
  const nodes = Array.from({ length: joints }, (_, joint) => ({
    name: name(joint),
    translation: [joint % 3 ? 0.01 : 0, 0.1, 0],
    ...(joint + 1 < joints && { children: [joint + 1] }),
  }));
  const inverses = new Float32Array(16 * joints);
  let [x, y] = [0, 0];
  nodes.forEach(({ translation }, joint) => {
    [x, y] = [x + translation[0], y + translation[1]];
    inverses.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, 0, 1], 16 * joint);
  });
  const corners = Array.from({ length: joints }, (_, joint) => [[0, 0.1 * joint, 0], [0.1, 0.1 * joint, 0]]).flat();
  const triangles = Array.from({ length: 2 * joints - 2 }, (_, at) => [at, at + 1, at + 2]).flat();
  const influences = corners.map((_, vertex) => [vertex >> 1, 0, 0, 0]);
  const attributes = {
    POSITION: buffer.add("VEC3", new Float32Array(corners.flat()), true),
    NORMAL: buffer.add("VEC3", new Float32Array(corners.flatMap(() => [0, 0, 1]))),
    JOINTS_0: buffer.add("VEC4", new Uint16Array(influences.flat())),
    WEIGHTS_0: buffer.add("VEC4", new Float32Array(corners.flatMap(() => [1, 0, 0, 0]))),
  };
  const indices = buffer.add("SCALAR", new Uint16Array(triangles));
  const inverseBindMatrices = buffer.add("MAT4", inverses);
  const clip = (clipName, size) => {
    const input = buffer.add("SCALAR", new Float32Array(times), true);
    const samplers = [], channels = [];
    for (let node = 0; node < joints; node++) {
      const turns = times.flatMap(() => unit([size * (next() - 0.5), size * (next() - 0.5), size * (next() - 0.5), 1]));
      const paths = { rotation: buffer.add("VEC4", new Float32Array(turns)) };
      if (node === 0) paths.translation = buffer.add("VEC3", new Float32Array(times.flatMap(() => [next(), next(), next()])));
      for (const [path, output] of Object.entries(paths)) {
        channels.push({ sampler: samplers.push({ input, output }) - 1, target: { node, path } });
      }
    }
    return { name: clipName, samplers, channels };
  };
  const animations = [clip("bend", 0.8), clip("sway", 0.3)];
  const mesh = nodes.push({ name: "band", mesh: 0, skin: 0 }) - 1;
  return glbOf(
    {
      asset: { version: "2.0" },
      scene: 0,
      scenes: [{ nodes: [0, mesh] }],
      nodes,
      meshes: [{ primitives: [{ attributes, indices }] }],
      skins: [{ joints: Array.from({ length: joints }, (_, joint) => joint), inverseBindMatrices, skeleton: 0 }],
      animations,
      buffers: [{ byteLength: buffer.length }],
      bufferViews: buffer.views,
      accessors: buffer.accessors,
    },
    Buffer.concat(buffer.parts),
  );
}

function unit(list) {
  const length = Math.hypot(...list);
  return list.map((value) => value / length);
}

// State machine over the clips of the figure.
export const MACHINE = JSON.stringify({
  parameters: [{ name: "speed" }],
  states: [
    { name: "stand", motion: { clip: "sway" } },
    { name: "move", motion: { blend: { parameter: "speed", points: [{ at: 1, clip: "sway" }, { at: 3, clip: "bend" }] } } },
  ],
  transitions: [
    { from: "stand", to: "move", when: [{ above: { parameter: "speed", value: 0.5 } }], duration_secs: 0.2 },
    { from: "move", to: "stand", when: [{ below: { parameter: "speed", value: 0.5 } }], duration_secs: 0.2 },
  ],
});
