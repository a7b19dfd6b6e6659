// Sinew: skeletal character animation, for C11 and C++17.
//
// A frame of a game: a player advances, an actor samples it, solvers correct the pose, and the skin
// goes into a vertex buffer. examples/loop.c is the whole program, README.md explains how to link.
//
// Errors      Every function returns a status, except sinew_error_text and sinew_version. After an
//             error, sinew_error_text explains it, and nothing has changed. New handles are NULL.
// Handles     A handle is the number of an object in the form of a pointer. It is checked by each
//             call: NULL, freed, invented and mixed-up handles give an error. Objects keep what
//             they need of others, so they may be freed in any order, each by its own function.
// Memory      Other pointers are NULL or valid until the call returns; lengths count elements.
//             Texts are UTF-8 and end with a NUL. Lent memory belongs to the library; each function
//             states for how long it is valid.
// Frames      Functions of players, poses, actors and graph players allocate nothing, except those
//             that end in _new, and functions that fail.
// Threads     Different objects may be used by different threads at once. Reading one object from
//             many threads is allowed, too (const handles). If two calls want one object and one of
//             them changes it, the second call returns SINEW_ERROR_BUSY. The library starts no
//             threads. Error texts are per thread.
// Structs     Structs with a size may grow in later versions. Call the init function, or set the
//             size to sizeof, before you set other members.
// Units       Metres if the file is in metres (glTF is), seconds, radians. Model space is the space
//             of the file. Quaternions are x, y, z, w. Matrices are row-major, for column vectors.
// Same bits   Poses have the same bits on every machine, and from every language.

#ifndef SINEW_H
#define SINEW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------------
// Status of a call, and the text of the last error.
// -------------------------------------------------------------------------------------------------

// Result of a call. After an error, sinew_error_text explains it, and the call has changed
// nothing (except after SINEW_ERROR_INTERNAL).
typedef enum sinew_status {
    // Done.
    SINEW_OK = 0,
    // An argument is NULL, too short, not finite or out of range.
    SINEW_ERROR_ARGUMENT = 1,
    // The handle was freed, is of another type, or never came from this library.
    SINEW_ERROR_HANDLE = 2,
    // Another thread, or the call whose callback is running, is using the object.
    SINEW_ERROR_BUSY = 3,
    // There is no clip, joint, state or parameter with this name.
    SINEW_ERROR_NAME = 4,
    // The file cannot be read or written, or its bytes are not valid.
    SINEW_ERROR_FILE = 5,
    // The content does not allow this: a clip that cannot be packed, a graph with a wrong name.
    SINEW_ERROR_CONTENT = 6,
    // The objects belong to different rigs.
    SINEW_ERROR_RIG = 7,
    // A defect of this library. An object that the call was changing can only be freed; others
    // stay usable. Please report it with the text.
    SINEW_ERROR_INTERNAL = 8,
} sinew_status;

// Text of the last error of this thread: the call, the problem, its location and a remedy, in
// UTF-8. Empty before the first error. Valid until the next error of this thread.
const char *sinew_error_text(void);

// Version of the library, for example "0.1.0".
const char *sinew_version(void);

// -------------------------------------------------------------------------------------------------
// Plain values.
// -------------------------------------------------------------------------------------------------

// Skinning method of a rig.
typedef int32_t sinew_method;
// Moves a vertex only with its heaviest joint.
#define SINEW_METHOD_RIGID 0
// Linear blend skinning.
#define SINEW_METHOD_LINEAR 1
// Dual quaternion skinning with scale. Twisted limbs keep their volume.
#define SINEW_METHOD_DUAL_QUAT 2

// Index that stands for none, such as the parent of the root.
#define SINEW_NONE UINT32_MAX

// Transform of a joint in the frame of its parent: scale first, then rotation, then translation.
typedef struct sinew_transform {
    // In units of the model.
    float translation[3];
    // Unit quaternion x, y, z, w.
    float rotation[4];
    // Factors along the axes of the joint.
    float scale[3];
} sinew_transform;

// Movement of a character over the ground.
typedef struct sinew_placement {
    // In units of the model, in the frame of the character before the step.
    double translation[3];
    // Rotation about the up axis, in radians.
    double heading_rad;
} sinew_placement;

// -------------------------------------------------------------------------------------------------
// Bytes that a call made: packed clips, measurements as JSON.
// -------------------------------------------------------------------------------------------------

// Bytes or a text that a call made. The caller frees it.
typedef struct sinew_bytes sinew_bytes;

// Address and length of the bytes, valid until they are freed. A NUL follows the last byte, so a
// text is a C string. The length does not count it.
sinew_status sinew_bytes_data(const sinew_bytes *bytes, const uint8_t **data, size_t *len);

// Frees the bytes. NULL is allowed.
sinew_status sinew_bytes_free(sinew_bytes *bytes);

// -------------------------------------------------------------------------------------------------
// Characters: files in and out.
// -------------------------------------------------------------------------------------------------

// Contents of a file: skeleton, meshes, skins and clips.
typedef struct sinew_character sinew_character;

// Reads a file: glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew. path is UTF-8. Files that it
// refers to are read, too.
sinew_status sinew_character_load(const char *path, sinew_character **character);

// Reads a file from memory. Files that it refers to are not read. Does not keep bytes.
sinew_status sinew_character_load_bytes(
    const uint8_t *bytes,
    size_t len,
    sinew_character **character);

// Writes a .glb, or a .gltf with a .bin beside it. An existing file is replaced once the new file
// is complete.
sinew_status sinew_character_save(const sinew_character *character, const char *path);

// Repairs and omissions of the import, one per line. Empty if there were none. Valid until the
// character is freed.
sinew_status sinew_character_report(const sinew_character *character, const char **report);

// Number of clips.
sinew_status sinew_character_clip_count(const sinew_character *character, uint32_t *count);

// Name of a clip. Valid until the character is freed.
sinew_status sinew_character_clip_name(
    const sinew_character *character,
    uint32_t clip,
    const char **name);

// Frees a character. Rigs that were made from it stay valid. NULL is allowed.
sinew_status sinew_character_free(sinew_character *character);

// -------------------------------------------------------------------------------------------------
// Tools that change or measure a character. They take from milliseconds to seconds.
// -------------------------------------------------------------------------------------------------

// Options of sinew_character_retarget.
typedef struct sinew_retarget {
    // Size of this struct, set by its init function.
    size_t size;
    // Nonzero to hold the feet of the target while the feet of the source stand. Default 1.
    int32_t feet;
    // Nonzero to move the hands to the positions of the source, in arm spans. Default 0.
    int32_t hands;
    // Factor from source lengths to target lengths, above 0. Default 0: the ratio of hip heights.
    float scale;
} sinew_retarget;

// Method of sinew_character_bind.
typedef int32_t sinew_bind_method;
// Visible curves, smoothed by diffusion. Cloth and loose parts are separate. Usually best.
#define SINEW_BIND_AUTO 0
// The nearest curve, with a blend within half a bone of each joint.
#define SINEW_BIND_BEZIER 1
// A blend between the middles of neighbouring bones.
#define SINEW_BIND_BEZIER_WIDE 2
// Diffusion from the bones through the solid of the mesh.
#define SINEW_BIND_HEAT 3
// Only the nearest bone.
#define SINEW_BIND_RIGID 4

// Options of sinew_character_bind.
typedef struct sinew_bind {
    // Size of this struct, set by its init function.
    size_t size;
    // Method that finds weights. Default SINEW_BIND_AUTO.
    sinew_bind_method method;
    // Max number of influences per vertex, at least 1. Default 4.
    uint32_t influences;
    // Nonzero to keep existing weights except near joints. Default 0.
    int32_t correct;
} sinew_bind;

// Packs clips within a measured error and gives the bytes of a .sinew file. clip is a name or
// an index as text, or NULL for all clips. max_error is the max displacement in units of the
// model: if that is the metre, 1e-4 is a tenth of a millimetre.
sinew_status sinew_character_pack(
    const sinew_character *character,
    const char *clip,
    float max_error,
    sinew_bytes **bytes);

// Sets the defaults. size is sizeof(sinew_retarget).
sinew_status sinew_retarget_init(sinew_retarget *options, size_t size);

// Transfers a clip of source to the body of target, as a new last clip of target. Joints
// are paired by role, or by equal names. options may be NULL.
sinew_status sinew_character_retarget(
    sinew_character *target,
    const sinew_character *source,
    const char *clip,
    const sinew_retarget *options);

// Sets the defaults. size is sizeof(sinew_bind).
sinew_status sinew_bind_init(sinew_bind *options, size_t size);

// Computes weights for every mesh of a character that has none. With skeleton, the character
// first gets the skeleton of that character, and must not have clips. skeleton and options
// may be NULL.
sinew_status sinew_character_bind(
    sinew_character *character,
    const sinew_character *skeleton,
    const sinew_bind *options);

// Measures the deformation over a clip, as JSON: one entry per frame with the members of
// sinew measure --json. clip may be NULL for the rest pose. frames_per_sec is above 0.
sinew_status sinew_character_measure(
    const sinew_character *character,
    const char *clip,
    sinew_method skinning,
    double frames_per_sec,
    sinew_bytes **json);

// -------------------------------------------------------------------------------------------------
// Rigs: characters ready to play, with their joints and clips.
// -------------------------------------------------------------------------------------------------

// Character ready to play: skeleton, clips and surface, shared by all its actors.
typedef struct sinew_rig sinew_rig;

// Prepares the meshes and clips of a character. Does not keep the character.
sinew_status sinew_rig_new(
    const sinew_character *character,
    sinew_method skinning,
    sinew_rig **rig);

// As sinew_rig_new, but plays the packed clips of a .sinew file, which must be of the same
// skeleton. Does not keep bytes.
sinew_status sinew_rig_new_packed(
    const sinew_character *character,
    sinew_method skinning,
    const uint8_t *bytes,
    size_t len,
    sinew_rig **rig);

// Number of joints. Joints are numbered from 0, parents first; 0 is the root.
sinew_status sinew_rig_joint_count(const sinew_rig *rig, uint32_t *count);

// Name of a joint. Valid until the rig is freed.
sinew_status sinew_rig_joint_name(const sinew_rig *rig, uint32_t joint, const char **name);

// Parent of a joint, or SINEW_NONE for the root.
sinew_status sinew_rig_joint_parent(const sinew_rig *rig, uint32_t joint, uint32_t *parent);

// Index of the joint with this name. An error names similar joints.
sinew_status sinew_rig_find_joint(const sinew_rig *rig, const char *name, uint32_t *joint);

// Number of clips.
sinew_status sinew_rig_clip_count(const sinew_rig *rig, uint32_t *count);

// Name of a clip. Valid until the rig is freed.
sinew_status sinew_rig_clip_name(const sinew_rig *rig, uint32_t clip, const char **name);

// Duration of a clip in seconds.
sinew_status sinew_rig_clip_duration_secs(
    const sinew_rig *rig,
    uint32_t clip,
    float *duration_secs);

// Number of parts. A part is a primitive of a mesh at a node, with one material.
sinew_status sinew_rig_part_count(const sinew_rig *rig, uint32_t *count);

// Range of the vertices of a part among the vertices of the rig.
sinew_status sinew_rig_part_vertices(
    const sinew_rig *rig,
    uint32_t part,
    size_t *first,
    size_t *count);

// Number of vertices that sinew_actor_skin writes.
sinew_status sinew_rig_vertex_count(const sinew_rig *rig, size_t *count);

// Writes the index buffer of all triangles, three vertices each. count gets the number of
// indices. With indices NULL, only the count is written; otherwise capacity must suffice.
sinew_status sinew_rig_indices(
    const sinew_rig *rig,
    uint32_t *indices,
    size_t capacity,
    size_t *count);

// Frees a rig. Players, actors, poses and graphs that were made from it stay valid. NULL is
// allowed.
sinew_status sinew_rig_free(sinew_rig *rig);

// -------------------------------------------------------------------------------------------------
// Players: a clip with its playback time.
// -------------------------------------------------------------------------------------------------

// Clip of a rig with its playback time.
typedef struct sinew_player sinew_player;

// Behaviour of a player past the ends of its clip.
typedef int32_t sinew_wrap;
// Starts over.
#define SINEW_WRAP_LOOP 0
// Stays at the end.
#define SINEW_WRAP_CLAMP 1
// Reverses: every second cycle plays backwards.
#define SINEW_WRAP_PING_PONG 2

// Event of a clip that playback has passed.
typedef struct sinew_event {
    // Name of the event. Valid during the callback.
    const char *name;
    // Time of the event in its clip, in seconds.
    float time_secs;
    // Weight of the clip during the step, in (0, 1]. 1 for a player of one clip.
    float weight;
    // Index of the clip in the rig.
    uint32_t clip;
    // Layer of the graph. 0 is the base layer.
    uint32_t layer;
} sinew_event;

// Function that receives events in order, with the pointer user of the call. It must return
// normally: a longjmp is not allowed, and a C++ exception ends the program. The object that
// advances is busy meanwhile.
typedef void (*sinew_event_callback)(void *user, const sinew_event *event);

// Makes a looping player at the start of a clip. clip is a name, or an index as text.
sinew_status sinew_player_new(const sinew_rig *rig, const char *clip, sinew_player **player);

// Advances by dt_secs times the speed, and calls callback for each event passed. callback
// may be NULL. Steps neither miss nor repeat an event. Only of a step over more than 65,536
// cycles, the last 65,536 fire events.
sinew_status sinew_player_advance(
    sinew_player *player,
    double dt_secs,
    sinew_event_callback callback,
    void *user);

// Jumps to a time in seconds, without events. A looping player takes any finite time.
sinew_status sinew_player_seek(sinew_player *player, double time_secs);

// Sets the speed in clip seconds per second. Negative values play backwards. Default 1.
sinew_status sinew_player_set_speed(sinew_player *player, double speed);

// Sets the behaviour past the ends of the clip, and keeps the time within the clip. Default
// SINEW_WRAP_LOOP.
sinew_status sinew_player_set_wrap(sinew_player *player, sinew_wrap wrap);

// Playback time within the clip, in seconds.
sinew_status sinew_player_time_secs(const sinew_player *player, double *time_secs);

// Frees a player. NULL is allowed.
sinew_status sinew_player_free(sinew_player *player);

// -------------------------------------------------------------------------------------------------
// Poses that the caller blends, and masks for parts of the body.
// -------------------------------------------------------------------------------------------------

// One transform per joint of a rig, each in the frame of its parent.
typedef struct sinew_pose sinew_pose;

// Weight in [0, 1] per joint of a rig, to blend only a part of the body.
typedef struct sinew_mask sinew_mask;

// Makes a pose at rest.
sinew_status sinew_pose_new(const sinew_rig *rig, sinew_pose **pose);

// Samples the clip of a player at its time.
sinew_status sinew_pose_sample(sinew_pose *pose, const sinew_player *player);

// Transform of a joint.
sinew_status sinew_pose_get(const sinew_pose *pose, uint32_t joint, sinew_transform *transform);

// Sets the transform of a joint. All numbers must be finite, the rotation a unit quaternion.
sinew_status sinew_pose_set(sinew_pose *pose, uint32_t joint, const sinew_transform *transform);

// Frees a pose. NULL is allowed.
sinew_status sinew_pose_free(sinew_pose *pose);

// Makes a mask from one weight per joint, each in [0, 1]. count must be the number of joints.
sinew_status sinew_mask_new(
    const sinew_rig *rig,
    const float *weights,
    size_t count,
    sinew_mask **mask);

// Makes a mask of 1 for a joint and all joints below it, and 0 for others.
sinew_status sinew_mask_below(const sinew_rig *rig, uint32_t joint, sinew_mask **mask);

// Frees a mask. NULL is allowed.
sinew_status sinew_mask_free(sinew_mask *mask);

// -------------------------------------------------------------------------------------------------
// Actors: playing instances of a rig, from a pose to vertices.
// -------------------------------------------------------------------------------------------------

// Playing instance of a rig: a pose, palettes and working memory.
typedef struct sinew_actor sinew_actor;

// Pose with a weight, for sinew_actor_blend.
typedef struct sinew_layer {
    // Pose of the rig of the actor.
    const sinew_pose *pose;
    // Weights per joint, or NULL for all joints.
    const sinew_mask *mask;
    // Weight in [0, 1e6]. If the weights of a joint sum to less than 1, the rest pose gets the
    // remainder; sums above 1 are divided by the sum.
    float weight;
} sinew_layer;

// Max number of layers of sinew_actor_blend.
#define SINEW_MAX_LAYERS 32

// Order of the vertices that sinew_actor_skin writes.
typedef int32_t sinew_order;
// Order of the meshes, so that sinew_rig_indices fit.
#define SINEW_ORDER_MESH 0
// Order in which they are computed, which is faster. Indices do not fit.
#define SINEW_ORDER_PLAN 1

// Layout of a vertex in a buffer of the caller. Offsets and stride are in floats.
typedef struct sinew_layout {
    // Size of this struct, set by its init function.
    size_t size;
    // Distance from one vertex to the next. Default 6.
    uint32_t stride;
    // Offset of the position, three floats. Default 0.
    uint32_t position;
    // Offset of the normal, or SINEW_NONE. Default 3.
    uint32_t normal;
    // Offset of the tangent, or SINEW_NONE. The caller writes the handedness. Default none.
    uint32_t tangent;
    // Order of the vertices. Default SINEW_ORDER_MESH.
    sinew_order order;
    // Nonzero to write normals and tangents as four signed normalised 16-bit numbers, in the
    // space of two floats. Default 0: three floats.
    int32_t snorm16;
} sinew_layout;

// Box around vertices, in model space.
typedef struct sinew_bounds {
    // Corner with the lowest coordinates.
    float min[3];
    // Corner with the highest coordinates.
    float max[3];
} sinew_bounds;

// Palette of a part, for skinning on the GPU. The caller sets size to sizeof(sinew_palette).
typedef struct sinew_palette {
    // Size of this struct, set by the caller.
    size_t size;
    // SINEW_METHOD_LINEAR: a row-major 3x4 matrix model_from_bind per joint of the skin.
    // SINEW_METHOD_DUAL_QUAT: dual quaternions.
    sinew_method method;
    // Number of joints of the skin.
    uint32_t joints;
    // Numbers of all joints. Valid until the next call with this actor.
    const float *floats;
    // Floats per joint. 12 for matrices. For dual quaternions, 8 if all joints share one uniform
    // scale: real part and dual part. Otherwise 25, for a joint that maps x to R S (x - c) + d:
    // the quaternion q of R; d q / 2; xx, xy, xz, yy, yz and zz of S; -S c; c; the scale, which is
    // the signed cube root of the determinant of S; q c / 2.
    uint32_t floats_per_joint;
    // Scale that all joints share, if floats_per_joint is 8. Otherwise 1.
    float scale;
} sinew_palette;

// Makes an actor at rest. It keeps what it needs of the rig.
sinew_status sinew_actor_new(const sinew_rig *rig, sinew_actor **actor);

// Samples the clip of a player of the same rig. Sets the pose and the morph weights.
sinew_status sinew_actor_sample(sinew_actor *actor, const sinew_player *player);

// Sets the pose to the weighted mean of layers. Their order does not matter. count is at most
// SINEW_MAX_LAYERS; with 0 layers, the actor goes to rest.
sinew_status sinew_actor_blend(sinew_actor *actor, const sinew_layer *layers, size_t count);

// Copies the pose of the actor, for example to give it to a physics engine.
sinew_status sinew_actor_get_pose(const sinew_actor *actor, sinew_pose *pose);

// Sets the pose of the actor.
sinew_status sinew_actor_set_pose(sinew_actor *actor, const sinew_pose *pose);

// Maps from the frame of each joint to model space: row-major 3x4 matrices, 12 floats per joint,
// in the order of joints. floats is valid until the next call with this actor.
sinew_status sinew_actor_model(sinew_actor *actor, const float **floats, size_t *count);

// Writes the map of one joint, found by name: 12 floats, as in sinew_actor_model. For a sword
// in a hand.
sinew_status sinew_actor_socket(sinew_actor *actor, const char *joint, float *floats);

// Palette of a part in this pose.
sinew_status sinew_actor_palette(sinew_actor *actor, uint32_t part, sinew_palette *palette);

// Sets the defaults: position and normal, six floats per vertex. size is
// sizeof(sinew_layout).
sinew_status sinew_layout_init(sinew_layout *layout, size_t size);

// Skins all parts into an interleaved buffer of count floats, which needs the vertex count of
// the rig times the stride. Floats outside the layout stay unchanged. layout may be NULL for
// the defaults, bounds may be NULL. Without vertices, bounds is all zeros.
sinew_status sinew_actor_skin(
    sinew_actor *actor,
    float *buffer,
    size_t count,
    const sinew_layout *layout,
    sinew_bounds *bounds);

// Frees an actor. NULL is allowed.
sinew_status sinew_actor_free(sinew_actor *actor);

// -------------------------------------------------------------------------------------------------
// Inverse kinematics on the pose of an actor.
// -------------------------------------------------------------------------------------------------

// Result of a solver. The caller sets size to sizeof(sinew_ik_report).
typedef struct sinew_ik_report {
    // Size of this struct, set by the caller.
    size_t size;
    // 1 if the goal is reached within the tolerance of the solver, else 0.
    int32_t reached;
    // Number of joints that limits stop.
    uint32_t at_limits;
    // Remaining distance to the goal in units of the model. For an aim, the angle in radians.
    float residual;
} sinew_ik_report;

// Two bones and their goal, for an arm or a leg.
typedef struct sinew_two_bone {
    // Size of this struct, set by its init function.
    size_t size;
    // Joint at the body: shoulder or hip.
    uint32_t upper;
    // Elbow or knee, below upper. Joints between do not rotate.
    uint32_t lower;
    // Joint that carries the point that should reach the goal: hand or foot.
    uint32_t tip;
    // Position of this point in the frame of the joint. Default 0, 0, 0.
    float tip_offset[3];
    // Goal in model space.
    float goal[3];
    // Nonzero if pole counts. Default 0: the elbow keeps its plane.
    int32_t has_pole;
    // Point in model space toward which the elbow points.
    float pole[3];
    // Nonzero if bend_axis counts. Default 0.
    int32_t has_bend_axis;
    // Bend axis of a straight elbow, in the frame of the parent of the elbow.
    float bend_axis[3];
    // Fraction of the reach, in [0, 1], over which the arm slows down before it is straight.
    // Default 0.
    float soft;
    // Fraction of the rotation to apply, in [0, 1]. Default 1.
    float weight;
} sinew_two_bone;

// Joint that takes part in an aim.
typedef struct sinew_share {
    // Joint that rotates.
    uint32_t joint;
    // Fraction of the whole rotation, 0 or more. All shares sum to at most 1. With less, the line
    // of sight does not reach the target.
    float part;
} sinew_share;

// Max number of shares of an aim.
#define SINEW_MAX_SHARES 64

// Joints that rotate, and the target that they look at.
typedef struct sinew_aim {
    // Size of this struct, set by its init function.
    size_t size;
    // Joints from the body outward, each below the one before, 1 to SINEW_MAX_SHARES.
    const sinew_share *shares;
    // Number of shares.
    size_t share_count;
    // Joint that carries the start of the line of sight.
    uint32_t eye;
    // Position of the start in the frame of this joint. Default 0, 0, 0.
    float eye_offset[3];
    // Direction of the line of sight in the frame of this joint. Default 0, 0, 1.
    float axis[3];
    // Target in model space.
    float target[3];
    // Nonzero if up_axis and up count. Default 0: joints swing but do not roll.
    int32_t has_up;
    // Axis that should point up, in the frame of the joint of the eye.
    float up_axis[3];
    // Direction that is up, in model space.
    float up[3];
    // Fraction of the rotation to apply, in [0, 1]. Default 1.
    float weight;
} sinew_aim;

// Chain of joints from a base to a tip, with the memory of its solver.
typedef struct sinew_chain sinew_chain;

// Goal of a chain and its stop conditions.
typedef struct sinew_reach {
    // Size of this struct, set by its init function.
    size_t size;
    // Goal of the tip in model space.
    float goal[3];
    // Max number of sweeps over the chain. Default 100.
    uint32_t max_iterations;
    // Max distance of the tip from the goal, in lengths of the chain. Default 1e-4.
    float tolerance;
} sinew_reach;

// Leg, and the ground under its foot.
typedef struct sinew_foot {
    // Joint at the pelvis.
    uint32_t hip;
    // Joint that bends.
    uint32_t knee;
    // Joint that tilts with the ground.
    uint32_t ankle;
    // Contact point with the ground, in the frame of the ankle.
    float sole[3];
    // Point of the ground under the foot, in model space.
    float ground[3];
    // Normal of the ground in model space, of any length above 0.
    float normal[3];
} sinew_foot;

// Max number of feet.
#define SINEW_MAX_FEET 8

// Options of sinew_actor_place_feet. Lengths are in units of the model.
typedef struct sinew_feet {
    // Size of this struct, set by its init function.
    size_t size;
    // Joint that carries the legs. It moves but does not rotate. Default 0, the root.
    uint32_t pelvis;
    // Up direction in model space. Default +Y. The floor is at the origin.
    float up[3];
    // Max distance that the pelvis moves down, 0 or more. Default 0.3.
    float max_drop;
    // Max distance that the pelvis moves up, 0 or more. Default 0.1.
    float max_rise;
    // Max tilt of the ankles in radians, 0 or more. Default 0.6.
    float max_tilt_rad;
} sinew_feet;

// Sets the defaults. size is sizeof(sinew_two_bone).
sinew_status sinew_two_bone_init(sinew_two_bone *job, size_t size);

// Moves the tip of two bones to a goal, within the limits of the joints. result may be NULL.
sinew_status sinew_actor_two_bone(
    sinew_actor *actor,
    const sinew_two_bone *job,
    sinew_ik_report *result);

// Sets the defaults. size is sizeof(sinew_aim).
sinew_status sinew_aim_init(sinew_aim *job, size_t size);

// Aims an eye at a target, with a head, neck and spine or a turret. result may be NULL.
sinew_status sinew_actor_aim(sinew_actor *actor, const sinew_aim *job, sinew_ik_report *result);

// Makes a chain from the joint base down to the joint tip. tip_offset is the position of
// the end point in the frame of tip, three floats, or NULL for its origin.
sinew_status sinew_chain_new(
    const sinew_rig *rig,
    uint32_t base,
    uint32_t tip,
    const float *tip_offset,
    sinew_chain **chain);

// Sets the defaults. size is sizeof(sinew_reach).
sinew_status sinew_reach_init(sinew_reach *reach, size_t size);

// Moves the tip of a chain to a goal by cyclic coordinate descent. Joints near the tip rotate
// farthest. result may be NULL.
sinew_status sinew_actor_ccd(
    sinew_actor *actor,
    sinew_chain *chain,
    const sinew_reach *reach,
    sinew_ik_report *result);

// Moves the tip of a chain to a goal by forward and backward reaching (FABRIK). result may be
// NULL.
sinew_status sinew_actor_fabrik(
    sinew_actor *actor,
    sinew_chain *chain,
    const sinew_reach *reach,
    sinew_ik_report *result);

// Frees a chain. NULL is allowed.
sinew_status sinew_chain_free(sinew_chain *chain);

// Sets the defaults. size is sizeof(sinew_feet).
sinew_status sinew_feet_init(sinew_feet *options, size_t size);

// Puts feet on the ground: moves the pelvis, bends the legs and tilts the ankles. count is 1 to
// SINEW_MAX_FEET. reached gets 1 or 0 per foot, rise the upward movement of the pelvis in
// units of the model; both may be NULL.
sinew_status sinew_actor_place_feet(
    sinew_actor *actor,
    const sinew_feet *options,
    const sinew_foot *feet,
    size_t count,
    int32_t *reached,
    float *rise);

// -------------------------------------------------------------------------------------------------
// Graphs (state machines) and their players.
// -------------------------------------------------------------------------------------------------

// State machine with the clips of a rig, shared by all its players.
typedef struct sinew_graph sinew_graph;

// State of one character in a graph: parameters, states and phases.
typedef struct sinew_graph_player sinew_graph_player;

// Makes a graph from JSON, as docs/graph.md describes it. json is UTF-8 and needs no NUL.
sinew_status sinew_graph_new(
    const sinew_rig *rig,
    const char *json,
    size_t len,
    sinew_graph **graph);

// Takes the motion of a joint over the ground (+Y is up) out of the poses, as root motion of the
// character. Affects players that are made afterwards.
sinew_status sinew_graph_set_root(sinew_graph *graph, const char *joint);

// Frees a graph. Its players stay valid. NULL is allowed.
sinew_status sinew_graph_free(sinew_graph *graph);

// Makes a player at the start of the initial state.
sinew_status sinew_graph_player_new(const sinew_graph *graph, sinew_graph_player **player);

// Sets a parameter. Poses change with the next update.
sinew_status sinew_graph_player_set(sinew_graph_player *player, const char *parameter, float value);

// Value of a parameter as set, without smoothing.
sinew_status sinew_graph_player_get(
    const sinew_graph_player *player,
    const char *parameter,
    float *value);

// Advances by dt_secs, 0 or more, makes transitions, and calls callback for each event
// passed. callback may be NULL.
sinew_status sinew_graph_player_update(
    sinew_graph_player *player,
    double dt_secs,
    sinew_event_callback callback,
    void *user);

// Poses an actor of the rig of the graph, and sets its morph weights.
sinew_status sinew_graph_player_pose(sinew_graph_player *player, sinew_actor *actor);

// Name of the state of the base layer. During a transition, name of the new state. Valid until
// the player is freed.
sinew_status sinew_graph_player_state(const sinew_graph_player *player, const char **state);

// Phase of the base layer in cycles. It exceeds 1 after a loop.
sinew_status sinew_graph_player_phase(const sinew_graph_player *player, double *phase);

// 1 while a layer still shows an earlier state, else 0.
sinew_status sinew_graph_player_is_in_transition(
    const sinew_graph_player *player,
    int32_t *is_in_transition);

// Enters a state of the base layer at phase, in cycles, without a transition or events.
sinew_status sinew_graph_player_jump(sinew_graph_player *player, const char *state, double phase);

// Root motion of the last update. All zeros without sinew_graph_set_root.
sinew_status sinew_graph_player_root_step(const sinew_graph_player *player, sinew_placement *step);

// Frees a player. NULL is allowed.
sinew_status sinew_graph_player_free(sinew_graph_player *player);

#ifdef __cplusplus
}
#endif

#endif
