// Values of JavaScript as the program reads and writes them. Only the program calls these.

export function byteLength(bytes) {
  return bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes) ? bytes.byteLength : -1;
}

export function copyBytes(bytes, out) {
  const view = bytes instanceof ArrayBuffer ? [bytes] : [bytes.buffer, bytes.byteOffset, bytes.byteLength];
  out.set(new Uint8Array(...view));
}

export function listLength(list) {
  return Array.isArray(list) || (ArrayBuffer.isView(list) && "length" in list) ? list.length : -1;
}

export function copyNumbers(list, out) {
  for (let at = 0; at < out.length; at++) out[at] = typeof list[at] === "number" ? list[at] : NaN;
}

export function writeFloats(out, first, floats) {
  if (!(out instanceof Float32Array)) return -1;
  if (first + floats.length <= out.length) out.set(floats, first);
  return out.length;
}

export function viewOfFloats(memory, address, length) {
  return new Float32Array(memory.buffer, address, length);
}

const NONE = Object.freeze([]);

export function noEvents() {
  return NONE;
}

export function newList() {
  return [];
}

export function pushEvent(list, name, timeSecs, weight, text, number, member) {
  const event = { name, timeSecs, weight };
  if (text !== undefined) event.text = text;
  if (number !== undefined) event.number = number;
  if (member !== undefined) event.member = member;
  list.push(event);
}

export function rootStep(x, y, z, headingRad) {
  return { translation: [x, y, z], headingRad };
}
