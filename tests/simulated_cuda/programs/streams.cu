// Streams: what waits for what, priorities, host functions and callbacks.
#include <mutex>
#include <string>
#include <vector>

#include "check.h"

namespace {

__device__ int order[16];
__device__ int taken;

__global__ void note(int id) { order[atomicAdd(&taken, 1)] = id; }

std::mutex mutex;
std::vector<std::string> lines;

void add_line(const char* text) {
  const std::lock_guard lock(mutex);
  lines.emplace_back(text);
}
void CUDART_CB add_text(void* text) { add_line(static_cast<const char*>(text)); }
void CUDART_CB add_status(cudaStream_t, cudaError_t status, void* text) {
  add_line(static_cast<const char*>(text));
  add_line(status == cudaSuccess ? "  without an error" : "  with an error");
}
void print_lines() {
  const std::lock_guard lock(mutex);
  for (const std::string& line : lines) std::printf("  %s\n", line.c_str());
  lines.clear();
}

char* words(const char* text) { return const_cast<char*>(text); }

void properties() {
  cudaStream_t plain = nullptr, free_running = nullptr, urgent = nullptr, too_urgent = nullptr;
  unsigned flags = 9;
  int priority = 9, least = 0, greatest = 0;
  NEED(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  SHOW(cudaStreamCreate(&plain));
  SHOW(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking));
  SHOW(cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, greatest));
  SHOW(cudaStreamCreateWithPriority(&too_urgent, cudaStreamNonBlocking, greatest - 10));
  for (const cudaStream_t stream :
       {plain, free_running, urgent, too_urgent, cudaStream_t{nullptr}, cudaStreamPerThread}) {
    NEED(cudaStreamGetFlags(stream, &flags));
    NEED(cudaStreamGetPriority(stream, &priority));
    std::printf("flags %u, priority %d\n", flags, priority);
  }
  unsigned long long a = 0, b = 0;
  NEED(cudaStreamGetId(plain, &a));
  NEED(cudaStreamGetId(urgent, &b));
  check(a != b, "streams have different IDs");
  SHOW(cudaStreamCreateWithFlags(&plain, 0x40));
  SHOW(cudaStreamCreate(nullptr));
  SHOW(cudaStreamDestroy(free_running));
  SHOW(cudaStreamDestroy(urgent));
  SHOW(cudaStreamDestroy(too_urgent));
  SHOW(cudaStreamDestroy(plain));
  SHOW(cudaStreamQuery(nullptr));
  SHOW(cudaStreamQuery(cudaStreamLegacy));
  SHOW(cudaStreamQuery(cudaStreamPerThread));
}

// One blocking stream is held. The legacy stream waits for it, and all other blocking streams wait for the legacy one.
void legacy_order() {
  cudaStream_t held = nullptr, other = nullptr, free_running = nullptr;
  NEED(cudaStreamCreate(&held));
  NEED(cudaStreamCreate(&other));
  NEED(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking));
  note<<<1, 1>>>(0);  // loads the kernel, which may wait for the device
  NEED(cudaDeviceSynchronize());
  Gate gate;
  gate.close(held);
  note<<<1, 1, 0, held>>>(1);
  SHOW(cudaStreamQuery(held));
  note<<<1, 1, 0, free_running>>>(2);
  SHOW(cudaStreamSynchronize(free_running));
  note<<<1, 1>>>(3);
  SHOW(cudaStreamQuery(nullptr));
  note<<<1, 1, 0, other>>>(4);
  SHOW(cudaStreamQuery(other));
  note<<<1, 1, 0, cudaStreamPerThread>>>(5);
  SHOW(cudaStreamQuery(cudaStreamPerThread));
  note<<<1, 1, 0, free_running>>>(6);
  SHOW(cudaStreamSynchronize(free_running));
  gate.open();
  SHOW(cudaDeviceSynchronize());
  for (const cudaStream_t stream : {held, other, free_running}) SHOW(cudaStreamQuery(stream));
  int ids[16] = {}, count = 0, at[7] = {};
  NEED(cudaMemcpyFromSymbol(ids, order, sizeof ids));
  NEED(cudaMemcpyFromSymbol(&count, taken, sizeof count));
  for (int i = 0; i < count; ++i) at[ids[i]] = i;
  std::printf("%d kernels\n", count);
  check(at[2] < at[1] && at[6] < at[1], "a non-blocking stream did not wait");
  check(at[1] < at[3], "the legacy stream waited for the blocking one");
  check(at[3] < at[4] && at[3] < at[5], "blocking streams waited for the legacy one");
  // Work of a destroyed stream is still done.
  Gate second;
  second.close(held);
  note<<<1, 1, 0, held>>>(7);
  SHOW(cudaStreamDestroy(held));
  second.open();
  SHOW(cudaDeviceSynchronize());
  NEED(cudaMemcpyFromSymbol(&count, taken, sizeof count));
  std::printf("%d kernels\n", count);
  NEED(cudaStreamDestroy(other));
  NEED(cudaStreamDestroy(free_running));
}

void waits_and_callbacks() {
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t event = nullptr;
  NEED(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  NEED(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  NEED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  Gate gate;
  gate.close(first);
  SHOW(cudaLaunchHostFunc(first, add_text, words("first: host function")));
  note<<<1, 1, 0, first>>>(8);
  SHOW(cudaStreamAddCallback(first, add_status, words("first: callback"), 0));
  SHOW(cudaLaunchHostFunc(first, add_text, words("first: last")));
  SHOW(cudaEventRecord(event, first));
  SHOW(cudaStreamWaitEvent(second, event, 0));
  SHOW(cudaLaunchHostFunc(second, add_text, words("second: after first")));
  SHOW(cudaStreamQuery(second));
  SHOW(cudaEventQuery(event));
  print_lines();
  gate.open();
  SHOW(cudaStreamSynchronize(second));
  SHOW(cudaStreamSynchronize(first));
  print_lines();
  SHOW(cudaStreamQuery(first));
  SHOW(cudaStreamAddCallback(first, add_status, nullptr, 1));
  SHOW(cudaStreamAddCallback(first, nullptr, nullptr, 0));
  SHOW(cudaLaunchHostFunc(first, nullptr, nullptr));
  SHOW(cudaStreamWaitEvent(second, event, 0x80));
  SHOW(cudaLaunchHostFunc(nullptr, add_text, words("legacy stream")));
  SHOW(cudaDeviceSynchronize());
  print_lines();
  NEED(cudaEventDestroy(event));
  NEED(cudaStreamDestroy(first));
  NEED(cudaStreamDestroy(second));
}

}  // namespace

int main() {
  properties();
  legacy_order();
  waits_and_callbacks();
  return finish();
}
