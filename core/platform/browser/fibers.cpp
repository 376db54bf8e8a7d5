#include "core/platform/browser/fibers.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <map>
#include <vector>

#include <emscripten/emscripten.h>
#include <emscripten/stack.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "core/platform/give_way.h"

extern "C" {

// app/window/browser/imports.js. The first two suspend the calling fiber.
void warpwalk_suspend(int ticket, double milliseconds);
void warpwalk_pause();
void warpwalk_resume(int ticket);
void warpwalk_start(void* fiber);

// The state of exceptions being handled, libc++abi's: each fiber has its own.
struct __cxa_eh_globals {
  void* caught;
  unsigned uncaught;
};
__cxa_eh_globals* __cxa_get_globals();

void* stackSave();
void stackRestore(void* to);
}

namespace warpwalk::platform {
namespace {

constexpr std::size_t stack_bytes = 4 << 20;
constexpr std::size_t outside_bytes = 64 << 10;
constexpr double turn_milliseconds = 8;

// Compiled code expects the stack pointer to be a multiple of 16.
char* new_stack(std::size_t bytes) { return static_cast<char*>(std::aligned_alloc(16, bytes)); }

struct Fiber {
  void* (*routine)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool ended = false;
  std::map<pthread_key_t, const void*> own;  // of pthread_setspecific
  char* stack = nullptr;
};

struct Sleeper {
  const void* place;
  int ticket;
  bool* woken;
};

// What all fibers share. There is one program per page, and pthread.h has no place for it.
struct Scheduler {
  Fiber main;
  Fiber* running = &main;
  std::deque<Sleeper> sleepers;
  int next_ticket = 1;
  pthread_key_t next_key = 1;
  double turn_began = 0;
  char* outside = new_stack(outside_bytes);
};

Scheduler& scheduler() {
  static Scheduler all;
  return all;
}

// JavaScript, and what it calls while fibers are suspended, uses a stack that is no fiber's.
void leave_stack() { stackRestore(scheduler().outside + outside_bytes); }

// Keeps what belongs to the running fiber while `suspend` suspends it.
template <class Suspend>
void suspended(const Suspend& suspend) {
  Scheduler& all = scheduler();
  Fiber* const self = all.running;
  const __cxa_eh_globals exceptions = *__cxa_get_globals();
  *__cxa_get_globals() = {};
  void* const stack = stackSave();
  leave_stack();
  suspend();
  stackRestore(stack);
  *__cxa_get_globals() = exceptions;
  all.running = self;
  all.turn_began = emscripten_get_now();
}

[[gnu::noinline]] void run(Fiber* fiber) {
  Scheduler& all = scheduler();
  all.running = fiber;
  all.turn_began = emscripten_get_now();
  fiber->result = fiber->routine(fiber->argument);
  fiber->ended = true;
  wake(fiber, true);
}

double milliseconds_until(const timespec& end) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::max(
      0.01, static_cast<double>(end.tv_sec - now.tv_sec) * 1e3 + static_cast<double>(end.tv_nsec - now.tv_nsec) / 1e6);
}

}  // namespace

bool sleep_at(const void* place, double milliseconds) {
  Scheduler& all = scheduler();
  const int ticket = all.next_ticket++;
  bool woken = false;
  all.sleepers.push_back({place, ticket, &woken});
  suspended([&] { warpwalk_suspend(ticket, milliseconds); });
  if (!woken) std::erase_if(all.sleepers, [&](const Sleeper& sleeper) { return sleeper.ticket == ticket; });
  return woken;
}

void suspend_in(void (*function)(double), double argument) {
  suspended([&] { function(argument); });
}

void wake(const void* place, bool all_of_them) {
  std::deque<Sleeper>& sleepers = scheduler().sleepers;
  for (auto sleeper = sleepers.begin(); sleeper != sleepers.end();) {
    if (sleeper->place != place) {
      ++sleeper;
      continue;
    }
    *sleeper->woken = true;
    warpwalk_resume(sleeper->ticket);
    sleeper = sleepers.erase(sleeper);
    if (!all_of_them) return;
  }
}

void give_way() {
  if (emscripten_get_now() - scheduler().turn_began > turn_milliseconds) suspended([] { warpwalk_pause(); });
}

}  // namespace warpwalk::platform

using warpwalk::platform::scheduler;
using Fiber = warpwalk::platform::Fiber;

extern "C" {

/// Called by JavaScript on a new suspendable stack. It must not use memory of the shadow stack before it has its own.
EMSCRIPTEN_KEEPALIVE void warpwalk_fiber(Fiber* fiber) {
  stackRestore(fiber->stack + warpwalk::platform::stack_bytes);
  warpwalk::platform::run(fiber);
  warpwalk::platform::leave_stack();
}

int pthread_create(pthread_t* thread, const pthread_attr_t*, void* (*routine)(void*), void* argument) {
  auto* const fiber = new Fiber;
  fiber->routine = routine;
  fiber->argument = argument;
  fiber->stack = warpwalk::platform::new_stack(warpwalk::platform::stack_bytes);
  if (fiber->stack == nullptr) {
    delete fiber;
    return EAGAIN;
  }
  *thread = reinterpret_cast<pthread_t>(fiber);
  warpwalk_start(fiber);
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  auto* const fiber = reinterpret_cast<Fiber*>(thread);
  while (!fiber->ended) warpwalk::platform::sleep_at(fiber, 0);
  if (result != nullptr) *result = fiber->result;
  std::free(fiber->stack);
  delete fiber;
  return 0;
}

int pthread_detach(pthread_t) { return 0; }  // the fiber's memory stays: the program detaches none that ends

int pthread_key_create(pthread_key_t* key, void (*)(void*)) {  // what a fiber leaves behind is not destroyed
  *key = scheduler().next_key++;
  return 0;
}
int pthread_key_delete(pthread_key_t) { return 0; }
void* pthread_getspecific(pthread_key_t key) { return const_cast<void*>(scheduler().running->own[key]); }
int pthread_setspecific(pthread_key_t key, const void* value) {
  scheduler().running->own[key] = value;
  return 0;
}

int pthread_once(pthread_once_t* once, void (*routine)()) {
  if (*once != 0) return 0;
  *once = 1;
  routine();
  return 0;
}

int pthread_setcancelstate(int, int*) { return 0; }

// Every mutex may be locked again by its owner.
int pthread_mutexattr_init(pthread_mutexattr_t*) { return 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t*) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t*, int) { return 0; }

// A mutex: its first two words are the owner and how often that has locked it.
static Fiber*& owner_of(pthread_mutex_t* mutex) { return *reinterpret_cast<Fiber**>(mutex); }
static int& depth_of(pthread_mutex_t* mutex) { return reinterpret_cast<int*>(mutex)[1]; }

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t*) {
  owner_of(mutex) = nullptr;
  depth_of(mutex) = 0;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t*) { return 0; }

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  Fiber* const self = scheduler().running;
  if (owner_of(mutex) != nullptr && owner_of(mutex) != self) return EBUSY;
  owner_of(mutex) = self;
  ++depth_of(mutex);
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  while (pthread_mutex_trylock(mutex) != 0) warpwalk::platform::sleep_at(mutex, 0);
  return 0;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (--depth_of(mutex) > 0) return 0;
  owner_of(mutex) = nullptr;
  warpwalk::platform::wake(mutex, false);
  return 0;
}

// The C library's lists of functions to call at the end; no fiber waits while it holds them.
int pthread_rwlock_rdlock(pthread_rwlock_t*) { return 0; }
int pthread_rwlock_wrlock(pthread_rwlock_t*) { return 0; }
int pthread_rwlock_unlock(pthread_rwlock_t*) { return 0; }

int pthread_cond_init(pthread_cond_t*, const pthread_condattr_t*) { return 0; }
int pthread_cond_destroy(pthread_cond_t*) { return 0; }

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  pthread_mutex_unlock(mutex);
  warpwalk::platform::sleep_at(condition, 0);
  return pthread_mutex_lock(mutex);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  pthread_mutex_unlock(mutex);
  const bool woken = warpwalk::platform::sleep_at(condition, warpwalk::platform::milliseconds_until(*end));
  pthread_mutex_lock(mutex);
  return woken ? 0 : ETIMEDOUT;
}

int pthread_cond_signal(pthread_cond_t* condition) {
  warpwalk::platform::wake(condition, false);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) {
  warpwalk::platform::wake(condition, true);
  return 0;
}

// std::atomic waits with these, std::barrier through it.
int emscripten_futex_wait(volatile void* place, std::uint32_t value, double milliseconds) {
  if (*static_cast<volatile std::uint32_t*>(place) != value) return -EWOULDBLOCK;
  const bool limited = milliseconds > 0 && milliseconds < 1e12;
  return warpwalk::platform::sleep_at(const_cast<void*>(place), limited ? milliseconds : 0) ? 0 : -ETIMEDOUT;
}
int emscripten_futex_wake(volatile void* place, int) {
  warpwalk::platform::wake(const_cast<void*>(place), true);
  return 0;
}
int emscripten_num_logical_cores() { return 1; }

int sched_yield() {
  warpwalk::platform::give_way();
  return 0;
}

int nanosleep(const timespec* length, timespec*) {
  const double milliseconds = static_cast<double>(length->tv_sec) * 1e3 + static_cast<double>(length->tv_nsec) / 1e6;
  warpwalk::platform::sleep_at(length, std::max(0.01, milliseconds));
  return 0;
}

int usleep(unsigned microseconds) {
  const timespec length{static_cast<time_t>(microseconds / 1'000'000),
                        static_cast<long>(microseconds % 1'000'000) * 1000};
  return nanosleep(&length, nullptr);
}

// The rest of the file of emscripten's C library that this one replaces. No fiber changes inside the C library.
void __lock(void*) {}
void __unlock(void*) {}
EMSCRIPTEN_KEEPALIVE void emscripten_main_thread_process_queued_calls() {}
}
