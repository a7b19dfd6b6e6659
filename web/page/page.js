// The page around one viewer: it loads the program, and gives it files and links. The program gives them their meaning.
import { program, timePresses } from "./program.js";
import { mirror, status } from "./mirror.js";
import { chosen, download, dropped, fetched, fromBase64, open, work } from "./files.js";

const part = (id) => document.getElementById(id);

function showOnly(id) {
  for (const section of part("cover").children) section.hidden = section.id !== id;
  part("cover").hidden = id === null;
}

function stop(reason) {
  part("reason").textContent = `The viewer stopped: ${reason}`;
  showOnly("stopped");
}

function listen(viewer) {
  timePresses(viewer, part("viewer"));
  const input = part("files");
  input.addEventListener("change", () => {
    open(viewer, chosen(input.files)).finally(() => (input.value = ""));
  });
  const dropping = (on) => document.body.classList.toggle("dropping", on);
  window.addEventListener("dragover", (event) => { event.preventDefault(); dropping(true); }, true);
  window.addEventListener("dragleave", () => dropping(false), true);
  window.addEventListener("drop", async (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    dropping(false);
    try {
      open(viewer, await dropped(event.dataTransfer));
    } catch (error) {
      viewer.refuse("drop", error.message, "Drop the files again, or a copy of them.");
    }
  }, true);
  window.addEventListener("beforeunload", (event) => {
    if (viewer.is_edited()) event.preventDefault();
  });
  window.addEventListener("hashchange", () => viewer.follow(location.hash.slice(1)));
  setInterval(() => {
    const failure = viewer.failure();
    if (failure !== undefined && part("cover").hidden) stop(failure);
    const said = failure === undefined ? status(JSON.parse(viewer.state())) : "";
    if (part("status").textContent !== said) part("status").textContent = said;
  }, 500);
}

// In a low window, such as that of a phone held sideways, the timeline is folded.
function fit(viewer) {
  const low = matchMedia("(max-height: 480px)");
  const fold = () => viewer.run(JSON.stringify([{ do: "panel", panel: "timeline", on: !low.matches }]));
  low.addEventListener("change", fold);
  if (low.matches) fold();
}

// The file inside the page itself, of a page that `sinew convert` wrote.
function fileInPage() {
  const inside = part("sinew-file");
  if (!inside) return null;
  return [{ path: inside.dataset.name, file: new Blob([fromBase64(inside.textContent)]) }];
}

async function main() {
  part("again").addEventListener("click", () => location.reload());
  const Page = await program((fraction) => (part("progress").value = fraction));
  if (!Page) return showOnly("unsupported");
  const viewer = new Page((kind, what, bytes) => {
    if (kind === "files") part("files").click();
    if (kind === "written") download(what, bytes);
    if (kind === "missing") console.warn(`sinew: ${what}`);
    if (kind === "widgets") mirror(part("viewer"), viewer, what);
  });
  window.sinew = viewer;
  const [address, link = ""] = location.href.split("#");
  const source = new URLSearchParams(location.search).get("src");
  await viewer.start(part("viewer"), address);
  listen(viewer);
  fit(viewer);
  viewer.mirror();
  try {
    const files = fileInPage() ?? (source === null ? null : await fetched(source));
    if (files) await open(viewer, files);
  } catch (error) {
    viewer.refuse(source ?? "the file in this page", `it could not be loaded: ${error.message}`, "Check the link.");
  }
  viewer.follow(link);
  work(viewer);
  showOnly(null);
  part("viewer").focus({ preventScroll: true });
}

showOnly("loading");
main().catch((error) => stop(error?.message ?? error));
