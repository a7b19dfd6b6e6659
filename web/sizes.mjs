// Prints the size of each file of a folder, and its size as servers send it, compressed by Brotli.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const PAGE = ["index.html", "page.css", "page.js", "program.js", "files.js", "mirror.js", "icon.svg", "sinew.js", "sinew_bg.wasm"];
const folder = process.argv[2];
const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
let all = 0;
for (const name of readdirSync(folder).sort()) {
  const bytes = readFileSync(`${folder}/${name}`);
  const sent = brotliCompressSync(bytes, { params }).length;
  if (PAGE.includes(name)) all += sent;
  console.log(`${name.padEnd(16)} ${(bytes.length / 1e6).toFixed(2)} MB, sent ${(sent / 1e6).toFixed(2)} MB`);
}
console.log(`the page: ${(all / 1e6).toFixed(2)} MB sent`);
