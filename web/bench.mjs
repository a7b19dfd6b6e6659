// Time from the navigation to the first picture, and to the first picture of a GLB of 50 MB, with a software adapter:
// node web/bench.mjs, after make web. Prints the min of three runs, by the clock and in CPU time of all processes of the
// browser, which a busy machine changes less.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpuSecs } from "./browser.mjs";
import { harness } from "./test/harness.mjs";
import { padded } from "./test/glb.mjs";

const RUNS = 3;
const t = await harness("web/dist");
const first = { page: [], large: [] };
const cpu = { page: [], large: [] };
const memory = [];
writeFileSync("web/dist/large.glb", padded(readFileSync("out/mannequin.glb"), 50e6));
for (let run = 0; run < RUNS; run += 1) {
  for (const [what, link] of [["page", "#sample=mannequin&time=0"], ["large", "?src=large.glb"]]) {
    await t.page?.close();
    t.page = null;
    const [begun, spent] = [performance.now(), cpuSecs()];
    await t.open(link);
    const file = what === "large" ? "large.glb" : "mannequin";
    let before;
    await t.until("the first picture", (now) => {
      if (now.file !== file || now.opening) return false;
      before ??= now.layers;
      return now.layers > before;
    });
    first[what].push((performance.now() - begun) / 1000);
    cpu[what].push(cpuSecs() - spent);
    if (what === "large") memory.push((await t.page.evaluate(() => window.sinew.memory())) / 1e6);
  }
}
rmSync("web/dist/large.glb");
await t.close();
const least = (what) => `${Math.min(...first[what]).toFixed(1)} s (${Math.min(...cpu[what]).toFixed(1)} s of CPU time)`;
console.log(`first picture after ${least("page")}, of a GLB of 50 MB after ${least("large")}, ` +
  `memory ${Math.max(...memory).toFixed(0)} MB`);
