// Characters of three.js that the engine moves. Works with the renderer for WebGL, which reads `Skeleton.boneMatrices`.
import { InstancedMesh, Matrix4, ShaderChunk, Skeleton } from "three";

// Name of a bone in its file. The loader of three.js changes names.
const nameOf = (bone) => bone.userData.name ?? bone.name;

// Index of the skin of a rig with the bones of a THREE.Skeleton, in their order. Adds the skin if the rig has no such skin.
export function skinOf(rig, skeleton) {
  const names = skeleton.bones.map(nameOf);
  const inverses = skeleton.boneInverses.flatMap((inverse) => inverse.elements);
  const isNear = (x, at) => Math.abs(x - inverses[at]) <= 1e-5 * (1 + Math.abs(x));
  for (let skin = 0; skin < rig.skinCount; skin++) {
    const own = rig.skinJoints(skin);
    const hasNames = own.length === names.length && own.every((name, at) => name === names[at]);
    if (hasNames && rig.skinInverses(skin).every(isNear)) return skin;
  }
  return rig.addSkin(names, inverses);
}

// Lets an actor move the skinned meshes of a scene of GLTFLoader, from now on: three.js asks for the matrices before it draws.
// The meshes become children of the scene, in model space. Bones stay where they are; `actor.applyTo` moves them.
export function connect(rig, actor, scene) {
  const meshes = [];
  scene.traverse((object) => object.isSkinnedMesh && meshes.push(object));
  for (const mesh of meshes) {
    const skin = skinOf(rig, mesh.skeleton);
    mesh.skeleton.update = function () {
      actor.writeBoneMatrices(this.boneMatrices, skin);
      if (this.boneTexture) this.boneTexture.needsUpdate = true;
    };
    inModelSpace(mesh);
    scene.add(mesh);
  }
}

// Draws a skinned mesh once per member of a crowd, in one draw call. Call `crowd.update` and then `update()` of the result
// each frame. `setMatrixAt(member, matrix)` places a member. Shadows need a depth material of your own.
export function crowdMesh(rig, crowd, mesh) {
  const skin = skinOf(rig, mesh.skeleton);
  const bones = mesh.skeleton.bones.length;
  const drawn = new InstancedMesh(mesh.geometry, withBonesOfMember(mesh.material, bones), crowd.length);
  const all = bones * crowd.length;
  drawn.skeleton = new Skeleton(Array(all).fill(mesh.skeleton.bones[0]), Array(all).fill(new Matrix4()));
  drawn.skeleton.computeBoneTexture();
  drawn.isSkinnedMesh = true;
  drawn.bindMatrix = mesh.bindMatrix;
  drawn.bindMatrixInverse = new Matrix4().copy(mesh.bindMatrix).invert();
  drawn.frustumCulled = false;
  // three.js updates skeletons before it draws, and would read the bones.
  drawn.skeleton.update = () => {};
  drawn.update = () => {
    crowd.writeBoneMatrices(drawn.skeleton.boneMatrices, skin);
    drawn.skeleton.boneTexture.needsUpdate = true;
  };
  drawn.update();
  return drawn;
}

function inModelSpace(mesh) {
  mesh.bindMode = "detached";
  mesh.position.set(0, 0, 0);
  mesh.quaternion.identity();
  mesh.scale.set(1, 1, 1);
  // The bounds of three.js are those of the bones, which no longer move.
  mesh.frustumCulled = false;
}

// Material whose shader reads the bones of the member that is drawn.
function withBonesOfMember(material, bones) {
  const own = material.clone();
  const chunk = ShaderChunk.skinning_pars_vertex.replace("int( i )", `( int( i ) + gl_InstanceID * ${bones} )`);
  own.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace("#include <skinning_pars_vertex>", chunk);
  };
  own.customProgramCacheKey = () => `sinew-crowd-${bones}`;
  return own;
}
