// A Chromium that draws WebGPU canvases without a GPU, in a window that nobody sees.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

// Without a window, pictures of the page leave the canvas out. With other flags, the device is lost at the first picture.
const FLAGS = [
  "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan",
  "--use-vulkan=swiftshader", "--use-angle=swiftshader", "--disable-vulkan-surface",
];
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

// Starts a display of its own, and returns its name with the process.
async function display() {
  const stdio = ["ignore", "ignore", "ignore", "pipe"];
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], { stdio });
  const number = await new Promise((done, failed) => {
    screen.on("error", failed);
    screen.on("exit", () => failed(new Error("Xvfb ended")));
    screen.stdio[3].once("data", (text) => done(String(text).trim()));
  });
  return [`:${number}`, screen];
}

// Opens a browser. Its `close` also ends the display. `flags` replace those for WebGPU.
export async function browse({ flags = FLAGS, size = { width: 900, height: 600 } } = {}) {
  const executablePath = process.env.LOOK_CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error("there is no Chromium; scripts/setup-look installs it");
  const [name, screen] = await display();
  const profile = mkdtempSync(join(tmpdir(), "sinew-web-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: false,
    args: [...flags, ...QUIET],
    env: { ...process.env, DISPLAY: name },
    viewport: size,
    acceptDownloads: true,
  });
  const close = async () => {
    await context.close();
    screen.kill();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
}

const TICKS_PER_SEC = 100;

// CPU time that the browsers of this process have taken until now, in seconds.
export function cpuSecs() {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const [, name, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").match(/\((.*)\) (.*)/s);
      const [, parent, ...numbers] = rest.split(" ").map(Number);
      // Of the process and of its children that have ended.
      return [{ pid: Number(pid), name, parent, ticks: numbers.slice(9, 13).reduce((sum, part) => sum + part) }];
    } catch {
      return []; // It has ended.
    }
  });
  const ours = new Set([process.pid]);
  for (let before = 0; ours.size > before;) {
    before = ours.size;
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid);
  }
  const browsers = processes.filter(({ pid, name }) => ours.has(pid) && name.startsWith("chrom"));
  return browsers.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SEC;
}
