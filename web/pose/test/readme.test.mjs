// The examples of the guide run.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { MACHINE, figure } from "./figure.mjs";

const folder = fileURLToPath(new URL("../dist", import.meta.url));
const guide = readFileSync(`${folder}/README.md`, "utf8");
const [first, three, machine] = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
globalThis.self ??= globalThis;
globalThis.fetch = async (name) => new Response(name === "machine.json" ? MACHINE : figure());

// Names of the guide, with those of the figure.
const NAMES = {
  '"hero.glb"': JSON.stringify(`${folder}/figure.glb`), '"walk"': '"bend"', '"hips"': '"joint 0"',
  '"left_upper_arm"': "1", '"left_lower_arm"': "2", '"left_hand"': "4",
};

// Runs code as a module inside the package, and returns one of its constants.
async function run(name, code, result) {
  for (const [from, to] of Object.entries(NAMES)) code = code.replaceAll(from, to);
  writeFileSync(`${folder}/${name}.mjs`, `${code}\nexport { ${result} };\n`);
  return (await import(`${folder}/${name}.mjs`))[result];
}

test("the first pose", async () => {
  writeFileSync(`${folder}/figure.glb`, figure());
  assert.ok(first.split("\n").filter(Boolean).length <= 10, "ten lines to the first moving pose");
  const matrices = await run("first", first, "matrices");
  assert.ok(matrices.some((value) => value !== 0) && matrices.every(Number.isFinite));
});

test("three.js", async () => {
  const actor = await run("three-first", three, "actor");
  assert.ok(actor.model.every(Number.isFinite));
});

test("a state machine", async () => {
  const actor = await run("machine", three + machine, "walker");
  assert.equal(actor.state, "move");
});
