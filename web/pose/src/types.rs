//! Types of the methods that `index.js` adds.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Joint by name or by index. */
export type JointId = string | number;
/** Three coordinates. */
export type Vector = ArrayLike<number>;

/** Event that playback has passed. */
export interface Fired {
    name: string;
    /** Time of the event in its clip, in seconds. */
    timeSecs: number;
    /** Weight of its clip, in (0, 1]. */
    weight: number;
    /** Text that the state machine gives to events of this name. */
    text?: string;
    /** Number that the state machine gives to events of this name. */
    number?: number;
    /** Index of the member of a crowd. */
    member?: number;
}

/** Root motion of one update. */
export interface RootStep {
    /** Translation in units of the model, before the rotation. */
    translation: [number, number, number];
    /** Rotation about the up axis in radians. */
    headingRad: number;
}

/** Leg, and the ground under its foot. */
export interface Foot {
    hip: JointId;
    knee: JointId;
    ankle: JointId;
    /** Contact point in the frame of the ankle. Default: its origin. */
    sole?: Vector;
    /** Point of the ground under the foot, in model space. */
    ground: Vector;
    /** Normal of the ground in model space. Default: up. */
    normal?: Vector;
}

/** Bone of three.js, or an object with the same members. */
export interface BoneLike {
    name: string;
    userData?: { name?: string };
    position: { set(x: number, y: number, z: number): unknown };
    quaternion: { set(x: number, y: number, z: number, w: number): unknown };
    scale: { set(x: number, y: number, z: number): unknown };
}

export interface Actor {
    /** Sets the pose to a blend. Weights below a sum of 1 leave the rest to the rest pose. */
    blend(layers: Iterable<[Pose, number, Mask?]>): void;
    /** Puts feet on the ground. Returns the distance that the pelvis rose. */
    placeFeet(pelvis: JointId, feet: Iterable<Foot>): number;
    /** Sets position, quaternion and scale of bones, found by name. */
    applyTo(bones: Iterable<BoneLike>): void;
}
"#;
