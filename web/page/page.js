// The page around the viewer: it loads the program, and gives it files and links. What they mean is up to the program.

import init, { Page } from "./sinew.js";

const MAX_BYTES = 512 << 20;
const OPENED = /\.(glb|gltf|vrm|fbx|bvh|c3d|obj|ply|sinew)$/i;

const part = (id) => document.getElementById(id);

function showOnly(id) {
  for (const section of part("cover").children) section.hidden = section.id !== id;
  part("cover").hidden = id === null;
}

function stop(reason) {
  part("reason").textContent = `The viewer stopped: ${reason}`;
  showOnly("stopped");
}

// The program, with its progress on the way.
async function program() {
  const url = new URL("./sinew_bg.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  const whole = Number(response.headers.get("content-length")) || 0;
  let done = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      done += chunk.byteLength;
      if (whole > 0) part("progress").value = Math.min(1, done / whole);
      controller.enqueue(chunk);
    },
  });
  const body = response.body.pipeThrough(counted);
  await init({ module_or_path: new Response(body, { headers: { "content-type": "application/wasm" } }) });
}

// Gives files to the program, then opens those that are not only parts of others.
async function open(page, files) {
  const given = [];
  for (const { path, file } of files) {
    if (file.size > MAX_BYTES) {
      page.refuse(path, `it has ${file.size >> 20} MiB, and the max in a browser is ${MAX_BYTES >> 20} MiB`);
      continue;
    }
    try {
      given.push([path, new Uint8Array(await file.arrayBuffer())]);
    } catch (error) {
      page.refuse(path, `${error.message}`);
    }
  }
  for (const [path, bytes] of given) page.give(path, bytes);
  const paths = given.map(([path]) => path);
  const whole = paths.filter((path) => OPENED.test(path));
  for (const path of whole.length > 0 ? whole : paths) page.open(path);
}

// Files of a drop, with those in its folders.
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return chosen(transfer.files);
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

const chosen = (list) => [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

// A file behind a link, with the files that a glTF refers to.
async function fetched(source) {
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

function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function listen(page) {
  const input = part("files");
  input.addEventListener("change", () => {
    open(page, chosen(input.files)).finally(() => (input.value = ""));
  });
  const dropping = (on) => document.body.classList.toggle("dropping", on);
  window.addEventListener("dragover", (event) => { event.preventDefault(); dropping(true); }, true);
  window.addEventListener("dragleave", () => dropping(false), true);
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    dropping(false);
    // The list of files is gone after the event.
    const files = dropped(event.dataTransfer);
    Promise.resolve(files).then((list) => open(page, list));
  }, true);
  window.addEventListener("hashchange", () => page.follow(location.hash.slice(1)));
  setInterval(() => {
    const failure = page.failure();
    if (failure !== undefined && part("cover").hidden) stop(failure);
  }, 500);
}

async function main() {
  part("again").addEventListener("click", () => location.reload());
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  if (!adapter) return showOnly("unsupported");
  await program();
  const page = new Page((kind, what, bytes) => {
    if (kind === "files") part("files").click();
    if (kind === "written") download(what, bytes);
    if (kind === "missing") console.warn(`sinew: ${what}`);
  });
  window.sinew = page;
  const [address, link = ""] = location.href.split("#");
  const source = new URLSearchParams(location.search).get("src");
  await page.start(part("viewer"), address);
  listen(page);
  if (source !== null) {
    try {
      await open(page, await fetched(source));
    } catch (error) {
      page.refuse(source, `it could not be loaded: ${error.message}`);
    }
  }
  page.follow(link);
  showOnly(null);
  part("viewer").focus();
}

showOnly("loading");
main().catch((error) => stop(error?.message ?? error));
