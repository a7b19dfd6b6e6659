// Replaces the bodies of functions that report a panic by traps: `node traps.mjs PROGRAM.wasm`. Nothing shows these messages
// in a browser, and a trap throws a `RuntimeError` as before. wasm-opt then leaves out what only prepared the messages.
import { readFileSync, writeFileSync } from "node:fs";

const REPORTS = [
  /^core::panicking::/,
  /^core::(option|result)::(unwrap|expect)_failed/,
  /^core::slice::.*(_fail|panic_on_ord_violation)\b/,
  /^core::str::slice_error_fail/,
  /^core::cell::panic_/,
  /^<?(alloc|std)::.*(assert_failed|handle_error|handle_alloc_error|capacity_overflow|rust_oom)\b/,
  /^std::panicking::(?!panic_count)/,
  /^__rustc::rust_panic/,
];
const UNREACHABLE_BODY = Buffer.from([3, 0, 0x00, 0x0b]);

const [file] = process.argv.slice(2);
const bytes = readFileSync(file);

/** Number in LEB128 at a position, and the position after it. */
function number(at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

function encoded(value) {
  const out = [];
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
  return Buffer.from([...out, value]);
}

function text(at) {
  const [length, start] = number(at);
  return [bytes.toString("utf8", start, start + length), start + length];
}

const sections = [];
for (let at = 8; at < bytes.length; ) {
  const [length, start] = number(at + 1);
  sections.push({ id: bytes[at], at, start, end: start + length });
  at = start + length;
}

/** Number of imported functions, which come before those of the code. */
function imported() {
  const section = sections.find(({ id }) => id === 2);
  let [count, at] = number(section.start);
  let functions = 0;
  for (; count > 0; count--) {
    at = text(text(at)[1])[1];
    const kind = bytes[at++];
    if (kind === 0) [functions, at] = [functions + 1, number(at)[1]];
    else if (kind === 3) at += 2;
    else {
      // A table has its type before its limits.
      if (kind === 1) at += 1;
      const flags = bytes[at++];
      at = number(at)[1];
      if (flags & 1) at = number(at)[1];
    }
  }
  return functions;
}

/** Names of functions by index. */
function names() {
  const section = sections.find(({ id, start }) => id === 0 && text(start)[0] === "name");
  if (!section) throw new Error(`${file} has no names of functions`);
  const found = new Map();
  for (let at = text(section.start)[1]; at < section.end; ) {
    const kind = bytes[at];
    const [length, start] = number(at + 1);
    at = start + length;
    if (kind !== 1) continue;
    let [count, next] = number(start);
    for (; count > 0; count--) {
      const [index, after] = number(next);
      const [name, end] = text(after);
      found.set(index, name);
      next = end;
    }
  }
  return found;
}

const code = sections.find(({ id }) => id === 10);
const [first, all] = [imported(), names()];
let [count, at] = number(code.start);
const bodies = [encoded(count)];
const replaced = [];
for (let index = first; index < first + count; index++) {
  const [length, start] = number(at);
  // Without the numbers of crates, which change with the compiler.
  const name = (all.get(index) ?? "").replace(/\[[0-9a-f]+\]/g, "");
  if (REPORTS.some((report) => report.test(name))) {
    bodies.push(UNREACHABLE_BODY);
    replaced.push(name);
  } else {
    bodies.push(bytes.subarray(at, start + length));
  }
  at = start + length;
}
if (replaced.length === 0) throw new Error(`${file} has none of the functions that report a panic`);
if (process.env.SINEW_TRAPS) console.log(replaced.join("\n"));
const made = Buffer.concat(bodies);
writeFileSync(file, Buffer.concat([bytes.subarray(0, code.at), Buffer.from([10]), encoded(made.length), made, bytes.subarray(code.end)]));
