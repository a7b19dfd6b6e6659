// Tests of the page in a browser: node web/test.mjs [--only WORD]. Pictures of the page go to target/web.
import assert from "node:assert/strict";
import { cpuSecs } from "./browser.mjs";
import { harness } from "./test/harness.mjs";
import { embedding } from "./test/embedding.mjs";
import { files } from "./test/files.mjs";
import { people } from "./test/people.mjs";
import { viewing } from "./test/viewing.mjs";

const only = process.argv[2] === "--only" ? process.argv[3] : "";
const t = await harness("web/dist", process.env.SINEW ?? "target/debug/sinew");
let passed = 0, failed = 0;
for (const [name, test] of Object.entries({ ...viewing, ...people, ...files, ...embedding })) {
  if (!name.includes(only)) continue;
  const [begun, spent] = [Date.now(), cpuSecs()];
  try {
    await test(t);
    assert.deepEqual(t.complaints, [], "the browser has nothing to complain about");
    passed += 1;
    const secs = (Date.now() - begun) / 1000;
    console.log(`ok ${name}: ${secs.toFixed(1)} s, CPU time ${(cpuSecs() - spent).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
    t.complaints.length = 0;
    t.shared = null;
  }
}
await t.close();
console.log(`test-web: ${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
