// Serves a folder on this machine only: node web/serve.mjs FOLDER [PORT]
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const KINDS = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".png": "image/png", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

// Starts to serve, and returns the server once it listens. Port 0 takes any free one.
export function serve(folder, port) {
  const server = createServer((request, response) => {
    let file, found;
    try {
      const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
      file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
      found = statSync(file);
    } catch {}
    if (!found?.isFile()) return response.writeHead(404).end();
    const kind = KINDS[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": kind, "content-length": found.size, "cache-control": "no-cache" });
    createReadStream(file).pipe(response);
  });
  return new Promise((done, failed) => {
    server.on("error", failed);
    server.listen(port, "127.0.0.1", () => done(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = "web/dist", port = "8321"] = process.argv.slice(2);
  const server = await serve(folder, Number(port));
  console.log(`http://localhost:${server.address().port}/`);
}
