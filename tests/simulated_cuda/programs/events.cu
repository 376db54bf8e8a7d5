// Events: when they are done, the time between two, what their flags forbid.
#include "check.h"

namespace {

__device__ int sink;

__global__ void work(int rounds) {
  int value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 5 + 1;
  if (value == 12345) sink = value;
}

void times() {
  cudaEvent_t start = nullptr, middle = nullptr, end = nullptr;
  SHOW(cudaEventCreate(&start));
  SHOW(cudaEventCreate(&middle));
  SHOW(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
  float before = -1, after = -1, all = -1, back = 1;
  SHOW(cudaEventQuery(start));
  SHOW(cudaEventSynchronize(start));
  SHOW(cudaEventElapsedTime(&before, start, end));
  SHOW(cudaEventRecord(start));
  SHOW(cudaEventSynchronize(start));
  SHOW(cudaEventElapsedTime(&before, start, end));
  work<<<2, 64>>>(1000);
  SHOW(cudaEventRecord(middle, nullptr));
  work<<<2, 64>>>(1000);
  SHOW(cudaEventRecord(end));
  SHOW(cudaEventSynchronize(end));
  SHOW(cudaEventQuery(middle));
  SHOW(cudaEventElapsedTime(&before, start, middle));
  SHOW(cudaEventElapsedTime(&after, middle, end));
  SHOW(cudaEventElapsedTime(&all, start, end));
  SHOW(cudaEventElapsedTime(&back, end, start));
  check(before > 0 && after > 0, "elapsed times are positive");
  check(all >= before && all >= after, "the whole is not shorter than its parts");
  check(back < 0, "backwards it is negative");
  SHOW(cudaEventElapsedTime(&all, start, start));
  std::printf("of an event to itself %.1f\n", all);
  SHOW(cudaEventElapsedTime(nullptr, start, end));
  // An event that is recorded again means its last record.
  SHOW(cudaEventRecord(start));
  SHOW(cudaEventSynchronize(start));
  SHOW(cudaEventElapsedTime(&back, end, start));
  check(back > 0, "recorded again, the first event is the later one");
  NEED(cudaEventDestroy(start));
  NEED(cudaEventDestroy(middle));
  NEED(cudaEventDestroy(end));
}

void states() {
  cudaStream_t held = nullptr, other = nullptr;
  cudaEvent_t first = nullptr, second = nullptr;
  float time = -1;
  NEED(cudaStreamCreateWithFlags(&held, cudaStreamNonBlocking));
  NEED(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  NEED(cudaEventCreate(&first));
  NEED(cudaEventCreate(&second));
  SHOW(cudaEventRecord(first, other));
  Gate gate;
  gate.close(held);
  SHOW(cudaEventRecord(second, held));
  SHOW(cudaEventQuery(second));
  SHOW(cudaEventSynchronize(first));
  SHOW(cudaEventElapsedTime(&time, first, second));
  SHOW(cudaStreamWaitEvent(other, second));
  SHOW(cudaEventRecord(first, other));
  SHOW(cudaEventQuery(first));
  // The wait above is for the record that was there; an event recorded anew somewhere else does not change it.
  gate.open();
  SHOW(cudaEventSynchronize(first));
  SHOW(cudaEventQuery(second));
  SHOW(cudaEventElapsedTime(&time, second, first));
  check(time >= 0, "the waiting stream's event is not earlier");
  cudaEvent_t never = nullptr;
  NEED(cudaEventCreate(&never));
  SHOW(cudaStreamWaitEvent(other, never));
  SHOW(cudaStreamSynchronize(other));
  NEED(cudaEventDestroy(never));
  // Destroying an event that has not happened is allowed.
  Gate again;
  again.close(held);
  NEED(cudaEventRecord(second, held));
  SHOW(cudaEventDestroy(second));
  again.open();
  SHOW(cudaStreamSynchronize(held));
  NEED(cudaEventDestroy(first));
  NEED(cudaStreamDestroy(held));
  NEED(cudaStreamDestroy(other));
}

void flags() {
  cudaEvent_t timed = nullptr, untimed = nullptr, none = nullptr;
  float time = -1;
  NEED(cudaEventCreate(&timed));
  SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  SHOW(cudaEventRecord(timed));
  SHOW(cudaEventRecord(untimed));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaEventElapsedTime(&time, timed, untimed));
  SHOW(cudaEventElapsedTime(&time, untimed, timed));
  SHOW(cudaEventCreateWithFlags(&none, 0x80));
  SHOW(cudaEventCreateWithFlags(&none, cudaEventInterprocess));
  SHOW(cudaEventCreate(nullptr));
  SHOW(cudaEventRecord(nullptr));
  SHOW(cudaEventQuery(nullptr));
  SHOW(cudaEventRecordWithFlags(timed, nullptr, cudaEventRecordDefault));
  SHOW(cudaEventRecordWithFlags(timed, nullptr, 0x10));
  SHOW(cudaEventSynchronize(timed));
  SHOW(cudaEventDestroy(nullptr));
  SHOW(cudaEventDestroy(timed));
  SHOW(cudaEventDestroy(untimed));
}

}  // namespace

int main() {
  work<<<1, 32>>>(1);
  NEED(cudaDeviceSynchronize());
  times();
  states();
  flags();
  return finish();
}
