// Wrong arguments throw an Error with a text for people, and leave everything usable.
import assert from "node:assert/strict";
import { test } from "node:test";
import init, { Character, Player } from "../dist/index.js";
import { MACHINE, figure } from "./figure.mjs";

await init();
const character = Character.load(figure());
const rig = character.rig("lbs");
const [actor, player, pose, graph] = [rig.actor(), rig.player("bend"), rig.pose(), rig.graph(MACHINE)];
const [graphPlayer, crowd] = [graph.player(), rig.crowd(graph, 3)];
const other = Character.load(figure({ joints: 7 })).rig();
const freed = rig.player("bend");
freed.free();

const wrong = {
  "no bytes": [() => Character.load(), /must be a Uint8Array/],
  "null for bytes": [() => Character.load(null), /must be a Uint8Array/],
  "text for bytes": [() => Character.load("hero.glb"), /must be a Uint8Array/],
  "an empty file": [() => Character.load(new Uint8Array()), /the file is empty/],
  "an unknown format": [() => Character.load(new Uint8Array(100).fill(7)), /this is not a glTF/],
  "half a file": [() => Character.load(figure().subarray(0, 3000)), /./],
  "an unknown method": [() => character.rig("dq"), /no skinning method "dq"; did you mean dqs/],
  "a number for a method": [() => character.rig(3), /expected a string/],
  "a GLB for a packed file": [() => character.rig("lbs", figure()), /./],
  "the clips of a longer body": [() => character.rig("lbs", Character.load(figure({ joints: 7 })).pack()), /joint 5 is "joint 5" in the file and missing/],
  "the clips of another body": [() => character.rig("lbs", Character.load(figure({ part: "bone" })).pack()), /joint 0 is "bone 0" in the file and "joint 0" in/],
  "an unknown clip": [() => rig.player("bent"), /no clip "bent"; did you mean bend/],
  "no clip": [() => rig.player(), /a clip must be a name or an index/],
  "an unknown clip to pack": [() => character.pack("bent"), /no clip "bent"/],
  "an error bound of NaN": [() => character.pack("bend", NaN), /./],
  "an error bound of 0": [() => character.pack("bend", 0), /./],
  "null for a source": [() => character.retarget(null, "bend"), /expected instance of Character/],
  "itself as the source": [() => character.retarget(character, "bend"), /./],
  "null for a player": [() => actor.sample(null), /expected instance of Player/],
  "an object like a player": [() => actor.sample({ __wbg_ptr: 4 }), /expected instance of Player/],
  "a player of another rig": [() => actor.sample(other.player("bend")), /another rig, with 7 joints/],
  "a freed player": [() => actor.sample(freed), /this object was freed/],
  "a method of a freed object": [() => freed.advance(0.1), /this object was freed/],
  "freed twice": [() => freed.free(), /this object was freed/],
  "a class called as a function": [() => Player.prototype.advance.call({}, 1), /./],
  "a step of NaN": [() => player.advance(NaN), /time step is NaN/],
  "no step": [() => player.advance(), /time step is NaN/],
  "an infinite time": [() => player.seek(Infinity), /time is inf/],
  "a speed of NaN": [() => { player.speed = NaN; }, /speed is NaN/],
  "an unknown wrap": [() => { player.wrap = "twice"; }, /no wrap "twice"/],
  "a pose of another rig": [() => pose.sample(other.player("bend")), /another rig/],
  "an unknown joint": [() => pose.get("joint 9"), /no joint "joint 9"/],
  "a joint out of range": [() => pose.get(5), /no joint 5: the skeleton has 5/],
  "a joint of -1": [() => pose.get(-1), /no joint -1/],
  "a joint of 0.5": [() => pose.get(0.5), /no joint 0.5/],
  "an object for a joint": [() => pose.get({}), /a joint must be/],
  "too few numbers": [() => pose.set(0, [1, 2, 3]), /the transform has 3 numbers instead of 10/],
  "numbers of NaN": [() => actor.set(0, Array(10).fill(NaN)), /number 0 of the transform is not finite/],
  "a rotation of 0": [() => actor.set(0, Array(10).fill(0)), /not a unit quaternion; normalise it/],
  "a rotation of length 2": [() => pose.set(0, [0, 0, 0, 0, 2, 0, 0, 1, 1, 1]), /not a unit quaternion/],
  "texts for numbers": [() => actor.set(0, Array(10).fill("1")), /not finite/],
  "a symbol for numbers": [() => actor.set(0, Symbol("ten")), /./],
  "a blend of other poses": [() => actor.blend([[other.pose(), 1]]), /layer 0 has 7 joints/],
  "a weight of NaN": [() => actor.blend([[pose, NaN]]), /weight of layer 0 is NaN/],
  "a negative weight": [() => actor.blend([[pose, -1]]), /weight of layer 0 is -1/],
  "a mask of another rig": [() => actor.blend([[pose, 1, other.maskBelow(0)]]), /mask of layer 0/],
  "null for layers": [() => actor.blend(null), /./],
  "null for a pose": [() => actor.blend([[null, 1]]), /expected instance of Pose/],
  "short output": [() => actor.writeBoneMatrices(new Float32Array(79)), /has 79 numbers; it needs 80/],
  "output of another kind": [() => actor.writeBoneMatrices(new Float64Array(80)), /must be a Float32Array/],
  "output past the end": [() => actor.writeBoneMatrices(new Float32Array(80), 0, 1), /it needs 81/],
  "a list for output": [() => actor.writeBoneMatrices([]), /must be a Float32Array/],
  "an unknown skin": [() => actor.writeBoneMatrices(new Float32Array(80), 3), /no skin 3/],
  "short vertices": [() => actor.skin(new Float32Array(1)), /it needs 60/],
  "a goal of two numbers": [() => actor.twoBone(0, 1, 2, [1, 2]), /the goal has 2 numbers instead of 3/],
  "a goal of NaN": [() => actor.twoBone(0, 1, 2, [1, NaN, 2]), /number 1 of the goal is not finite/],
  "a chain upside down": [() => actor.twoBone(2, 1, 0, [1, 1, 1]), /"joint 1" is not|not a descendant/],
  "a weight of two": [() => actor.twoBone(0, 1, 2, [1, 1, 1], null, 2), /weight/],
  "an aim without joints": [() => actor.aim([], [], 4, [0, 0, 1], [1, 1, 1]), /./],
  "an aim with few shares": [() => actor.aim([0, 1], [1], 4, [0, 0, 1], [1, 1, 1]), /shares has 1 numbers instead of 2/],
  "an axis of 0": [() => actor.aim([0], [1], 4, [0, 0, 0], [1, 1, 1]), /./],
  "a chain of nothing": [() => actor.ccd(2, 2, [0, 0, 0]), /./],
  "no feet": [() => actor.placeFeet(0, []), /./],
  "a foot without ground": [() => actor.placeFeet(0, [{ hip: 0, knee: 1, ankle: 2 }]), /./],
  "bones of another skeleton": [() => actor.applyTo([{ name: "nobody" }]), /no joint "nobody"/],
  "JSON that ends": [() => rig.graph("{"), /line 1/],
  "a machine without states": [() => rig.graph("{}"), /./],
  "a machine with unknown clips": [() => rig.graph(MACHINE.replaceAll("sway", "sweep")), /sweep/],
  "an unknown root": [() => rig.graph(MACHINE, "root"), /"root"/],
  "an unknown parameter": [() => graphPlayer.set("sped", 1), /"sped"; did you mean speed/],
  "a parameter of NaN": [() => graphPlayer.set("speed", NaN), /NaN|finite/],
  "a negative step": [() => graphPlayer.update(-1), /-1/],
  "a step of infinity": [() => graphPlayer.update(Infinity), /finite|inf/],
  "an actor of another rig": [() => graphPlayer.pose(other.actor()), /another rig/],
  "an unknown state": [() => graphPlayer.jump("fly"), /"fly"/],
  "a phase of NaN": [() => graphPlayer.jump("move", NaN), /phase/],
  "a graph of another rig": [() => other.crowd(graph, 2), /another rig/],
  "a crowd of billions": [() => rig.crowd(graph, 4e9), /at most \d+ members/],
  "a crowd of -1": [() => rig.crowd(graph, -1), /at most/],
  "an unknown member": [() => crowd.set(3, "speed", 1), /no member 3: the crowd has 3/],
  "short output of a crowd": [() => crowd.writeBoneMatrices(new Float32Array(239)), /it needs 240/],
  "the output of a crowd as a list": [() => crowd.writeBoneMatrices([]), /must be a Float32Array/],
  "names that are no list": [() => rig.addSkin("names", []), /./],
  "few inverses": [() => rig.addSkin(["joint 0"], new Float32Array(15)), /has 15 numbers instead of 16/],
  "null for names": [() => rig.addSkin([null], new Float32Array(16)), /a joint must be/],
};

for (const [name, [call, text]] of Object.entries(wrong)) {
  test(name, () => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof Error, String(error));
      assert.ok(!(error instanceof WebAssembly.RuntimeError), `a trap: ${error.message}`);
      assert.match(error.message, text);
      return true;
    });
    // Nothing is borrowed, and nothing has moved.
    actor.sample(player);
    graphPlayer.update(0);
    assert.equal(actor.model.length, 60);
    assert.ok(actor.model.every(Number.isFinite));
  });
}
