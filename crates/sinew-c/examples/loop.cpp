// The loop of loop.c in C++17, with a state machine: handles free themselves, and errors are exceptions.
//
// usage: loop hero.glb machine.json

#include "sinew.h"
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static void must(sinew_status status) {
    if (status != SINEW_OK) throw std::runtime_error(sinew_error_text());
}

// Owner of a handle.
template <auto Free> struct Freed {
    template <typename T> void operator()(T *handle) const { Free(handle); }
};
template <typename T, auto Free> using Owned = std::unique_ptr<T, Freed<Free>>;
using Character = Owned<sinew_character, sinew_character_free>;
using Rig = Owned<sinew_rig, sinew_rig_free>;
using Actor = Owned<sinew_actor, sinew_actor_free>;
using Graph = Owned<sinew_graph, sinew_graph_free>;
using GraphPlayer = Owned<sinew_graph_player, sinew_graph_player_free>;

// Calls a function whose last argument is a new handle.
template <typename Owner, typename Function, typename... Arguments>
static Owner made(Function function, Arguments... arguments) {
    typename Owner::pointer handle = nullptr;
    must(function(arguments..., &handle));
    return Owner(handle);
}

static void on_event(void *user, const sinew_event *event) {
    static_cast<std::vector<std::string> *>(user)->emplace_back(event->name);
}

static void play(const char *hero_path, const char *machine_path) {
    auto file = made<Character>(sinew_character_load, hero_path);
    auto rig = made<Rig>(sinew_rig_new, file.get(), SINEW_METHOD_DUAL_QUAT);
    std::ifstream stream(machine_path);
    std::string machine{std::istreambuf_iterator<char>(stream), {}};
    auto graph = made<Graph>(sinew_graph_new, rig.get(), machine.data(), machine.size());
    must(sinew_graph_set_root(graph.get(), "hips"));
    auto player = made<GraphPlayer>(sinew_graph_player_new, graph.get());
    auto hero = made<Actor>(sinew_actor_new, rig.get());

    std::size_t vertices = 0;
    must(sinew_rig_vertex_count(rig.get(), &vertices));
    std::vector<float> buffer(vertices * 6);
    std::vector<std::string> heard;
    double forward = 0.0;
    must(sinew_graph_player_set(player.get(), "speed", 2.0f));
    for (int frame = 0; frame < 120; frame++) {
        must(sinew_graph_player_update(player.get(), 1.0 / 60.0, on_event, &heard));
        must(sinew_graph_player_pose(player.get(), hero.get()));
        must(sinew_actor_skin(hero.get(), buffer.data(), buffer.size(), nullptr, nullptr));
        sinew_placement step{};
        must(sinew_graph_player_root_step(player.get(), &step));
        forward += step.translation[2];
    }
    const char *state = nullptr;
    must(sinew_graph_player_state(player.get(), &state));
    std::cout << "state " << state << ", " << forward << " m forward, " << heard.size() << " events\n";
}

int main(int argc, char **argv) {
    if (argc != 3) {
        std::cerr << "usage: loop hero.glb machine.json\n";
        return 2;
    }
    try {
        play(argv[1], argv[2]);
        return 0;
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
