// The part of a C library that ufbx needs, for browsers, which have none. Memory is that of the program.
#include <stddef.h>
#include <stdint.h>

void *__wbindgen_malloc(size_t size, size_t align);
void *__wbindgen_realloc(void *ptr, size_t old_size, size_t new_size, size_t align);
void __wbindgen_free(void *ptr, size_t size, size_t align);
enum { ALIGN = 16 };

void *ufbx_malloc(size_t size) { return __wbindgen_malloc(size, ALIGN); }
void *ufbx_realloc(void *ptr, size_t old_size, size_t new_size) {
  return old_size == 0 ? ufbx_malloc(new_size) : __wbindgen_realloc(ptr, old_size, new_size, ALIGN);
}
void ufbx_free(void *ptr, size_t old_size) {
  if (old_size > 0) __wbindgen_free(ptr, old_size, ALIGN);
}

void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *ufbx_memcpy(void *to, const void *from, size_t count) { return memcpy(to, from, count); }
void *ufbx_memmove(void *to, const void *from, size_t count) { return memmove(to, from, count); }
void *ufbx_memset(void *to, int byte, size_t count) { return memset(to, byte, count); }
int ufbx_memcmp(const void *a, const void *b, size_t count) { return memcmp(a, b, count); }

const void *ufbx_memchr(const void *from, int byte, size_t count) {
  const unsigned char *at = from, *end = at + count;
  while (at < end && *at != (unsigned char)byte) at++;
  return at < end ? at : NULL;
}

size_t ufbx_strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return end - text;
}

int ufbx_strncmp(const char *a, const char *b, size_t count) {
  for (; count > 0; a++, b++, count--) {
    if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
  }
  return 0;
}

int ufbx_strcmp(const char *a, const char *b) { return ufbx_strncmp(a, b, SIZE_MAX); }

int isnan(double x) { return x != x; }

double nextafter(double x, double y) {
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
