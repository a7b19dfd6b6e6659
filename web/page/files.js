// Files that a person or a link gives to a viewer.

const MAX_BYTES = 512 << 20;
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

// A file behind a link, with the files that a glTF refers to.
export async function fetched(source) {
  const url = new URL(source, location.href);
  const get = async (from) => {
    const response = await fetch(from);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return response.blob();
  };
  const name = decodeURIComponent(url.pathname.split("/").pop()) || "file";
  const files = [{ path: name, file: await get(url) }];
  if (/\.gltf$/i.test(name)) {
    const { buffers = [], images = [] } = JSON.parse(await files[0].file.text());
    for (const { uri } of [...buffers, ...images]) {
      if (uri && !uri.startsWith("data:")) {
        files.push({ path: decodeURIComponent(uri), file: await get(new URL(uri, url)) });
      }
    }
  }
  return files;
}

// Gives files to a viewer, then opens those that are not only parts of others.
export async function open(viewer, files) {
  const given = [];
  for (const { path, file } of files) {
    if (file.size > MAX_BYTES) {
      viewer.refuse(path, `it has ${file.size >> 20} MiB, and the max in a browser is ${MAX_BYTES >> 20} MiB`);
      continue;
    }
    try {
      given.push([path, new Uint8Array(await file.arrayBuffer())]);
    } catch (error) {
      viewer.refuse(path, `${error.message}`);
    }
  }
  for (const [path, bytes] of given) viewer.give(path, bytes);
  const paths = given.map(([path]) => path);
  const whole = paths.filter((path) => OPENED.test(path));
  for (const path of whole.length > 0 ? whole : paths) viewer.open(path);
}

// Offers bytes as a download.
export function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
