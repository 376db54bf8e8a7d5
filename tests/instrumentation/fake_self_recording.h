#pragma once

// The part of fake_program.cpp about programs that begin and end their own recordings.

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

namespace warpwalk::testing {

/// The library that the environment variable names.
inline void* library(const char* variable) {
  const char* const file = std::getenv(variable);
  void* const handle = file == nullptr ? nullptr : dlopen(file, RTLD_LAZY);
  if (file != nullptr && handle == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  return handle;
}

template <class F>
F* function(void* from, const char* name) {
  return reinterpret_cast<F*>(dlsym(from, name));
}

/// Both print what the library returns.
void begin_recording(const char* output);
void end_recording();
/// Records 40 times, for 5 ms each, into OUTPUT.0.partial, OUTPUT.1.partial, ... Prints how often that failed.
void record_often(const char* output);

/// Another client of CUPTI, such as torch.profiler, subscribes or unsubscribes.
void take_cupti();
void give_cupti();
/// Prints what the fake CUPTI does for its client.
void report_cupti();

/// Threads that call `work` until they are stopped.
void start_threads(int count, void (*work)());
void stop_threads();

}  // namespace warpwalk::testing
