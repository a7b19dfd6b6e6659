// Bone matrices are those of three.js, also for more bones than its shaders once could take.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AnimationMixer } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import init, { Character } from "../dist/index.js";
import { connect, crowdMesh, skinOf } from "../dist/three.js";
import { MACHINE, figure } from "./figure.mjs";

globalThis.self ??= globalThis;
await init();

async function both(options) {
  const glb = figure(options);
  const gltf = await new GLTFLoader().parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), "");
  let mesh;
  gltf.scene.traverse((object) => { mesh ??= object.isSkinnedMesh ? object : undefined; });
  const rig = Character.load(glb).rig("lbs");
  return { gltf, mesh, skeleton: mesh.skeleton, rig, actor: rig.actor(), player: rig.player("bend") };
}

// Plays with three.js up to a time.
function play(gltf, timeSecs) {
  const mixer = new AnimationMixer(gltf.scene);
  mixer.clipAction(gltf.animations[0]).play();
  mixer.setTime(timeSecs);
  gltf.scene.updateMatrixWorld(true);
}

// Slerp of three.js and float32 differ a little more with each joint of the chain.
function assertNear(found, expected, tolerance) {
  assert.equal(found.length, expected.length);
  let worst = 0;
  found.forEach((value, at) => { worst = Math.max(worst, Math.abs(value - expected[at])); });
  assert.ok(worst <= tolerance, `${worst} apart, more than ${tolerance}`);
}

for (const [joints, tolerance] of [[5, 2e-6], [600, 2e-3]]) {
  test(`${joints} bones`, async () => {
    const { gltf, skeleton, rig, actor, player } = await both({ joints });
    const out = new Float32Array(16 * joints);
    for (const timeSecs of [0, 0.1, 0.25, 0.7]) {
      play(gltf, timeSecs);
      skeleton.update();
      player.seek(timeSecs);
      actor.sample(player);
      actor.writeBoneMatrices(out, skinOf(rig, skeleton));
      assertNear(out, skeleton.boneMatrices, tolerance);
    }
    assert.equal(rig.skinCount, 1, "the skin of the file has these bones");
  });
}

test("bones of the same names with other inverses are another skin", async () => {
  const { skeleton, rig } = await both();
  assert.equal(skinOf(rig, skeleton), 0);
  skeleton.boneInverses = skeleton.boneInverses.map((inverse) => inverse.clone());
  skeleton.boneInverses[1].elements[12] += 0.1;
  assert.equal(skinOf(rig, skeleton), 1);
});

test("bones in another order, and only some of them", async () => {
  const { gltf, skeleton, rig, actor, player } = await both();
  const kept = [3, 0, 4];
  skeleton.bones = kept.map((at) => skeleton.bones[at]);
  skeleton.boneInverses = kept.map((at) => skeleton.boneInverses[at]);
  skeleton.init();
  play(gltf, 0.3);
  skeleton.update();
  const skin = skinOf(rig, skeleton);
  assert.equal(skin, 1);
  assert.equal(skinOf(rig, skeleton), 1, "a skin is added once");
  player.seek(0.3);
  actor.sample(player);
  const out = new Float32Array(50).fill(7);
  actor.writeBoneMatrices(out, skin, 1);
  assertNear(out.subarray(1, 49), skeleton.boneMatrices, 2e-6);
  assert.deepEqual([out[0], out[49]], [7, 7], "nothing else is written");
});

test("applyTo moves bones", async () => {
  const { gltf, skeleton, actor, player } = await both();
  play(gltf, 0.6);
  const expected = skeleton.bones.map((bone) => [...bone.position, ...bone.quaternion, ...bone.scale]);
  for (const bone of skeleton.bones) bone.position.setScalar(9);
  player.seek(0.6);
  actor.sample(player);
  actor.applyTo(skeleton.bones);
  skeleton.bones.forEach((bone, at) => {
    const found = [...bone.position, ...bone.quaternion, ...bone.scale];
    const turn = found.slice(3, 7).reduce((sum, value, k) => sum + value * expected[at][3 + k], 0);
    if (turn < 0) for (let k = 3; k < 7; k++) found[k] = -found[k];
    assertNear(found, expected[at], 1e-6);
  });
});

test("a connected scene takes its matrices from the actor, wherever it stands", async () => {
  const { gltf, mesh, rig, actor, player } = await both();
  play(gltf, 0.4);
  mesh.skeleton.update();
  const expected = mesh.getVertexPosition(9, mesh.position.clone()).applyMatrix4(mesh.matrixWorld);
  connect(rig, actor, gltf.scene);
  gltf.scene.position.set(10, 20, 30);
  player.seek(0.4);
  actor.sample(player);
  gltf.scene.updateMatrixWorld(true);
  mesh.skeleton.update();
  // What the shader computes.
  const at = mesh.geometry.attributes.position;
  const point = mesh.position.clone().fromBufferAttribute(at, 9).applyMatrix4(mesh.bindMatrix);
  const bone = mesh.bindMatrix.clone().fromArray(mesh.skeleton.boneMatrices, 16 * 4);
  point.applyMatrix4(bone).applyMatrix4(mesh.bindMatrixInverse).applyMatrix4(mesh.matrixWorld);
  expected.add(gltf.scene.position);
  assertNear(point.toArray(), expected.toArray(), 1e-5);
});

test("a crowd in one mesh has the matrices of its members", async () => {
  const { mesh, rig } = await both();
  const graph = rig.graph(MACHINE);
  const crowd = rig.crowd(graph, 7);
  const alone = Array.from({ length: 7 }, () => graph.player());
  alone.forEach((player, member) => {
    for (const [of, ...first] of [[player], [crowd, member]]) {
      of.set(...first, "speed", member);
      of.jump(...first, "stand", 0.1 * member);
    }
  });
  const drawn = crowdMesh(rig, crowd, mesh);
  const [actor, out] = [rig.actor(), new Float32Array(80)];
  for (let update = 0; update < 20; update++) {
    crowd.update(1 / 30);
    drawn.update();
    alone.forEach((player, member) => {
      player.update(1 / 30);
      player.pose(actor);
      actor.writeBoneMatrices(out);
      assert.deepEqual(drawn.skeleton.boneMatrices.subarray(80 * member, 80 * member + 80), out);
      assert.deepEqual(crowd.model(member), actor.model);
      assert.equal(crowd.state(member), player.state);
    });
  }
  assert.equal(crowd.state(0), "stand");
  assert.equal(crowd.state(6), "move");
});
