#include "tests/instrumentation/fake_self_recording.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace warpwalk::testing {
namespace {

void* recorder() { return library("WARPWALK_LIBRARY"); }
void* cupti() { return dlopen("libcupti.so.13", RTLD_NOW); }

void* other_client = nullptr;

std::vector<std::thread>& threads() {
  static auto* const the_threads = new std::vector<std::thread>;
  return *the_threads;
}
std::atomic<bool> threads_stop = false;

}  // namespace

void begin_recording(const char* output) {
  const int result = function<int(const char*)>(recorder(), "warpwalk_begin_recording")(output);
  std::printf("begin %d %s\n", result, function<const char*()>(recorder(), "warpwalk_recording_error")());
  std::fflush(stdout);
}

void end_recording() {
  std::printf("end %d\n", function<int()>(recorder(), "warpwalk_end_recording")());
  std::fflush(stdout);
}

void record_often(const char* output) {
  auto* const begin = function<int(const char*)>(recorder(), "warpwalk_begin_recording");
  auto* const end = function<int()>(recorder(), "warpwalk_end_recording");
  int failed = 0;
  for (int n = 0; n < 40; ++n) {
    const std::string walk = output + ("." + std::to_string(n));
    failed += begin(walk.c_str());
    usleep(5000);
    failed += end();
  }
  std::printf("failed %d\n", failed);
  std::fflush(stdout);
}

void take_cupti() {
  std::printf("take %d\n",
              function<int(void**, void*, void*)>(cupti(), "cuptiSubscribe")(&other_client, nullptr, nullptr));
}

void give_cupti() { function<int(void*)>(cupti(), "cuptiUnsubscribe")(other_client); }

void report_cupti() { function<void()>(cupti(), "fake_report")(); }

void start_threads(int count, void (*work)()) {
  threads_stop = false;
  for (int n = 0; n < count; ++n)
    threads().emplace_back([work] {
      while (!threads_stop) work();
    });
}

void stop_threads() {
  threads_stop = true;
  for (std::thread& thread : threads()) thread.join();
  threads().clear();
}

}  // namespace warpwalk::testing
