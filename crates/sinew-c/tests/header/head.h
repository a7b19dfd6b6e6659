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
