// A Chromium that draws WebGPU canvases without a GPU, in a window that nobody sees.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
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
