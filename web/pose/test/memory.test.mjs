// Objects are freed, and views of the memory are made again after it grew.
import assert from "node:assert/strict";
import { test } from "node:test";
import init, { Character } from "../dist/index.js";
import { MACHINE, figure } from "./figure.mjs";

await init();
const glb = figure();
const rig = Character.load(glb).rig("lbs");
const memory = () => rig.actor().model.buffer.byteLength;

test("what is freed is used again", () => {
  const use = () => {
    const character = Character.load(glb);
    const own = character.rig("dqs", character.pack("bend"));
    const [actor, player] = [own.actor(), own.player("bend")];
    player.advance(0.1);
    actor.sample(player);
    actor.writeBoneMatrices(new Float32Array(80));
    for (const object of [character, own, actor, player]) object.free();
  };
  for (let at = 0; at < 50; at++) use();
  const before = memory();
  for (let at = 0; at < 500; at++) use();
  // The allocator may need one page more for gaps between objects of different sizes. One object kept by each use takes more.
  assert.ok(memory() - before <= 65536, `${memory() - before} bytes`);
});

test("the scope that ends frees", () => {
  const player = rig.player("bend");
  player[Symbol.dispose]();
  assert.throws(() => player.timeSecs, /this object was freed/);
});

test("what an object was made from may be freed before it", () => {
  const character = Character.load(glb);
  const own = character.rig("lbs");
  const [actor, player] = [own.actor(), own.player("bend")];
  character.free();
  own.free();
  player.seek(0.5);
  actor.sample(player);
  assert.ok(actor.model.every(Number.isFinite));
});

test("views are read again after the memory grew", () => {
  const actor = rig.actor();
  const old = actor.model;
  const values = [...old];
  const before = old.buffer.byteLength;
  const large = [];
  while (actor.model.buffer.byteLength === before) large.push(Character.load(figure({ joints: 300 })));
  assert.equal(old.length, 0, "a view from before has no memory");
  assert.deepEqual([...actor.model], values);
  large.forEach((character) => character.free());
});

for (const method of ["lbs", "dqs"]) {
  test(`a crowd (${method}) takes no more memory than it may`, () => {
    const own = Character.load(figure({ joints: 40 })).rig(method);
    const graph = own.graph(MACHINE);
    let max;
    assert.throws(() => own.crowd(graph, 4e9), ({ message }) => (max = Number(/at most (\d+)/.exec(message)[1])) > 0);
    const members = Math.floor(max / 20);
    const before = memory();
    const crowd = own.crowd(graph, members);
    for (let member = 0; member < members; member++) crowd.set(member, "speed", 1);
    for (let update = 0; update < 3; update++) crowd.update(0.05);
    const share = (memory() - before) / (2 ** 30 / 20);
    assert.ok(share > 0.2 && share < 1, `${share} of its share`);
  });
}
