// GLB files, taken apart and put together: padded, compressed by Draco, with many meshes, with a large picture.
import { crc32, deflateSync } from "node:zlib";

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

const DRACO = "KHR_draco_mesh_compression";
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
// Of each type of numbers: its code in Draco, its bytes, and how a Buffer reads it.
const NUMBERS = {
  5121: [2, 1, "readUInt8"], 5123: [4, 2, "readUInt16LE"], 5125: [6, 4, "readUInt32LE"], 5126: [9, 4, "readFloatLE"],
};

function varint(number) {
  const bytes = [];
  for (; number >= 0x80; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
  return [...bytes, number];
}

// A GLB whose primitives are compressed by Draco, by its sequential method without entropy coding.
export function dracoed(glb) {
  const [document, buffer] = parts(glb);
  const chunks = [buffer, Buffer.alloc((4 - (buffer.length % 4)) % 4)];
  let length = buffer.length + chunks[1].length;
  // Takes the elements of an accessor out of the buffer, each without padding.
  const taken = (index) => {
    const accessor = document.accessors[index];
    const view = document.bufferViews[accessor.bufferView];
    const [code, size, read] = NUMBERS[accessor.componentType];
    const width = size * COMPONENTS[accessor.type];
    const first = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const element = (at) => buffer.subarray(first + at * (view.byteStride ?? width)).subarray(0, width);
    const elements = Array.from({ length: accessor.count }, (_, at) => element(at));
    return { accessor, code, read, elements };
  };
  for (const primitive of document.meshes.flatMap((mesh) => mesh.primitives)) {
    const indices = taken(primitive.indices);
    const attributes = Object.entries(primitive.attributes).map(([name, index]) => [name, taken(index)]);
    const points = attributes[0][1].elements.length;
    const head = [...Buffer.from("DRACO"), 2, 2, 1, 0, 0, 0, ...varint(indices.elements.length / 3), ...varint(points), 1];
    const corners = indices.elements.flatMap((element) => {
      const corner = element[indices.read]();
      return points < 256 ? [corner] : points < 65536 ? [corner & 0xff, corner >> 8] : varint(corner);
    });
    const kinds = attributes.flatMap(([name, { accessor, code }], id) =>
      [name === "POSITION" ? 0 : 4, code, COMPONENTS[accessor.type], accessor.normalized ? 1 : 0, ...varint(id)]);
    const stream = Buffer.concat([
      Buffer.from([...head, ...corners, 1, ...varint(attributes.length), ...kinds, ...attributes.map(() => 0)]),
      ...attributes.flatMap(([, { elements }]) => elements),
    ]);
    const ids = Object.fromEntries(attributes.map(([name], id) => [name, id]));
    const view = { buffer: 0, byteOffset: length, byteLength: stream.length };
    primitive.extensions = { [DRACO]: { bufferView: document.bufferViews.push(view) - 1, attributes: ids } };
    chunks.push(stream, Buffer.alloc((4 - (stream.length % 4)) % 4));
    length += stream.length + chunks.at(-1).length;
  }
  const packed = document.meshes.flatMap((mesh) => mesh.primitives);
  for (const index of packed.flatMap(({ indices, attributes }) => [indices, ...Object.values(attributes)])) {
    delete document.accessors[index].bufferView;
    delete document.accessors[index].byteOffset;
  }
  document.buffers[0].byteLength = length;
  for (const list of ["extensionsUsed", "extensionsRequired"]) document[list] = [...(document[list] ?? []), DRACO];
  return glbOf(document, Buffer.concat(chunks));
}

// A GLB with as many copies of its meshes as fit into this many bytes, each with vertices of its own.
export function crowded(glb, bytes) {
  const [document, buffer] = parts(glb);
  const one = Buffer.concat([buffer, Buffer.alloc((4 - (buffer.length % 4)) % 4)]);
  const { accessors, bufferViews, meshes, nodes } = structuredClone(document);
  const copies = Math.floor(bytes / one.length);
  for (let copy = 1; copy < copies; copy += 1) {
    const copied = new Map();
    const accessor = (index) => {
      if (!copied.has(index)) {
        const view = { ...bufferViews[accessors[index].bufferView] };
        view.byteOffset = (view.byteOffset ?? 0) + copy * one.length;
        const bufferView = document.bufferViews.push(view) - 1;
        copied.set(index, document.accessors.push({ ...accessors[index], bufferView }) - 1);
      }
      return copied.get(index);
    };
    const every = (named) => Object.fromEntries(Object.entries(named).map(([name, index]) => [name, accessor(index)]));
    for (const node of nodes.filter((node) => node.mesh !== undefined)) {
      const mesh = structuredClone(meshes[node.mesh]);
      for (const primitive of mesh.primitives) {
        primitive.attributes = every(primitive.attributes);
        if (primitive.indices !== undefined) primitive.indices = accessor(primitive.indices);
        if (primitive.targets) primitive.targets = primitive.targets.map(every);
      }
      const again = { name: `${node.name} ${copy}`, mesh: document.meshes.push(mesh) - 1, skin: node.skin };
      document.scenes[0].nodes.push(document.nodes.push(again) - 1);
    }
  }
  document.buffers[0].byteLength = copies * one.length;
  return glbOf(document, Buffer.concat(Array.from({ length: copies }, () => one)));
}

// A PNG of coloured noise.
function noise(side) {
  const rows = Buffer.alloc(side * (1 + 3 * side));
  for (let at = 0; at < rows.length; at += 1) {
    if (at % (1 + 3 * side)) rows[at] = (Math.imul(at, 2654435761) >>> 27) + (at >>> 12);
  }
  const chunk = (kind, data) => {
    const [length, sum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(kind), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side);
  head.writeUInt32BE(side, 4);
  head.set([8, 2], 8);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows, { level: 1 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

// A GLB whose first material has a square picture of this many pixels a side.
export function pictured(glb, side) {
  const [document, buffer] = parts(glb);
  const picture = noise(side);
  const one = Buffer.concat([buffer, Buffer.alloc((4 - (buffer.length % 4)) % 4)]);
  const bufferView = document.bufferViews.push({ buffer: 0, byteOffset: one.length, byteLength: picture.length }) - 1;
  document.images = [{ bufferView, mimeType: "image/png" }];
  document.textures = [{ source: 0 }];
  const material = document.materials[0];
  material.pbrMetallicRoughness = { ...material.pbrMetallicRoughness, baseColorTexture: { index: 0 } };
  document.buffers[0].byteLength = one.length + picture.length;
  return glbOf(document, Buffer.concat([one, picture]));
}
