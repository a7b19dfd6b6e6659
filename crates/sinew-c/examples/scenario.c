// Twelve steps from a file to poses. Prints a hash of the poses of each step: the same bits as from Rust.
//
// usage: scenario FOLDER [--vertices FILE]
// FOLDER has hero.glb, other.glb and machine.json.

#include "sinew.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DT_SECS = 1.0 / 60.0;

static void must(sinew_status status) {
    if (status != SINEW_OK) {
        fprintf(stderr, "%s\n", sinew_error_text());
        exit(1);
    }
}

// FNV-1a, 64 bits.
static const uint64_t HASH = UINT64_C(0xcbf29ce484222325);

static void add_bytes(uint64_t *hash, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) *hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

// The machine must be little-endian, as all that the library supports are.
static void add_float(uint64_t *hash, float value) {
    uint8_t bytes[4];
    memcpy(bytes, &value, 4);
    add_bytes(hash, bytes, 4);
}

static void add_pose(uint64_t *hash, sinew_actor *actor) {
    const float *floats;
    size_t count;
    must(sinew_actor_model(actor, &floats, &count));
    for (size_t i = 0; i < count; i++) add_float(hash, floats[i]);
}

static void print(const char *step, uint64_t hash) {
    printf("%s %016llx\n", step, (unsigned long long)hash);
}

static char *joined(const char *folder, const char *name) {
    size_t len = strlen(folder) + strlen(name) + 2;
    char *path = malloc(len);
    snprintf(path, len, "%s/%s", folder, name);
    return path;
}

static char *contents(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *len = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*len + 1);
    if (fread(bytes, 1, *len, file) != *len) exit(1);
    fclose(file);
    return bytes;
}

static uint32_t joint(const sinew_rig *rig, const char *name) {
    uint32_t found;
    must(sinew_rig_find_joint(rig, name, &found));
    return found;
}

// Actor with a clip at a time.
static sinew_actor *actor_at(const sinew_rig *rig, const char *clip, double time_secs) {
    sinew_player *player;
    sinew_actor *actor;
    must(sinew_player_new(rig, clip, &player));
    must(sinew_actor_new(rig, &actor));
    must(sinew_player_seek(player, time_secs));
    must(sinew_actor_sample(actor, player));
    must(sinew_player_free(player));
    return actor;
}

static void count_event(void *count, const sinew_event *event) {
    (void)event;
    *(float *)count += 1.0f;
}

static void print_load(const sinew_rig *rig) {
    uint64_t hash = HASH;
    sinew_actor *actor;
    must(sinew_actor_new(rig, &actor));
    add_pose(&hash, actor);
    must(sinew_actor_free(actor));
    print("load", hash);
}

// Steps 2, 11 and 12: a clip at ten times.
static void print_sampled(const char *step, const sinew_rig *rig, const char *clip) {
    uint64_t hash = HASH;
    sinew_player *player;
    sinew_actor *actor;
    must(sinew_player_new(rig, clip, &player));
    must(sinew_actor_new(rig, &actor));
    for (int i = 0; i < 10; i++) {
        must(sinew_player_seek(player, i * 0.1));
        must(sinew_actor_sample(actor, player));
        add_pose(&hash, actor);
    }
    must(sinew_actor_free(actor));
    must(sinew_player_free(player));
    print(step, hash);
}

static void print_played(const sinew_rig *rig) {
    uint64_t hash = HASH;
    float events = 0.0f;
    sinew_player *player;
    sinew_actor *actor;
    must(sinew_player_new(rig, "run", &player));
    must(sinew_actor_new(rig, &actor));
    must(sinew_player_set_speed(player, 1.25));
    for (int i = 0; i < 60; i++) {
        must(sinew_player_advance(player, DT_SECS, count_event, &events));
        must(sinew_actor_sample(actor, player));
        add_pose(&hash, actor);
    }
    add_float(&hash, events);
    must(sinew_actor_free(actor));
    must(sinew_player_free(player));
    print("play", hash);
}

static sinew_pose *pose_at(const sinew_rig *rig, const char *clip, double time_secs) {
    sinew_player *player;
    sinew_pose *pose;
    must(sinew_player_new(rig, clip, &player));
    must(sinew_player_seek(player, time_secs));
    must(sinew_pose_new(rig, &pose));
    must(sinew_pose_sample(pose, player));
    must(sinew_player_free(player));
    return pose;
}

static void print_blended(const sinew_rig *rig) {
    uint64_t hash = HASH;
    sinew_pose *walk = pose_at(rig, "walk", 0.3), *idle = pose_at(rig, "idle", 0.1);
    sinew_actor *actor;
    must(sinew_actor_new(rig, &actor));
    for (int i = 0; i <= 10; i++) {
        float weight = (float)i / 10.0f;
        sinew_layer layers[2] = {{walk, NULL, weight}, {idle, NULL, 1.0f - weight}};
        must(sinew_actor_blend(actor, layers, 2));
        add_pose(&hash, actor);
    }
    must(sinew_actor_free(actor));
    must(sinew_pose_free(walk));
    must(sinew_pose_free(idle));
    print("blend", hash);
}

static float update(sinew_graph_player *player, sinew_actor *actor, int times, uint64_t *hash) {
    float events = 0.0f;
    for (int i = 0; i < times; i++) {
        must(sinew_graph_player_update(player, DT_SECS, count_event, &events));
        must(sinew_graph_player_pose(player, actor));
        add_pose(hash, actor);
    }
    return events;
}

// Walks, and then interrupts a transition to standing.
static void print_machine(const sinew_rig *rig, const sinew_graph *graph) {
    uint64_t hash = HASH;
    sinew_graph_player *player;
    sinew_actor *actor;
    must(sinew_graph_player_new(graph, &player));
    must(sinew_actor_new(rig, &actor));
    must(sinew_graph_player_set(player, "speed", 2.0f));
    update(player, actor, 60, &hash);
    print("machine", hash);

    hash = HASH;
    must(sinew_graph_player_set(player, "speed", 0.0f));
    float events = update(player, actor, 6, &hash);
    must(sinew_graph_player_set(player, "speed", 3.0f));
    events += update(player, actor, 30, &hash);
    add_float(&hash, events);
    must(sinew_actor_free(actor));
    must(sinew_graph_player_free(player));
    print("interrupted", hash);
}

static void print_root(const sinew_graph *graph) {
    uint64_t hash = HASH;
    sinew_graph_player *player;
    must(sinew_graph_player_new(graph, &player));
    must(sinew_graph_player_set(player, "speed", 3.0f));
    for (int i = 0; i < 90; i++) {
        sinew_placement step;
        must(sinew_graph_player_update(player, DT_SECS, NULL, NULL));
        must(sinew_graph_player_root_step(player, &step));
        for (int axis = 0; axis < 3; axis++) add_float(&hash, (float)step.translation[axis]);
        add_float(&hash, (float)step.heading_rad);
    }
    must(sinew_graph_player_free(player));
    print("root", hash);
}

static void write_vertices(const sinew_rig *rig, sinew_actor *actor, const char *path) {
    size_t vertices;
    must(sinew_rig_vertex_count(rig, &vertices));
    float *buffer = calloc(vertices * 6, sizeof *buffer);
    must(sinew_actor_skin(actor, buffer, vertices * 6, NULL, NULL));
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(buffer, sizeof *buffer, vertices * 6, file) != vertices * 6) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    fclose(file);
    free(buffer);
}

static void print_two_bone(const sinew_rig *rig, const char *vertices) {
    uint64_t hash = HASH;
    sinew_actor *actor = actor_at(rig, "walk", 0.25);
    sinew_two_bone job;
    must(sinew_two_bone_init(&job, sizeof job));
    job.upper = joint(rig, "left_upper_arm");
    job.lower = joint(rig, "left_lower_arm");
    job.tip = joint(rig, "left_hand");
    job.goal[0] = 0.35f, job.goal[1] = 1.3f, job.goal[2] = 0.3f;
    job.weight = 0.8f;
    must(sinew_actor_two_bone(actor, &job, NULL));
    add_pose(&hash, actor);
    if (vertices) write_vertices(rig, actor, vertices);
    must(sinew_actor_free(actor));
    print("two_bone", hash);
}

static void print_aim(const sinew_rig *rig) {
    uint64_t hash = HASH;
    sinew_actor *actor = actor_at(rig, "idle", 0.5);
    sinew_share shares[2] = {{joint(rig, "neck"), 0.4f}, {joint(rig, "head"), 1.0f}};
    sinew_aim job;
    must(sinew_aim_init(&job, sizeof job));
    job.shares = shares;
    job.share_count = 2;
    job.eye = joint(rig, "head");
    job.target[0] = 1.0f, job.target[1] = 1.8f, job.target[2] = 2.0f;
    must(sinew_actor_aim(actor, &job, NULL));
    add_pose(&hash, actor);
    must(sinew_actor_free(actor));
    print("aim", hash);
}

static void print_packed(const sinew_character *hero) {
    uint64_t hash = HASH;
    sinew_bytes *packed;
    const uint8_t *bytes;
    size_t len;
    must(sinew_character_pack(hero, "walk", 1e-4f, &packed));
    must(sinew_bytes_data(packed, &bytes, &len));
    add_bytes(&hash, bytes, len);
    print("pack", hash);

    sinew_rig *rig;
    must(sinew_rig_new_packed(hero, SINEW_METHOD_DUAL_QUAT, bytes, len, &rig));
    must(sinew_bytes_free(packed));
    print_sampled("packed", rig, "walk");
    must(sinew_rig_free(rig));
}

static void print_retargeted(const sinew_character *hero, const char *path) {
    sinew_character *other;
    sinew_rig *rig;
    must(sinew_character_load(path, &other));
    must(sinew_character_retarget(other, hero, "walk", NULL));
    must(sinew_rig_new(other, SINEW_METHOD_DUAL_QUAT, &rig));
    must(sinew_character_free(other));
    print_sampled("retarget", rig, "walk");
    must(sinew_rig_free(rig));
}

int main(int argc, char **argv) {
    int with_vertices = argc == 4 && strcmp(argv[2], "--vertices") == 0;
    if (argc != 2 && !with_vertices) {
        fprintf(stderr, "usage: scenario FOLDER [--vertices FILE]\n");
        return 2;
    }
    char *hero_path = joined(argv[1], "hero.glb"), *other_path = joined(argv[1], "other.glb");
    char *machine_path = joined(argv[1], "machine.json");
    size_t machine_len;
    char *machine = contents(machine_path, &machine_len);
    sinew_character *hero;
    sinew_rig *rig;
    sinew_graph *graph;
    must(sinew_character_load(hero_path, &hero));
    must(sinew_rig_new(hero, SINEW_METHOD_DUAL_QUAT, &rig));
    must(sinew_graph_new(rig, machine, machine_len, &graph));
    must(sinew_graph_set_root(graph, "hips"));

    print_load(rig);
    print_sampled("sample", rig, "walk");
    print_played(rig);
    print_blended(rig);
    print_machine(rig, graph);
    print_root(graph);
    print_two_bone(rig, with_vertices ? argv[3] : NULL);
    print_aim(rig);
    print_packed(hero);
    print_retargeted(hero, other_path);

    must(sinew_graph_free(graph));
    must(sinew_rig_free(rig));
    must(sinew_character_free(hero));
    free(machine);
    free(machine_path);
    free(other_path);
    free(hero_path);
    return 0;
}
