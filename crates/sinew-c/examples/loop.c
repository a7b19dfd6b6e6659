// A game loop: a character walks and reaches for a cup, and its vertices go into a buffer.
//
// usage: loop hero.glb

#include "sinew.h"
#include <stdio.h>
#include <stdlib.h>

// Ends the program with the text of the error.
static void must(sinew_status status) {
    if (status != SINEW_OK) {
        fprintf(stderr, "%s\n", sinew_error_text());
        exit(1);
    }
}

static void on_event(void *frame, const sinew_event *event) {
    printf("frame %d: %s\n", *(int *)frame, event->name);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: loop hero.glb\n");
        return 2;
    }
    sinew_character *file;
    must(sinew_character_load(argv[1], &file));
    sinew_rig *rig;
    must(sinew_rig_new(file, SINEW_METHOD_DUAL_QUAT, &rig));
    must(sinew_character_free(file));

    sinew_actor *hero;
    must(sinew_actor_new(rig, &hero));
    sinew_player *walk;
    must(sinew_player_new(rig, "walk", &walk));
    sinew_two_bone reach;
    must(sinew_two_bone_init(&reach, sizeof reach));
    must(sinew_rig_find_joint(rig, "left_upper_arm", &reach.upper));
    must(sinew_rig_find_joint(rig, "left_lower_arm", &reach.lower));
    must(sinew_rig_find_joint(rig, "left_hand", &reach.tip));
    reach.goal[0] = 0.35f, reach.goal[1] = 1.3f, reach.goal[2] = 0.3f;

    size_t vertices;
    must(sinew_rig_vertex_count(rig, &vertices));
    float *buffer = calloc(vertices * 6, sizeof *buffer); // position and normal of each vertex
    sinew_bounds box;

    for (int frame = 0; frame < 120; frame++) { // nothing in this loop allocates
        must(sinew_player_advance(walk, 1.0 / 60.0, on_event, &frame));
        must(sinew_actor_sample(hero, walk));
        must(sinew_actor_two_bone(hero, &reach, NULL));
        must(sinew_actor_skin(hero, buffer, vertices * 6, NULL, &box));
    }
    printf("%zu vertices, %.2f m high\n", vertices, box.max[1] - box.min[1]);

    free(buffer);
    must(sinew_player_free(walk));
    must(sinew_actor_free(hero));
    must(sinew_rig_free(rig));
    return 0;
}
