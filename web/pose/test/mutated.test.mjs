// Damaged files are loaded or refused with an Error, and never trap: SINEW_MUTATIONS files, the same each time.
import assert from "node:assert/strict";
import { test } from "node:test";
import init, { Character } from "../dist/index.js";
import { figure, random } from "./figure.mjs";

await init();
const FILES = Number(process.env.SINEW_MUTATIONS ?? 10_000);
const MAX_MEMORY = 256 << 20;

// Changes a few bytes, cuts the file, repeats a part, or changes a digit of the document.
function mutate(glb, next) {
  let bytes = Uint8Array.from(glb);
  const at = () => Math.floor(next() * bytes.length);
  for (let changes = 1 + Math.floor(4 * next()); changes > 0; changes--) {
    switch (Math.floor(next() * 6)) {
      case 0: bytes[at()] = 256 * next(); break;
      case 1: bytes[at()] ^= 1 << (8 * next()); break;
      case 2: bytes = bytes.subarray(0, at() + 1).slice(); break;
      case 3: bytes.copyWithin(at(), at(), at()); break;
      case 4: bytes.fill([0, 0xff, 0x7f, 0x80][Math.floor(4 * next())], at(), at()); break;
      default: {
        const place = at();
        const digit = bytes.findIndex((byte, index) => index >= place && byte >= 48 && byte <= 57);
        if (digit >= 0) bytes[digit] = 48 + 10 * next();
      }
    }
  }
  return bytes;
}

test(`${FILES} damaged files`, () => {
  const next = random(20_26);
  const originals = [figure(), Character.load(figure()).pack()];
  let [loaded, played] = [0, 0];
  for (let file = 0; file < FILES; file++) {
    const bytes = mutate(originals[file % 4 === 3 ? 1 : 0], next);
    const made = [];
    try {
      const character = made[made.push(Character.load(bytes)) - 1];
      loaded += 1;
      const rig = made[made.push(character.rig("dqs")) - 1];
      const [actor, player] = [rig.actor(), rig.player(0)];
      made.push(actor, player);
      player.advance(0.3);
      actor.sample(player);
      assert.equal(actor.model.length, 12 * rig.joints.length);
      played += 1;
    } catch (error) {
      assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), `file ${file}: ${error}`);
      assert.ok(error.message.length > 5, `file ${file}: ${error.message}`);
    }
    made.forEach((object) => object.free());
  }
  const memory = Character.load(originals[0]).rig().actor().model.buffer.byteLength;
  console.log(`${loaded} of ${FILES} loaded, ${played} played, ${(memory / 2 ** 20).toFixed(0)} MiB of memory`);
  assert.ok(loaded > 0.1 * FILES && loaded < 0.9 * FILES, "some are loaded, and some refused");
  assert.ok(memory < MAX_MEMORY);
});
