// What the programs share. They print only facts that are the same on every GPU of compute capability 9.0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <cuda_runtime.h>

// Lines reach the output at once: in the order of a device's printf, and also if the program dies.
inline const int by_line = std::setvbuf(stdout, nullptr, _IOLBF, 4096);

inline int wrong = 0;

// A condition that must hold.
inline void check(bool holds, const char* what) {
  std::printf("%s: %s\n", what, holds ? "yes" : "NO");
  if (!holds) ++wrong;
}

// A call whose result is part of the output. Its error is taken from cudaGetLastError, so that the next call starts
// afresh.
inline cudaError_t show(cudaError_t error, const char* call) {
  std::printf("%s: %s\n", call, cudaGetErrorName(error));
  if (error != cudaSuccess) cudaGetLastError();
  return error;
}

// A call without which the rest makes no sense.
inline void need(cudaError_t error, const char* call, int line) {
  if (error == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, call, cudaGetErrorName(error));
  std::exit(1);
}

#define SHOW(...) show((__VA_ARGS__), #__VA_ARGS__)
#define NEED(...) need((__VA_ARGS__), #__VA_ARGS__, __LINE__)

inline int finish() {
  std::printf(wrong == 0 ? "passed\n" : "failed: %d\n", wrong);
  return wrong == 0 ? 0 : 1;
}

// Holds a stream until the host opens the gate. It opens by itself after five seconds, so that nothing hangs where
// streams do not run beside the host.
class Gate {
 public:
  void close(cudaStream_t stream) { NEED(cudaLaunchHostFunc(stream, &Gate::wait, this)); }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

 private:
  static void CUDART_CB wait(void* self) {
    Gate& gate = *static_cast<Gate*>(self);
    std::unique_lock lock(gate.mutex_);
    if (!gate.opened_.wait_for(lock, std::chrono::seconds(5), [&] { return gate.open_; }))
      std::printf("a gate was not opened in time\n");
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};
