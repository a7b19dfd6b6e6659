// <sinew-viewer src="hero.glb" clip="walk" method="dqs" controls>: a viewer for other people's pages.
import { program, timePresses } from "./program.js";
import { fetched, open } from "./files.js";

const LOOK_MS = 100;
const TIME_UPDATE_MS = 250;

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: block; position: relative; width: 100%; aspect-ratio: 4 / 3; background: #16181d; color: #d9dce3;
    font: 14px/1.4 system-ui, sans-serif; overflow: hidden; }
  :host([hidden]) { display: none; }
  canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; }
  [part=message] { position: absolute; inset: 0; display: grid; place-items: center; padding: 1em; text-align: center;
    background: #16181d; }
  [part=message][hidden], [part=controls][hidden] { display: none; }
  [part=controls] { position: absolute; inset: auto 0 0 0; display: flex; gap: .5em; align-items: center;
    padding: .4em .6em; background: #16181dcc; }
  button, select { font: inherit; color: inherit; background: #2a2d35; border: 0; border-radius: 4px; padding: .2em .6em; }
  input { flex: 1; min-width: 4em; accent-color: #e0a54f; }
`);

const LAYOUT = `
  <canvas id="canvas" tabindex="0" role="img"></canvas>
  <div part="message" role="status"></div>
  <div part="controls" hidden>
    <button type="button" aria-label="Play">▶</button>
    <select aria-label="Clip"></select>
    <input type="range" min="0" max="1" step="any" value="0" aria-label="Time in seconds">
  </div>`;

// Attributes: src, clip, method (a list with commas, one pane each), time in seconds (which pauses), camera (as in links),
// controls, autoplay. Events: load, error, timeupdate, finding.
export class SinewViewer extends HTMLElement {
  static observedAttributes = ["src", "clip", "method", "time", "camera", "controls"];

  #root = this.attachShadow({ mode: "open" });
  #viewer = null;
  #state = null;
  #source = null;
  #looking = null;
  // This stay in the page. What an earlier one began stops.
  #stay = null;
  #opens = 0;
  #written = [];
  #updated = 0;
  #seen = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) this.#start();
  }, { rootMargin: "200px" });

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [STYLE];
    this.#root.innerHTML = LAYOUT;
    this.#part("button").addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    this.#part("select").addEventListener("change", (event) => (this.clip = event.target.value));
    this.#part("[type=range]").addEventListener("input", (event) => this.seek(Number(event.target.value)));
  }

  connectedCallback() {
    this.#seen.observe(this);
  }

  disconnectedCallback() {
    this.#seen.disconnect();
    clearInterval(this.#looking);
    const viewer = this.#viewer;
    this.#stay = this.#viewer = this.#state = this.#source = this.#looking = null;
    for (const [, failed] of this.#written.splice(0)) failed(new Error("the viewer was removed"));
    // A viewer of its own needs a canvas of its own.
    this.#part("canvas").replaceWith(this.#part("canvas").cloneNode());
    try {
      viewer?.end();
    } catch {} // A program that has failed cannot end.
  }

  attributeChangedCallback(name) {
    if (name === "controls") this.#part("[part=controls]").hidden = !this.hasAttribute("controls");
    else if (name === "src") this.#open();
    else this.#follow([name]);
  }

  get src() { return this.getAttribute("src") ?? ""; }
  set src(value) { this.setAttribute("src", value); }
  get clip() { return this.#state?.clip ?? this.getAttribute("clip") ?? ""; }
  set clip(value) { this.setAttribute("clip", value); }
  get method() { return this.#state?.methods.join(",") ?? this.getAttribute("method") ?? ""; }
  set method(value) { this.setAttribute("method", value); }
  get currentTime() { return this.#state?.time ?? 0; }
  set currentTime(seconds) { this.seek(seconds); }
  get clips() { return this.#state?.clips ?? []; }
  get duration() { return this.#state?.duration ?? 0; }
  get playing() { return this.#state?.playing ?? false; }

  play() { this.#run({ do: "play" }); }
  pause() { this.#run({ do: "pause" }); }
  seek(seconds) { this.#run({ do: "pause" }, { do: "seek", time_secs: seconds }); }

  // Picture of what is shown, as PNG.
  screenshot() {
    if (!this.#viewer) return Promise.reject(new Error("nothing is shown yet"));
    const picture = new Promise((...ends) => this.#written.push(ends));
    this.#run({ do: "export", what: "picture", path: "picture.png" });
    return picture.then((bytes) => new Blob([bytes], { type: "image/png" }));
  }

  #part(selector) { return this.#root.querySelector(selector); }

  #say(text) {
    const message = this.#part("[part=message]");
    message.textContent = text;
    message.hidden = text === "";
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #fail(message) {
    this.#say(message);
    this.#tell("error", { message });
  }

  #run(...steps) { this.#viewer?.run(JSON.stringify(steps)); }

  async #start() {
    if (this.#stay || !this.isConnected) return;
    this.#seen.disconnect();
    const stay = (this.#stay = {});
    try {
      this.#say("Loading…");
      const Page = await program();
      if (this.#stay !== stay) return;
      if (!Page) {
        return this.#fail("This viewer needs WebGPU. Chrome and Edge have it, and new versions of Safari and Firefox. " +
          "The page must come from https or from this machine.");
      }
      const viewer = new Page((kind, what, bytes) => {
        if (kind === "written") this.#written.shift()?.[0](bytes);
      });
      await viewer.start(this.#part("canvas"), location.href.split("#")[0]);
      if (this.#stay !== stay) return viewer.end();
      timePresses(viewer, this.#part("canvas"));
      this.#viewer = viewer;
      this.#run({ do: "picture_only", on: true });
      this.#open();
    } catch (error) {
      if (this.#stay === stay) this.#fail(error.message ?? String(error));
    }
  }

  async #open() {
    const viewer = this.#viewer;
    if (!viewer) return;
    if (this.src === "") {
      this.#source = null;
      viewer.follow("");
      return this.#say("");
    }
    const source = { src: this.src };
    this.#source = source;
    const isWanted = () => this.#source === source;
    this.#say("Loading…");
    this.#part("canvas").setAttribute("aria-label", this.getAttribute("alt") ?? `Character of ${this.src}`);
    try {
      const files = await fetched(this.src);
      // Files of the same name from other folders stay apart.
      this.#opens += 1;
      for (const file of files) file.path = `${this.#opens}/${file.path}`;
      if (!isWanted()) return;
      const before = JSON.parse(viewer.state());
      source.notified = before.notified;
      await open(viewer, files, isWanted);
      if (!isWanted()) return;
      source.given = true;
      this.#looking ??= setInterval(() => this.#look(), LOOK_MS);
    } catch (error) {
      if (isWanted()) this.#fail(`${this.src} could not be loaded: ${error.message}`);
    }
  }

  // Goes to the state that the attributes give, once the file is there.
  #follow(names = ["clip", "method", "time", "camera"]) {
    if (!this.#viewer || !this.#source?.opened) return;
    const link = new URLSearchParams();
    for (const name of names) {
      if (this.hasAttribute(name)) link.set(name, this.getAttribute(name));
    }
    this.#viewer.follow(String(link));
  }

  #look() {
    const viewer = this.#viewer;
    const failure = viewer.failure();
    if (failure !== undefined) {
      clearInterval(this.#looking);
      return this.#fail(`The viewer stopped: ${failure}`);
    }
    const before = this.#state;
    this.#state = JSON.parse(viewer.state());
    const source = this.#source;
    if (source?.given && !source.opened && !this.#state.opening) this.#opened();
    else if (source?.opened && !source.loaded && !this.#state.busy) this.#loaded();
    this.#show();
    const now = performance.now();
    if (before?.time !== this.#state.time && now - this.#updated >= TIME_UPDATE_MS) {
      this.#updated = now;
      this.#tell("timeupdate", { time: this.#state.time });
    }
  }

  // Goes to the state of the attributes, when the file is read.
  #opened() {
    const source = this.#source;
    const { messages, notified } = this.#state;
    const fresh = notified > source.notified ? messages.slice(source.notified - notified) : [];
    const problem = fresh.find((message) => message.is_problem);
    if (problem) {
      this.#source = null;
      return this.#fail(`${problem.file}: ${problem.text}`);
    }
    source.opened = true;
    this.#run({ do: this.hasAttribute("autoplay") ? "play" : "pause" });
    this.#follow();
  }

  #loaded() {
    this.#source.loaded = true;
    this.#say("");
    this.#tell("load", { clips: this.clips, joints: this.#state.joints, vertices: this.#state.vertices });
    for (const text of this.#state.findings ?? []) this.#tell("finding", { text });
  }

  #show() {
    const { clips, clip, duration, time, playing } = this.#state;
    const select = this.#part("select");
    const names = clips ?? [];
    if ([...select.options].map((option) => option.value).join("\0") !== names.join("\0")) {
      select.replaceChildren(...names.map((name) => new Option(name, name)));
    }
    select.value = clip ?? "";
    const slider = this.#part("[type=range]");
    slider.max = duration;
    if (!slider.matches(":active")) slider.value = time;
    const button = this.#part("button");
    button.textContent = playing ? "⏸" : "▶";
    button.ariaLabel = playing ? "Pause" : "Play";
  }
}

customElements.define("sinew-viewer", SinewViewer);
