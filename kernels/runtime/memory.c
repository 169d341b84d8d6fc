// SPDX-License-Identifier: Apache-2.0
// What the compiler calls on its own.
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  char *t = to;
  const char *f = from;
  while (n--) *t++ = *f++;
  return to;
}

void *memset(void *to, int value, size_t n) {
  char *t = to;
  while (n--) *t++ = (char)value;
  return to;
}
