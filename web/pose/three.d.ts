import type { InstancedMesh, Object3D, Skeleton, SkinnedMesh } from "three";
import type { Actor, Crowd, Rig } from "./sinew-pose.js";

/** Index of the skin of a rig with the bones of a skeleton, in their order. Adds the skin if the rig has none. */
export function skinOf(rig: Rig, skeleton: Skeleton): number;

/** Lets an actor move the skinned meshes of a scene of GLTFLoader. */
export function connect(rig: Rig, actor: Actor, scene: Object3D): void;

/** Mesh that is drawn once per member of a crowd, in one draw call. */
export function crowdMesh(rig: Rig, crowd: Crowd, mesh: SkinnedMesh): InstancedMesh & { update(): void };
