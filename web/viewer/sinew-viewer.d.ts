/** Viewer of an animated character: `<sinew-viewer src="hero.glb" clip="walk" method="dqs" controls>`. */
export class SinewViewer extends HTMLElement {
  /** File of the same server, or of one that allows it: GLB, glTF, VRM, FBX, BVH, C3D, OBJ, PLY or `.sinew`. */
  src: string;
  /** Clip by name or number. Empty for the rest pose. */
  clip: string;
  /** Skinning methods with commas between them, one pane each: `rigid`, `lbs`, `dqs`, `quat`. */
  method: string;
  /** Time in the clip in seconds. Setting it pauses. */
  currentTime: number;
  /** Names of the clips. */
  readonly clips: string[];
  /** Duration of the clip in seconds. */
  readonly duration: number;
  /** True while the clip plays. */
  readonly playing: boolean;
  /** Plays the clip. */
  play(): void;
  /** Stops at the current time. */
  pause(): void;
  /** Pauses at a time in seconds. */
  seek(seconds: number): void;
  /** Picture of what is shown, as PNG. */
  screenshot(): Promise<Blob>;
  addEventListener<K extends keyof SinewViewerEvents>(
    type: K, listener: (event: SinewViewerEvents[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export interface SinewViewerEvents {
  /** The file is shown. */
  load: CustomEvent<{ clips: string[]; joints: number; vertices: number }>;
  /** The file could not be shown. */
  error: CustomEvent<{ message: string }>;
  /** The time has changed; at most four times a second. */
  timeupdate: CustomEvent<{ time: number }>;
  /** The import repaired or left out something. */
  finding: CustomEvent<{ text: string }>;
}

declare global {
  interface HTMLElementTagNameMap {
    "sinew-viewer": SinewViewer;
  }
}
