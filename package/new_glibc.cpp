// Functions that the static C++ library of Debian 12 calls and that glibc 2.31 does not have.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#pragma GCC visibility push(hidden)

namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};

int look(dl_phdr_info* object, std::size_t, void* data) {
  const Search& search = *static_cast<Search*>(data);
  bool is_inside = false;
  search.found->dlfo_eh_frame = nullptr;  // that of the object before
  for (const ElfW(Phdr)* part = object->dlpi_phdr; part != object->dlpi_phdr + object->dlpi_phnum; ++part) {
    const std::uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && search.address - start < part->p_memsz) is_inside = true;
    if (part->p_type == PT_GNU_EH_FRAME) search.found->dlfo_eh_frame = reinterpret_cast<void*>(start);
  }
  return is_inside ? 1 : 0;
}

}  // namespace

extern "C" {

/// glibc 2.32. False is always right: counters of references are then atomic.
char __libc_single_threaded = 0;

/// glibc 2.36.
std::uint32_t arc4random() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) std::abort();
  return number;
}

/// glibc 2.35: the object whose code is at the address. libgcc reads only the unwind table of the result.
int _dl_find_object(void* address, dl_find_object* found) noexcept {
  Search search{reinterpret_cast<std::uintptr_t>(address), found};
  return dl_iterate_phdr(look, &search) == 1 && found->dlfo_eh_frame != nullptr ? 0 : -1;
}

}  // extern "C"

#pragma GCC visibility pop
