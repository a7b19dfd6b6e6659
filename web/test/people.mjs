// Fingers, phones and screen readers.
import assert from "node:assert/strict";

// Fingers on the screen, through the browser's own input.
async function fingers(t) {
  const cdp = await t.context.newCDPSession(t.page);
  const send = (type, ...points) => cdp.send("Input.dispatchTouchEvent", {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  return {
    cdp,
    // Moves fingers along lines, each from one point to another, after they have rested.
    async move(lines, restMs = 0) {
      const at = (part) => lines.map(([from, to]) => from.map((a, k) => a + (to[k] - a) * part));
      await send("touchStart", ...at(0));
      await t.page.waitForTimeout(restMs);
      for (let step = 1; step <= 8; step += 1) {
        await send("touchMove", ...at(step / 8));
        await t.page.waitForTimeout(30);
      }
      await send("touchEnd");
    },
    // A tap lasts as long as its fingers, however late the page answers.
    async tap(point) {
      const start = send("touchStart", point);
      await new Promise((done) => setTimeout(done, 80));
      await Promise.all([start, send("touchEnd")]);
    },
  };
}

const camera = async (t) => (await t.page.evaluate(() => window.sinew.link())).match(/camera=([^&]*)/)[1].split(",").map(Number);

// A phone, held sideways. With an emulated scale of 2, this browser would give the canvas a quarter of the pixels.
const PHONE = { width: 844, height: 390 };

export const people = {
  async "fingers turn and zoom the picture of a phone held sideways, select a joint, choose a time and press a button"(t) {
    await t.visit("#sample=mannequin&clip=run&method=lbs&time=0&camera=30,10,1");
    const size = t.page.viewportSize();
    const hand = await fingers(t);
    await hand.cdp.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    await t.page.setViewportSize(PHONE);
    await t.page.waitForFunction(() => matchMedia("(max-height: 480px)").matches);
    await t.drawn("the mannequin is drawn", (now) => now.file === "mannequin" && now.clip === "run" && now.time === 0);
    const folded = ([, , , height]) => height > 0.75 * PHONE.height && height < PHONE.height;
    const now = await t.until("the timeline is folded", ({ panes }) => panes.length > 0 && folded(panes[0]));
    const [left, top, width, height] = now.panes[0];
    const [x, y] = [left + width / 2, top + height / 2];
    const [azimuth, elevation, zoom] = await camera(t);
    await hand.move([[[x - 40, y], [x + 40, y]]]);
    await t.drawn("it is turned");
    const [turned, , same] = await camera(t);
    assert.ok(Math.abs(turned - azimuth) > 10, `${azimuth} to ${turned}`);
    // The zoom of a link is relative to the size of the figure as it is seen.
    assert.ok(Math.abs(same / zoom - 1) < 0.05, `${zoom} to ${same}`);
    await hand.move([[[x - 20, y], [x - 80, y]], [[x + 20, y], [x + 80, y]]]);
    await t.drawn("it is nearer");
    const [still, level, nearer] = await camera(t);
    assert.ok(nearer / zoom > 2 && nearer / zoom < 6, `${zoom} to ${nearer}`);
    assert.ok(Math.abs(still - turned) < 1 && Math.abs(level - elevation) < 1, `two fingers turn it: ${still}, ${level}`);
    const ruler = PHONE.height - 17;
    // The ruler begins after the button and the time, and ends before the margin. A time is rounded to a frame.
    const chosen = ({ time, duration }, at) => Math.abs(time - duration * (at - 190) / (PHONE.width - 10 - 14 - 190)) < 0.02;
    await hand.move([[[300, ruler], [500, ruler]]]);
    await t.until("a movement chooses a time", (now) => chosen(now, 500));
    await hand.move([[[500, ruler], [650, ruler]]], 1000);
    await t.until("a finger that has rested chooses a time", (now) => chosen(now, 650));
    await hand.tap([400, ruler]);
    await t.until("a tap chooses a time", (now) => chosen(now, 400));
    // No frame is drawn for a second once the finger is there.
    await t.page.evaluate(() => addEventListener("touchstart", () => requestAnimationFrame(() => {
      for (const end = performance.now() + 1000; performance.now() < end;);
    }), { capture: true, once: true }));
    await hand.tap([26, ruler]);
    await t.until("a tap plays", (now) => now.playing);
    await t.run({ do: "clip", clip: null }, { do: "preset", preset: "front" }, { do: "frame" });
    await t.drawn("it stands at rest", (now) => now.clip === null);
    const place = (name) => t.page.evaluate((name) => [...window.sinew.joint(name)], name);
    const [elbow, wrist] = [await place("left_lower_arm"), await place("left_hand")];
    await hand.tap([(elbow[0] + wrist[0]) / 2, (elbow[1] + wrist[1]) / 2]);
    await t.until("a tap selects", (now) => now.selected === "left_lower_arm");
    await t.picture("phone");
    await hand.cdp.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await t.page.setViewportSize(size);
  },

  async "a screen reader hears the names of the panels, what is shown, and can use both"(t) {
    await t.visit("#sample=mannequin&clip=run&time=0.25");
    await t.drawn("the mannequin is drawn", (now) => now.clip === "run" && now.time === 0.25);
    const cdp = await t.context.newCDPSession(t.page);
    const find = async (role, name) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const { nodes } = await cdp.send("Accessibility.getFullAXTree");
        const is = (node) => !node.ignored && node.role?.value === role && node.name?.value.startsWith(name);
        const found = nodes.find(is);
        if (found) return found;
        await t.page.waitForTimeout(100);
      }
      return assert.fail(`there is no ${role} ${name}`);
    };
    // Does something with the element of a widget, as a screen reader does.
    const use = async ({ backendDOMNodeId: backendNodeId }, what) => {
      const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
      await cdp.send("Runtime.callFunctionOn", { objectId: object.objectId, functionDeclaration: what });
    };
    await t.page.waitForFunction(() => document.getElementById("status").textContent.includes("run at 0.25 s"));
    await find("status", "");
    await use(await find("button", "Play"), "function () { this.click(); }");
    await t.until("it plays", (now) => now.playing);
    await t.page.waitForFunction(() => document.getElementById("status").textContent.includes("run plays"));
    await use(await find("button", "Pause"), "function () { this.click(); }");
    await t.until("it pauses", (now) => !now.playing);
    await use(await find("slider", "Time"), "function () { this.value = 0.5; this.dispatchEvent(new Event('change')); }");
    await t.until("the time is chosen", (now) => Math.abs(now.time - 0.5) < 1e-6);
    for (const [role, name] of [["button", "Loop"], ["spinbutton", "Speed"], ["image", "Picture"]]) await find(role, name);
  },
};
