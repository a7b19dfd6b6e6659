"""Compares the motion of BVH files in Blender and in Sinew. Prints the max distance between joints, relative to the extent of the
figure, and exits with 1 if it is above 1e-5.

usage: blender --background --python scripts/bvh-with-blender.py -- SINEW FILE.bvh...

(Debian's Blender 3.4 opens files with mode 'rU', which its Python no longer accepts: write 'r' in its import_bvh.py.)
"""
import json
import subprocess
import sys

import bpy
from mathutils import Matrix, Quaternion, Vector


def json_of(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def places(sinew, file, times):
    """Positions of all joints at some times, by name."""
    sampled = json_of(sinew, 'sample', file, '--time', ','.join(map(str, times)))
    for pose in sampled['samples']:
        model, named = [], {}
        for place, joint in enumerate(sampled['joints']):
            x, y, z, w = pose['rotation'][place]
            local = Matrix.Translation(pose['translation'][place]) @ Quaternion((w, x, y, z)).to_matrix().to_4x4()
            model.append(model[joint['parent']] @ local if joint['parent'] >= 0 else local)
            named[joint['name']] = model[-1].translation
        yield named


def farthest(sinew, file):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=file, axis_forward='-Z', axis_up='Y', frame_start=0)
    armature = bpy.context.object
    words = open(file).read().split('MOTION')[1].split()
    count, step = int(words[1]), float(words[4])
    frames = sorted({0, count // 3, count // 2, count - 1})
    worst = 0.0
    for frame, ours in zip(frames, places(sinew, file, [frame * step for frame in frames])):
        # The first frame is the one after the start.
        bpy.context.scene.frame_set(frame + 1)
        extent = max(max(p[axis] for p in ours.values()) - min(p[axis] for p in ours.values()) for axis in range(3))
        for bone in armature.pose.bones:
            found = armature.matrix_world @ bone.head
            off = (Vector((found.x, found.z, -found.y)) - ours[bone.name]).length
            worst = max(worst, off / (extent or 1.0))
    print(f'{file}: {len(armature.pose.bones)} joints, {count} frames, {worst:.1e} extents off')
    return worst


sinew, *files = sys.argv[sys.argv.index('--') + 1:]
sys.exit(max(farthest(sinew, file) for file in files) > 1e-5)
