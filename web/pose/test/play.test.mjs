// Players, machines and inverse kinematics, called from JavaScript.
import assert from "node:assert/strict";
import { test } from "node:test";
import init, { Character } from "../dist/index.js";
import { MACHINE, figure } from "./figure.mjs";

await init();
const character = Character.load(figure());
const rig = character.rig("lbs");
const tip = (actor) => [3, 7, 11].map((at) => actor.model[12 * 4 + at]);
const distance = (a, b) => Math.hypot(...a.map((value, at) => value - b[at]));

test("names", () => {
  assert.deepEqual(character.clips, ["bend", "sway"]);
  assert.deepEqual(rig.joints, ["joint 0", "joint 1", "joint 2", "joint 3", "joint 4"]);
  assert.deepEqual(rig.skinJoints(0), rig.joints);
  assert.equal(rig.joint("joint 3"), 3);
  assert.deepEqual(character.findings, []);
});

test("a player loops, stops at the end, or goes back", () => {
  const player = rig.player(1);
  assert.equal(player.clip, "sway");
  assert.equal(player.durationSecs, 1);
  const times = ["loop", "clamp", "pingPong"].map((wrap) => {
    player.wrap = wrap;
    assert.equal(player.wrap, wrap);
    player.seek(0);
    player.speed = 2;
    assert.deepEqual(player.advance(0.625), []);
    return player.timeSecs;
  });
  assert.deepEqual(times, [0.25, 1, 0.75]);
});

test("a packed clip plays within its error", () => {
  const packed = character.rig("lbs", character.pack("bend", 1e-3));
  assert.deepEqual(packed.clips, ["bend"]);
  const actors = [rig, packed].map((own) => {
    const [actor, player] = [own.actor(), own.player("bend")];
    player.seek(0.6);
    actor.sample(player);
    return actor;
  });
  const apart = distance(...actors.map(tip));
  assert.ok(apart > 0 && apart <= 1e-3, `${apart}`);
});

test("a skeleton without a mesh, from a .sinew file", () => {
  const bare = Character.load(character.pack());
  assert.deepEqual(bare.clips, ["bend", "sway"]);
  const actor = bare.rig("lbs").actor();
  assert.equal(actor.model.length, 60);
  assert.throws(() => actor.writeBoneMatrices(new Float32Array(80)), /no skin 0: the rig has 0; add one with rig.addSkin/);
});

test("a blend stands between its poses, and a mask keeps a part", () => {
  const [a, b] = ["bend", "sway"].map((clip) => {
    const [pose, player] = [rig.pose(), rig.player(clip)];
    player.seek(0.5);
    pose.sample(player);
    return pose;
  });
  const actor = rig.actor();
  actor.blend([[a, 1]]);
  a.get(0).forEach((value, at) => assert.ok(Math.abs(actor.get(0)[at] - value) < 1e-6));
  actor.blend([[a, 0.5], [b, 0.5]]);
  const middle = actor.get(0).slice(0, 3);
  middle.forEach((value, at) => assert.ok(Math.abs(value - (a.get(0)[at] + b.get(0)[at]) / 2) < 1e-6));
  const upper = rig.maskBelow("joint 2");
  actor.blend([[a, 1, upper], [b, 1, upper.inverted()]]);
  for (const [joint, pose] of [[1, b], [2, a], [4, a]]) {
    pose.get(joint).forEach((value, at) => assert.ok(Math.abs(actor.get(joint)[at] - value) < 1e-6, `joint ${joint}`));
  }
});

test("a pose is set joint by joint", () => {
  const [actor, pose] = [rig.actor(), rig.pose()];
  const moved = Float32Array.of(1, 2, 3, 0, 0, 0, 1, 2, 2, 2);
  actor.set("joint 0", moved);
  assert.deepEqual(actor.get(0), moved);
  assert.deepEqual([...actor.local.subarray(0, 10)], [...moved]);
  assert.deepEqual([...actor.model.subarray(0, 12)], [2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3]);
  actor.rest();
  assert.deepEqual(actor.get(0), pose.get(0));
});

test("inverse kinematics reaches, or says that it does not", () => {
  const actor = rig.actor();
  const goal = [0.1, 0.3, 0.1];
  const solves = {
    "two bones": () => actor.twoBone(0, 2, 4, goal),
    ccd: () => actor.ccd(0, 4, goal),
    fabrik: () => actor.fabrik(0, 4, goal),
  };
  for (const [name, solve] of Object.entries(solves)) {
    actor.rest();
    assert.equal(solve(), true, name);
    assert.ok(distance(tip(actor), goal) < 1e-4, name);
  }
  assert.equal(actor.twoBone("joint 0", "joint 2", "joint 4", [9, 9, 9]), false);
  actor.rest();
  const before = tip(actor);
  actor.twoBone(0, 2, 4, goal, null, 0);
  assert.deepEqual(tip(actor), before, "a weight of 0 changes nothing");
  assert.equal(actor.aim([4], [1], 4, [0, 0, 1], [5, 0, 0]), true);
  const { model } = actor;
  assert.ok(model[12 * 4 + 2] > 0.99, "the axis points along x");
});

test("feet stand on the ground", () => {
  const actor = rig.actor();
  const [x, y, z] = [3, 7, 11].map((at) => actor.model[12 * 4 + at]);
  const foot = { hip: 1, knee: "joint 2", ankle: 4, ground: [x, 0.05, z] };
  actor.placeFeet("joint 0", [foot]);
  assert.ok(actor.model.every(Number.isFinite));
  assert.ok(tip(actor)[1] > y - 0.3);
});

test("a machine changes its state, and says when", () => {
  const graph = rig.graph(MACHINE);
  assert.deepEqual([graph.parameters, graph.states], [["speed"], ["stand", "move"]]);
  const [player, actor] = [graph.player(), rig.actor()];
  player.update(0.1);
  assert.equal(player.state, "stand");
  player.set("speed", 2);
  assert.equal(player.get("speed"), 2);
  assert.equal(player.get("height"), undefined);
  player.update(0.1);
  assert.deepEqual([player.state, player.isInTransition], ["move", true]);
  player.update(0.3);
  assert.equal(player.isInTransition, false);
  player.pose(actor);
  assert.ok(actor.model.every(Number.isFinite));
  player.jump("stand", 0.25);
  assert.deepEqual([player.state, player.phase], ["stand", 0.25]);
});

test("bone matrices of a large crowd are those of its members", () => {
  const graph = rig.graph(MACHINE);
  const [crowd, player, actor] = [rig.crowd(graph, 2000), graph.player(), rig.actor()];
  for (let member = 0; member < 2000; member++) crowd.jump(member, "stand", member / 1000);
  crowd.update(0);
  const [all, one] = [new Float32Array(80 * 2000 + 1).fill(7), new Float32Array(80)];
  crowd.writeBoneMatrices(all);
  for (const member of [0, 1, 818, 819, 1637, 1638, 1999]) {
    player.jump("stand", member / 1000);
    player.update(0);
    player.pose(actor);
    actor.writeBoneMatrices(one);
    assert.deepEqual(all.subarray(80 * member, 80 * member + 80), one, `member ${member}`);
  }
  assert.equal(all.at(-1), 7);
  const short = all.subarray(2).fill(7);
  assert.throws(() => crowd.writeBoneMatrices(short), /it needs 160000/);
  assert.ok(short.every((number) => number === 7));
});

test("root motion leaves the pose and comes as steps", () => {
  const [player, actor] = [rig.graph(MACHINE, "joint 0").player(), rig.actor()];
  let moved = 0;
  for (let update = 0; update < 30; update++) {
    player.update(1 / 60);
    const { translation, headingRad } = player.rootStep;
    assert.ok([...translation, headingRad].every(Number.isFinite));
    moved += Math.hypot(...translation);
  }
  player.pose(actor);
  assert.ok(moved > 0.05, `${moved}`);
});

test("a clip moves to another body", () => {
  const [target, source] = [Character.load(figure()), Character.load(figure({ seed: 2 }))];
  assert.equal(target.retarget(source, "sway"), 2);
  assert.deepEqual(target.clips, ["bend", "sway", "sway"]);
  const own = target.rig();
  const [actor, player] = [own.actor(), own.player(2)];
  player.seek(0.5);
  actor.sample(player);
  assert.ok(actor.model.every(Number.isFinite));
});
