// The program: loaded once for all viewers of a page.
import { fromBase64 } from "./files.js";
import init, { Page } from "./sinew.js";

let coming = null;

// WebAssembly inside the page itself, compressed, or null if it is a file beside this one.
function inPage() {
  const text = document.getElementById("sinew-program")?.textContent;
  if (!text) return null;
  const packed = new Blob([fromBase64(text)]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip")), WASM);
}

const WASM = { headers: { "content-type": "application/wasm" } };

// A file beside this one.
async function besideUs(progress) {
  const url = new URL("./sinew_bg.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  // A compressed answer states the length of what is sent.
  const isPacked = response.headers.has("content-encoding");
  const whole = isPacked ? 0 : Number(response.headers.get("content-length"));
  let done = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      done += chunk.byteLength;
      if (whole > 0) progress(Math.min(1, done / whole));
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counted), WASM);
}

// Returns the class `Page`, when the program is there, or null if this browser cannot draw: if it has no WebGPU, or no
// device for it. `progress` is called with the fraction that has arrived.
export async function program(progress = () => {}) {
  if (!navigator.gpu) return null;
  coming ??= (async () => {
    await init({ module_or_path: inPage() ?? await besideUs(progress) });
    return Page;
  })();
  // The next viewer tries again.
  coming.catch(() => (coming = null));
  const loaded = coming;
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  return adapter && loaded;
}

// Tells a viewer how long its canvas is pressed, by the clock of the browser.
export function timePresses(viewer, canvas) {
  for (const kind of ["pointerdown", "pointerup"]) {
    canvas.addEventListener(kind, (event) => {
      if (event.isPrimary) viewer.press(kind === "pointerdown", event.timeStamp);
    }, true);
  }
}
