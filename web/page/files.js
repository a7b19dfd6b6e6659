// Files that a person or a link gives to a viewer.

const MAX_BYTES = 512 << 20;
const MAX_BYTES_AT_ONCE = 1024 << 20;
const PIECE_BYTES = 4 << 20;
const OPENED = /\.(glb|gltf|vrm|fbx|bvh|c3d|obj|ply|sinew)$/i;

// Files of a list: their paths, and what can be read.
export const chosen = (list) => [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

// Files of a drop, with those in its folders. Call it during the event: the list is gone afterwards.
export function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length === 0 ? chosen(transfer.files) : inside(entries);
}

async function inside(entries) {
  const files = [];
  const visit = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      files.push({ path: entry.fullPath.replace(/^\//, ""), file });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return;
      for (const inner of some) await visit(inner);
    }
  };
  for (const entry of entries) await visit(entry);
  return files;
}

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

async function get(url) {
  const response = await fetch(url).catch(() => {
    throw new Error(`${url} cannot be reached, or its server does not allow this page to read it (CORS)`);
  });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.blob();
}

// References of a glTF to other files. The import reports what is wrong with the document.
function references(text) {
  try {
    const { buffers, images } = JSON.parse(text);
    const parts = [buffers, images].filter(Array.isArray).flat();
    return parts.map((part) => part?.uri).filter((uri) => typeof uri === "string" && !/^data:/i.test(uri));
  } catch {
    return [];
  }
}

// A file behind a link, with the files that a glTF refers to.
export async function fetched(source) {
  const url = new URL(source, document.baseURI);
  const name = decoded(url.pathname.split("/").pop()) || "file";
  const files = [{ path: name, file: await get(url) }];
  if (/\.gltf$/i.test(name)) {
    for (const uri of references(await files[0].file.text())) {
      try {
        files.push({ path: decoded(uri), file: await get(new URL(uri, url)) });
      } catch {} // The import names the missing file.
    }
  }
  return files;
}

// A file inside the program, which came in pieces: at once, a large one would stop the page.
async function received(viewer, file) {
  const coming = viewer.receive(file.size);
  try {
    for (let at = 0; at < file.size; at += PIECE_BYTES) {
      coming.add(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()));
    }
    return coming;
  } catch (error) {
    coming.free();
    throw error;
  }
}

// Gives files to a viewer, then opens those that are not only parts of others. Does neither if they are no longer wanted
// when they are read.
export async function open(viewer, files, isWanted = () => true) {
  const given = [];
  let sum = 0;
  for (const { path, file } of files) {
    sum += file.size;
    const max = file.size > MAX_BYTES ? MAX_BYTES : MAX_BYTES_AT_ONCE;
    if (file.size > max || sum > MAX_BYTES_AT_ONCE) {
      const [found, limit] = [Math.max(file.size, max === MAX_BYTES ? 0 : sum), max].map((bytes) => bytes / (1 << 20));
      viewer.refuse(path, `it brings ${found.toFixed(0)} MiB to this page, and the max is ${limit} MiB`,
        "Open it with `sinew view`, which has no such limit, or make it smaller.");
      sum -= file.size;
      continue;
    }
    try {
      given.push([path, await received(viewer, file)]);
    } catch (error) {
      viewer.refuse(path, error.message, "Try again.");
    }
  }
  if (!isWanted()) return given.forEach(([, coming]) => coming.free());
  for (const [path, coming] of given) viewer.give(path, coming);
  const paths = given.map(([path]) => path);
  const whole = paths.filter((path) => OPENED.test(path));
  for (const path of whole.length > 0 ? whole : paths) viewer.open(path);
  work(viewer);
}

// Goes on with opening between frames, which are few while a slow GPU draws.
export async function work(viewer) {
  while (viewer.work()) await new Promise((done) => setTimeout(done));
}

// Bytes of a text in base64.
export function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

// Offers bytes as a download.
export function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
