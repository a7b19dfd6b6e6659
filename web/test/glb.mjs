// GLB files, taken apart and put together.

// Parts of a GLB: the document and its buffer.
export function parts(glb) {
  const length = glb.readUInt32LE(12);
  return [JSON.parse(glb.subarray(20, 20 + length)), glb.subarray(28 + length)];
}

export function glbOf(document, buffer) {
  const json = Buffer.from(JSON.stringify(document));
  const text = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, " ")]);
  const bin = Buffer.concat([buffer, Buffer.alloc((4 - (buffer.length % 4)) % 4)]);
  const head = Buffer.alloc(20);
  head.write("glTF");
  [2, 28 + text.length + bin.length, text.length].forEach((word, at) => head.writeUInt32LE(word, 4 + 4 * at));
  head.write("JSON", 16);
  const middle = Buffer.alloc(8);
  middle.writeUInt32LE(bin.length);
  middle.write("BIN\0", 4);
  return Buffer.concat([head, text, middle, bin]);
}

// A GLB whose buffer has this many more bytes, which nothing refers to.
export function padded(glb, bytes) {
  const [document, buffer] = parts(glb);
  const filling = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) filling.writeUInt32LE(Math.imul(at, 2654435761) >>> 0, at);
  document.buffers[0].byteLength = buffer.length + bytes;
  return glbOf(document, Buffer.concat([buffer, filling]));
}
