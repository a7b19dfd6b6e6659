// The part of a C library that ufbx needs, for browsers, which have none: included before ufbx.c (scripts/wasm-cargo).
// Memory comes from the allocator that Rust passes to ufbx. Rust has memcpy and its kind, and mathematical functions.
#include <stddef.h>
#include <stdint.h>

#define UFBX_NO_LIBC
#define UFBX_NO_STDIO
#define UFBX_NO_EXTERNAL_MALLOC
#define UFBX_NO_EXTERNAL_DEFINES
#define UFBX_MATH_PREFIX
#define UFBX_STRING_PREFIX

// Used only without an allocator.
#define ufbx_malloc(size) ((void)(size), (void *)0)
#define ufbx_realloc(from, old_size, size) ((void)(from), (void)(old_size), (void)(size), (void *)0)
#define ufbx_free(from, old_size) ((void)(from), (void)(old_size))

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);
size_t strlen(const char *text);

double sqrt(double x);
double fabs(double x);
double pow(double x, double y);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double copysign(double x, double sign);
double fmin(double x, double y);
double fmax(double x, double y);
double rint(double x);
double floor(double x);
double ceil(double x);

static int isnan(double x) { return x != x; }

static double nextafter(double x, double y) {
  union { double number; uint64_t bits; } next = { x };
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) {
    next.bits = 1;
    return y > 0 ? next.number : -next.number;
  }
  next.bits += (y > x) == (x > 0) ? 1 : -1;
  return next.number;
}

static const void *memchr(const void *from, int byte, size_t count) {
  const unsigned char *at = from, *end = at + count;
  while (at < end && *at != (unsigned char)byte) at++;
  return at < end ? at : NULL;
}

static int strncmp(const char *a, const char *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
  }
  return 0;
}

static int strcmp(const char *a, const char *b) { return strncmp(a, b, SIZE_MAX); }
