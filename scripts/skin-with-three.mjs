// Poses a GLB with three.js and prints the skinned positions of its first skinned mesh as JSON.
//
// usage: node scripts/skin-with-three.mjs FILE.glb CLIP SECONDS

import { readFile } from 'node:fs/promises';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const [file, clip, seconds] = process.argv.slice(2);
if (!seconds) {
  console.error('usage: node scripts/skin-with-three.mjs FILE.glb CLIP SECONDS');
  process.exit(2);
}
// The loader expects these globals of a browser, but does not use them without textures.
globalThis.self ??= globalThis;
const bytes = await readFile(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
const mixer = new AnimationMixer(gltf.scene);
const wanted = gltf.animations.find(({ name }) => name === clip);
if (!wanted) throw new Error(`no clip ${clip}`);
mixer.clipAction(wanted).play();
mixer.setTime(Number(seconds));
gltf.scene.updateMatrixWorld(true);
const meshes = [];
gltf.scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
const mesh = meshes[0];
mesh.skeleton.update();
const positions = [];
const point = new Vector3();
for (let vertex = 0; vertex < mesh.geometry.attributes.position.count; vertex++) {
  point.fromBufferAttribute(mesh.geometry.attributes.position, vertex);
  mesh.applyBoneTransform(vertex, point);
  point.applyMatrix4(mesh.matrixWorld);
  positions.push(point.x, point.y, point.z);
}
console.log(JSON.stringify(positions));
