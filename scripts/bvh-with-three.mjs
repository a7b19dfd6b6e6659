// Plays a BVH file with three.js. Prints the positions of all joints at every frame as JSON, in the order of the file.
//
// usage: node scripts/bvh-with-three.mjs FILE.bvh

import { readFile } from 'node:fs/promises';
import { Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';

const [file] = process.argv.slice(2);
if (!file) {
  console.error('usage: node scripts/bvh-with-three.mjs FILE.bvh');
  process.exit(2);
}
const problems = [];
console.error = (message) => problems.push(message);
console.warn = (message) => problems.push(message);
const { skeleton, clip } = new BVHLoader().parse(await readFile(file, 'utf8'));
// Position and rotation tracks of all joints except end sites, in order. Found by index, because names may repeat.
const moving = skeleton.bones.filter(({ name }) => name !== 'ENDSITE');
const times = clip.tracks[0].times;
const frames = [];
const point = new Vector3();
for (let frame = 0; frame < times.length; frame++) {
  moving.forEach((bone, place) => {
    bone.position.fromArray(clip.tracks[2 * place].values, 3 * frame);
    bone.quaternion.fromArray(clip.tracks[2 * place + 1].values, 4 * frame);
  });
  skeleton.bones[0].updateMatrixWorld(true);
  frames.push(skeleton.bones.flatMap((bone) => point.setFromMatrixPosition(bone.matrixWorld).toArray()));
}
console.log(JSON.stringify({ problems, times: Array.from(times), frames }));
