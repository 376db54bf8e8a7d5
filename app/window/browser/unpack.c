// The page's first program: decompresses the rest of it (LZMA, decoder of 7-Zip). It is compiled by itself, without a
// C library.
#include <stddef.h>

#include "LzmaDec.h"

extern unsigned char __heap_base;

static size_t used = 0;
size_t unpack_room(size_t bytes);

static void* take(ISzAllocPtr self, size_t bytes) {
  (void)self;
  return (void*)unpack_room(bytes);
}
static void give_back(ISzAllocPtr self, void* address) {
  (void)self;
  (void)address;
}

// Room for so many bytes, 0 if there is none. It is never given back.
__attribute__((export_name("room"))) size_t unpack_room(size_t bytes) {
  const size_t begin = ((size_t)&__heap_base + used + 15) & ~(size_t)15, end = begin + bytes;
  const size_t page = 65536, pages = __builtin_wasm_memory_size(0);
  if (end > pages * page && __builtin_wasm_memory_grow(0, (end - pages * page + page - 1) / page) == (size_t)-1) return 0;
  used = end - (size_t)&__heap_base;
  return begin;
}

// `from`: a .lzma file (13 bytes of header); `to`: room for what its header says. Returns 0 if it is whole.
__attribute__((export_name("unpack"))) int unpack(const unsigned char* from, size_t bytes, unsigned char* to,
                                                  size_t room) {
  const ISzAlloc allocator = {take, give_back};
  const size_t header = 13;
  SizeT read = bytes - header, written = room;
  ELzmaStatus status;
  const SRes result = LzmaDecode(to, &written, from + header, &read, from, LZMA_PROPS_SIZE, LZMA_FINISH_ANY, &status, &allocator);
  return result == SZ_OK && written == room ? 0 : 1;
}

void* memcpy(void* to, const void* from, size_t bytes) {
  unsigned char* a = to;
  const unsigned char* b = from;
  while (bytes-- != 0) *a++ = *b++;
  return to;
}
