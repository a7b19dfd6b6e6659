// Writes one page with everything inside it, without a character: node web/one.mjs DIST PAGE.html
// `sinew convert` puts a character in place of <!-- sinew-file -->.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [dist, path] = process.argv.slice(2);
const text = (name) => readFileSync(`${dist}/${name}`, "utf8");
const data = (kind, bytes) => `data:${kind};base64,${Buffer.from(bytes).toString("base64")}`;

// Scripts import each other by name, because a script inside a page has no path.
const named = (script) => script.replaceAll(/from "\.\/([\w-]+\.js)"/g, 'from "sinew/$1"');
const scripts = ["sinew.js", "files.js", "program.js", "mirror.js"];
const imports = scripts.map((name) => [`sinew/${name}`, data("text/javascript", named(text(name)))]);
const program = gzipSync(readFileSync(`${dist}/sinew_bg.wasm`), { level: 9 }).toString("base64");

function replaced(page, part, by) {
  if (!page.includes(part)) throw new Error(`index.html has no ${part}`);
  return page.replace(part, () => by);
}

let page = text("index.html");
page = replaced(page, '<link rel="icon" type="image/svg+xml" href="icon.svg">',
  `<link rel="icon" href="${data("image/svg+xml", readFileSync(`${dist}/icon.svg`))}">`);
page = replaced(page, '<link rel="stylesheet" href="page.css">', `<style>\n${text("page.css")}</style>`);
page = replaced(page, '<meta property="og:image" content="view.png">\n', "");
page = replaced(page, 'src="view.png"', `src="${data("image/png", readFileSync(`${dist}/view.png`))}"`);
page = replaced(page, '<script type="module" src="page.js"></script>\n',
  `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(imports) })}</script>\n`);
page = replaced(page, "</body>", [
  "<!-- sinew-file -->",
  `<script type="text/plain" id="sinew-program">${program}</script>`,
  `<script type="module">\n${named(text("page.js"))}</script>`,
  "</body>",
].join("\n"));
writeFileSync(path, page);
