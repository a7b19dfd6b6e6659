// Time from the navigation to the first picture, and to the first picture of a GLB of 50 MB, with a software adapter:
// node web/bench.mjs, after make web. Prints the min of three runs.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { harness } from "./test/harness.mjs";
import { padded } from "./test/glb.mjs";

const RUNS = 3;
const t = await harness("web/dist", "target/release/sinew");
const first = { page: [], large: [], memory: [] };
writeFileSync("web/dist/large.glb", padded(readFileSync("out/mannequin.glb"), 50e6));
for (let run = 0; run < RUNS; run += 1) {
  for (const [what, link] of [["page", "#sample=mannequin&time=0"], ["large", "?src=large.glb"]]) {
    const begun = performance.now();
    await t.open(link);
    const file = what === "large" ? "large.glb" : "mannequin";
    let before;
    await t.until("the first picture", (now) => {
      if (now.file !== file || now.opening) return false;
      before ??= now.layers;
      return now.layers > before;
    });
    first[what].push((performance.now() - begun) / 1000);
    if (what === "large") first.memory.push((await t.page.evaluate(() => window.sinew.memory())) / 1e6);
  }
}
rmSync("web/dist/large.glb");
await t.close();
console.log(`first picture after ${Math.min(...first.page).toFixed(1)} s, ` +
  `of a GLB of 50 MB after ${Math.min(...first.large).toFixed(1)} s, memory ${Math.max(...first.memory).toFixed(0)} MB`);
