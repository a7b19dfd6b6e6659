// Reads two files with three.js; the second may be compressed by EXT_meshopt_compression. Prints as JSON the max distance
// between a moved vertex and the nearest vertex of the other file, relative to the extent.
//
// usage: node scripts/compare-with-three.mjs PLAIN COMPRESSED   (.glb, or .gltf with its buffer inside)

import { readFile } from 'node:fs/promises';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

const [plain, compressed] = process.argv.slice(2);
if (!compressed) {
  console.error('usage: node scripts/compare-with-three.mjs PLAIN COMPRESSED');
  process.exit(2);
}
// The loader expects these globals of a browser, but does not use them without textures.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};

/// Document and binary data of a file.
function apart(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'glTF') {
    const document = JSON.parse(bytes);
    const [{ uri }] = document.buffers;
    delete document.buffers[0].uri;
    return [document, Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')];
  }
  const json = bytes.readUInt32LE(12);
  return [JSON.parse(bytes.subarray(20, 20 + json)), bytes.subarray(28 + json)];
}

/// A file without materials, because pictures need a browser.
async function read(file) {
  const [document, bin] = apart(await readFile(file));
  for (const name of ['materials', 'textures', 'images', 'samplers']) delete document[name];
  for (const { primitives } of document.meshes) {
    for (const primitive of primitives) delete primitive.material;
  }
  const text = Buffer.from(JSON.stringify(document));
  const padding = Buffer.alloc(-text.length & 3, ' ');
  const end = Buffer.alloc(-bin.length & 3);
  const parts = [Buffer.alloc(20), text, padding, Buffer.alloc(8), bin, end];
  parts[0].write('glTF');
  parts[0].writeUInt32LE(2, 4);
  parts[0].writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0), 8);
  parts[0].writeUInt32LE(text.length + padding.length, 12);
  parts[0].write('JSON', 16);
  parts[3].writeUInt32LE(bin.length + end.length, 0);
  parts[3].write('BIN\0', 4);
  const glb = Buffer.concat(parts);
  const buffer = glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length);
  return new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(buffer, '');
}

/// All vertices in world space, morphed and skinned, at a fraction of a clip.
function vertices(gltf, clip, part) {
  const mixer = new AnimationMixer(gltf.scene);
  if (clip) {
    mixer.clipAction(clip).play();
    mixer.setTime(part * clip.duration);
  }
  gltf.scene.updateMatrixWorld(true);
  const places = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    object.skeleton?.update();
    for (let vertex = 0; vertex < object.geometry.attributes.position.count; vertex++) {
      const place = object.getVertexPosition(vertex, new Vector3());
      places.push(place.applyMatrix4(object.matrixWorld));
    }
  });
  mixer.stopAllAction();
  return places;
}

/// Max distance between a vertex of `from` and the nearest vertex of `to`.
function farthest(from, to) {
  return Math.sqrt(Math.max(...from.map((a) => to.reduce((least, b) => Math.min(least, a.distanceToSquared(b)), Infinity))));
}

const [before, after] = [await read(plain), await read(compressed)];
const out = { vertices: [], clips: [before.animations.length, after.animations.length], far: 0 };
for (const [index, clip] of [undefined, ...before.animations].entries()) {
  for (const part of clip ? [0, 0.31, 0.77] : [0]) {
    const a = vertices(before, clip, part);
    const b = vertices(after, clip && after.animations[index - 1], part);
    const sides = ['x', 'y', 'z'].map((axis) => Math.max(...a.map((p) => p[axis])) - Math.min(...a.map((p) => p[axis])));
    const far = Math.max(farthest(a, b), farthest(b, a)) / Math.max(...sides);
    out.vertices = [a.length, b.length];
    // A value that is not a number counts as infinitely far.
    out.far = Math.max(out.far, Number.isFinite(far) ? far : 1e9);
  }
}
console.log(JSON.stringify(out));
