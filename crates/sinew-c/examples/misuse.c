// Wrong calls and broken files: each gives an error and never crashes. Run it with sanitizers.
//
// usage: misuse FOLDER COUNT
// FOLDER gets small.glb. COUNT mutated files go through each call that reads a file.

#include "sinew.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(sinew_status status, sinew_status expected, int line) {
    if (status == expected) return;
    fprintf(stderr, "line %d: status %d, not %d: %s\n", line, status, expected, sinew_error_text());
    failures++;
}
#define OK(call) expect((call), SINEW_OK, __LINE__)
#define ARGUMENT(call) expect((call), SINEW_ERROR_ARGUMENT, __LINE__)
#define HANDLE(call) expect((call), SINEW_ERROR_HANDLE, __LINE__)
#define FAILS(status, call) expect((call), (status), __LINE__)

static const char MOTION[] =
    "HIERARCHY\n"
    "ROOT hips { OFFSET 0 1 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    " JOINT thigh { OFFSET 0.1 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "  JOINT shin { OFFSET 0 -0.5 0 CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "   End Site { OFFSET 0 -0.5 0 } } } }\n"
    "MOTION\nFrames: 3\nFrame Time: 0.1\n"
    "0 1 0 0 0 0 0 10 0 0 -20 0\n"
    "0 1 0.1 0 0 0 0 30 0 0 -40 0\n"
    "0 1 0.2 0 0 0 0 10 0 0 -20 0\n";

static const char MACHINE[] =
    "{\"parameters\": [{\"name\": \"speed\"}],"
    "\"states\": [{\"name\": \"stand\", \"motion\": {\"clip\": \"0\"}}, {\"name\": \"move\", \"motion\": {\"clip\": \"0\"}}],"
    "\"transitions\": [{\"from\": \"stand\", \"to\": \"move\", \"when\": [{\"above\": {\"parameter\": \"speed\", \"value\": 1}}],"
    "\"duration_secs\": 0.3}]}";

// A column around the joints of MOTION.
static const char MESH[] =
    "v -0.1 0 -0.1\nv 0.2 0 -0.1\nv 0.2 0 0.1\nv -0.1 0 0.1\n"
    "v -0.1 1.1 -0.1\nv 0.2 1.1 -0.1\nv 0.2 1.1 0.1\nv -0.1 1.1 0.1\n"
    "f 1 2 3 4\nf 5 8 7 6\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";

typedef struct {
    sinew_character *character;
    sinew_rig *rig;
    sinew_actor *actor;
    sinew_player *player;
    sinew_pose *pose;
    sinew_graph *graph;
    sinew_graph_player *graph_player;
} scene;

static scene made(void) {
    scene s;
    char machine[sizeof MACHINE];
    const char *clip;
    OK(sinew_character_load_bytes((const uint8_t *)MOTION, sizeof MOTION - 1, &s.character));
    OK(sinew_character_clip_name(s.character, 0, &clip));
    memcpy(machine, MACHINE, sizeof MACHINE);
    OK(sinew_rig_new(s.character, SINEW_METHOD_LINEAR, &s.rig));
    OK(sinew_actor_new(s.rig, &s.actor));
    OK(sinew_player_new(s.rig, clip, &s.player));
    OK(sinew_pose_new(s.rig, &s.pose));
    OK(sinew_graph_new(s.rig, machine, sizeof MACHINE - 1, &s.graph));
    OK(sinew_graph_player_new(s.graph, &s.graph_player));
    return s;
}

static void freed(scene s) {
    OK(sinew_graph_player_free(s.graph_player));
    OK(sinew_graph_free(s.graph));
    OK(sinew_pose_free(s.pose));
    OK(sinew_player_free(s.player));
    OK(sinew_actor_free(s.actor));
    OK(sinew_rig_free(s.rig));
    OK(sinew_character_free(s.character));
}

static void null_is_refused(scene s) {
    sinew_rig *rig;
    sinew_character *character;
    uint32_t index;
    size_t count;
    const float *floats;
    ARGUMENT(sinew_character_load(NULL, &character));
    ARGUMENT(sinew_character_load("x.glb", NULL));
    ARGUMENT(sinew_character_load_bytes(NULL, 8, &character));
    FAILS(SINEW_ERROR_FILE, sinew_character_load_bytes(NULL, 0, &character));
    if (character) failures++;
    ARGUMENT(sinew_rig_new(NULL, SINEW_METHOD_LINEAR, &rig));
    ARGUMENT(sinew_rig_new(s.character, SINEW_METHOD_LINEAR, NULL));
    ARGUMENT(sinew_rig_find_joint(s.rig, NULL, &index));
    ARGUMENT(sinew_rig_find_joint(s.rig, "hips", NULL));
    ARGUMENT(sinew_actor_sample(NULL, s.player));
    ARGUMENT(sinew_actor_sample(s.actor, NULL));
    ARGUMENT(sinew_actor_model(s.actor, NULL, &count));
    ARGUMENT(sinew_actor_model(s.actor, &floats, NULL));
    ARGUMENT(sinew_actor_blend(s.actor, NULL, 1));
    ARGUMENT(sinew_actor_two_bone(s.actor, NULL, NULL));
    ARGUMENT(sinew_player_seek(NULL, 0.0));
    ARGUMENT(sinew_graph_player_set(s.graph_player, NULL, 1.0f));
    OK(sinew_rig_free(NULL));
    OK(sinew_actor_free(NULL));
    OK(sinew_bytes_free(NULL));
}

static void wrong_handles_are_refused(scene s) {
    sinew_actor *actor, *again;
    sinew_player *player;
    int on_stack = 0;
    OK(sinew_actor_new(s.rig, &actor));
    OK(sinew_actor_free(actor));
    HANDLE(sinew_actor_free(actor));
    HANDLE(sinew_actor_sample(actor, s.player));
    OK(sinew_actor_new(s.rig, &again)); // uses the same slot
    HANDLE(sinew_actor_sample(actor, s.player));
    HANDLE(sinew_actor_free(actor));
    OK(sinew_actor_sample(again, s.player));
    OK(sinew_actor_free(again));
    HANDLE(sinew_actor_sample((sinew_actor *)(void *)s.player, s.player));
    HANDLE(sinew_player_free((sinew_player *)(void *)s.actor));
    HANDLE(sinew_actor_sample((sinew_actor *)(void *)&on_stack, s.player));
    HANDLE(sinew_rig_free((sinew_rig *)(uintptr_t)1));
    HANDLE(sinew_rig_free((sinew_rig *)UINTPTR_MAX));

    scene other = made();
    OK(sinew_player_new(other.rig, "0", &player));
    FAILS(SINEW_ERROR_RIG, sinew_actor_sample(s.actor, player));
    FAILS(SINEW_ERROR_RIG, sinew_pose_sample(s.pose, player));
    FAILS(SINEW_ERROR_RIG, sinew_graph_player_pose(other.graph_player, s.actor));
    OK(sinew_player_free(player));
    freed(other);
}

static void wrong_lengths_and_numbers_are_refused(scene s) {
    const float bad[] = {NAN, INFINITY, -INFINITY};
    float weights[3] = {1.0f, 1.0f, 1.0f};
    sinew_mask *mask;
    sinew_chain *chain;
    sinew_transform at;
    sinew_two_bone job;
    sinew_layout layout;
    uint32_t index;
    ARGUMENT(sinew_mask_new(s.rig, weights, 2, &mask));
    ARGUMENT(sinew_actor_socket(s.actor, "hips", NULL));
    ARGUMENT(sinew_pose_get(s.pose, 1000, &at));
    ARGUMENT(sinew_rig_joint_parent(s.rig, UINT32_MAX, &index));
    FAILS(SINEW_ERROR_NAME, sinew_rig_find_joint(s.rig, "hip", &index));
    ARGUMENT(sinew_two_bone_init(&job, 4));
    memset(&job, 0, sizeof job);
    ARGUMENT(sinew_actor_two_bone(s.actor, &job, NULL)); // its init function was not called
    OK(sinew_two_bone_init(&job, sizeof job));
    job.upper = 1000;
    ARGUMENT(sinew_actor_two_bone(s.actor, &job, NULL));
    OK(sinew_layout_init(&layout, sizeof layout));
    layout.normal = 2;
    ARGUMENT(sinew_actor_skin(s.actor, weights, 3, &layout, NULL));
    ARGUMENT(sinew_actor_blend(s.actor, NULL, SIZE_MAX));
    ARGUMENT(sinew_rig_new(s.character, 77, &(sinew_rig *){NULL}));
    OK(sinew_pose_get(s.pose, 0, &at));
    for (size_t i = 0; i < 3; i++) {
        sinew_transform wrong = at;
        wrong.translation[1] = bad[i];
        ARGUMENT(sinew_pose_set(s.pose, 0, &wrong));
        ARGUMENT(sinew_player_seek(s.player, bad[i]));
        ARGUMENT(sinew_player_set_speed(s.player, bad[i]));
        ARGUMENT(sinew_player_advance(s.player, bad[i], NULL, NULL));
        ARGUMENT(sinew_graph_player_update(s.graph_player, bad[i], NULL, NULL));
        ARGUMENT(sinew_graph_player_set(s.graph_player, "speed", bad[i]));
        sinew_layer layer = {s.pose, NULL, bad[i]};
        ARGUMENT(sinew_actor_blend(s.actor, &layer, 1));
        weights[2] = bad[i];
        ARGUMENT(sinew_mask_new(s.rig, weights, 3, &mask));
        ARGUMENT(sinew_chain_new(s.rig, 0, 2, (float[3]){bad[i], 0, 0}, &chain));
        OK(sinew_two_bone_init(&job, sizeof job));
        job.lower = 1, job.tip = 2, job.goal[0] = bad[i];
        ARGUMENT(sinew_actor_two_bone(s.actor, &job, NULL));
    }
    memset(&at.rotation, 0, sizeof at.rotation);
    ARGUMENT(sinew_pose_set(s.pose, 0, &at));
}

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t xorshift(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// Changes up to eight bytes, and cuts every fourth file.
static size_t mutate(const uint8_t *from, size_t len, uint8_t *to) {
    memcpy(to, from, len);
    for (uint64_t left = 1 + xorshift() % 8; left > 0; left--) {
        size_t at = xorshift() % len;
        to[at] = xorshift() % 2 ? (uint8_t)xorshift() : (uint8_t)(to[at] ^ (1u << xorshift() % 8));
    }
    return xorshift() % 4 ? len : xorshift() % len;
}

typedef sinew_status (*reader)(const scene *s, const uint8_t *bytes, size_t len);

static sinew_status read_character(const scene *s, const uint8_t *bytes, size_t len) {
    (void)s;
    sinew_character *character;
    sinew_status status = sinew_character_load_bytes(bytes, len, &character);
    if (status == SINEW_OK) { // a harmless change: the character must still play or be refused
        sinew_rig *rig;
        sinew_actor *actor;
        const float *floats;
        size_t count;
        if (sinew_rig_new(character, SINEW_METHOD_DUAL_QUAT, &rig) == SINEW_OK) {
            OK(sinew_actor_new(rig, &actor));
            OK(sinew_actor_model(actor, &floats, &count));
            OK(sinew_actor_free(actor));
            OK(sinew_rig_free(rig));
        }
        OK(sinew_character_free(character));
    }
    return status;
}

static sinew_status read_packed(const scene *s, const uint8_t *bytes, size_t len) {
    sinew_rig *rig;
    sinew_status status = sinew_rig_new_packed(s->character, SINEW_METHOD_LINEAR, bytes, len, &rig);
    if (status == SINEW_OK) OK(sinew_rig_free(rig));
    return status;
}

static sinew_status read_graph(const scene *s, const uint8_t *bytes, size_t len) {
    sinew_graph *graph;
    sinew_status status = sinew_graph_new(s->rig, (const char *)bytes, len, &graph);
    if (status == SINEW_OK) OK(sinew_graph_free(graph));
    return status;
}

static void try_mutations(const char *name, const scene *s, reader reader, const uint8_t *bytes, size_t len, long count) {
    long refused = 0;
    for (long i = 0; i < count; i++) {
        // A block of its own size, so that a sanitizer sees any read past the end.
        uint8_t *whole = malloc(len), *exact;
        size_t left = mutate(bytes, len, whole);
        exact = malloc(left ? left : 1);
        memcpy(exact, whole, left);
        sinew_status status = reader(s, exact, left);
        if (status == SINEW_ERROR_INTERNAL) {
            fprintf(stderr, "%s %ld: %s\n", name, i, sinew_error_text());
            failures++;
        }
        refused += status != SINEW_OK;
        free(exact);
        free(whole);
    }
    printf("%s: %ld mutated files, %ld refused\n", name, count, refused);
    if (refused == 0 || refused == count) failures++; // the mutations are too weak or too strong
}

static uint8_t *contents(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *len = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*len + 1);
    if (fread(bytes, 1, *len, file) != *len) exit(1);
    fclose(file);
    return bytes;
}

// Saves the column with the skeleton and the clip of MOTION.
static void save_small(scene s, const char *path) {
    sinew_character *column;
    sinew_bind options;
    OK(sinew_character_load_bytes((const uint8_t *)MESH, sizeof MESH - 1, &column));
    OK(sinew_bind_init(&options, sizeof options));
    options.method = SINEW_BIND_BEZIER;
    OK(sinew_character_bind(column, s.character, &options));
    OK(sinew_character_save(column, path));
    OK(sinew_character_free(column));
}

static void broken_files_are_refused(scene s, const char *folder, long count) {
    char path[4096];
    size_t len;
    sinew_bytes *packed;
    const uint8_t *data;
    snprintf(path, sizeof path, "%s/small.glb", folder);
    save_small(s, path);
    uint8_t *glb = contents(path, &len);
    try_mutations("glb", &s, read_character, glb, len, count);
    free(glb);
    try_mutations("bvh", &s, read_character, (const uint8_t *)MOTION, sizeof MOTION - 1, count);
    OK(sinew_character_pack(s.character, NULL, 1e-4f, &packed));
    OK(sinew_bytes_data(packed, &data, &len));
    try_mutations("sinew", &s, read_packed, data, len, count);
    OK(sinew_bytes_free(packed));
    try_mutations("graph", &s, read_graph, (const uint8_t *)MACHINE, sizeof MACHINE - 1, count);
}

static void call_again(void *user, const sinew_event *event) {
    (void)event;
    FAILS(SINEW_ERROR_BUSY, sinew_player_seek(user, 0.0));
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: misuse FOLDER COUNT\n");
        return 2;
    }
    scene s = made();
    null_is_refused(s);
    wrong_handles_are_refused(s);
    wrong_lengths_and_numbers_are_refused(s);
    OK(sinew_player_advance(s.player, 0.1, call_again, s.player));
    broken_files_are_refused(s, argv[1], atol(argv[2]));
    freed(s);
    if (failures) fprintf(stderr, "%d failures\n", failures);
    return failures != 0;
}
