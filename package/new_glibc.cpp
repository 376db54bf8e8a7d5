// Functions that the program and the static C++ library of Debian 12 call and that glibc 2.28 does not have.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
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

timespec time_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now;
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

/// glibc 2.30: a wait that ends at a time of this clock. The C++ library asks the clock again afterwards.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  constexpr long second = 1'000'000'000;
  const timespec now = time_of(clock), real = time_of(CLOCK_REALTIME);
  timespec until{real.tv_sec + end->tv_sec - now.tv_sec, real.tv_nsec + end->tv_nsec - now.tv_nsec};
  while (until.tv_nsec < 0) until.tv_nsec += second, --until.tv_sec;
  while (until.tv_nsec >= second) until.tv_nsec -= second, ++until.tv_sec;
  return pthread_cond_timedwait(condition, mutex, &until);
}

// glibc 2.29 has a second version of each of these, which does not report errors as SVID did. The results are the same.
__asm__(".symver first_exp, exp@GLIBC_2.2.5");
__asm__(".symver first_exp2, exp2@GLIBC_2.2.5");
__asm__(".symver first_log, log@GLIBC_2.2.5");
__asm__(".symver first_log2, log2@GLIBC_2.2.5");
__asm__(".symver first_pow, pow@GLIBC_2.2.5");
#pragma GCC visibility push(default)
double first_exp(double);
double first_exp2(double);
double first_log(double);
double first_log2(double);
double first_pow(double, double);
#pragma GCC visibility pop
double exp(double x) { return first_exp(x); }
double exp2(double x) { return first_exp2(x); }
double log(double x) { return first_log(x); }
double log2(double x) { return first_log2(x); }
double pow(double x, double y) { return first_pow(x, y); }

}  // extern "C"

#pragma GCC visibility pop
