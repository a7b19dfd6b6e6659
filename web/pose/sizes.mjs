// Prints the size of the package, file by file, and its size as servers send it, compressed by Brotli.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const GOAL = 0.5e6;
const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
const folder = process.argv[2];

let all = 0;
for (const name of ["sinew-pose_bg.wasm", "sinew-pose.js", "index.js", "values.js", "three.js"]) {
  const bytes = readFileSync(`${folder}/${name}`);
  const sent = brotliCompressSync(bytes, { params }).length;
  all += sent;
  console.log(`${name.padEnd(20)} ${(bytes.length / 1e3).toFixed(1).padStart(7)} kB, sent ${(sent / 1e3).toFixed(1).padStart(6)} kB`);
}
console.log(`the package: ${(all / 1e3).toFixed(0)} kB sent; the goal is ${GOAL / 1e3} kB`);
