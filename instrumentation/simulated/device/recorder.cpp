#include "instrumentation/simulated/device/recorder.h"

#include <cstdlib>

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrumentation/decode_activity.h"

namespace warpwalk::simulated {
namespace {

constexpr const char* injected_library = "CUDA_INJECTION64_PATH";

}  // namespace

bool Recorder::is_wanted() { return std::getenv(injected_library) != nullptr; }

void Recorder::start(std::uint64_t (*now)(), std::string_view device) {
  if (!is_wanted()) return;
  void* const loaded = dlopen(std::getenv(injected_library), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) return;
  using Begin = instrumentation::RowSink* (*)(std::uint64_t(*)(), const char*);
  const auto begin = reinterpret_cast<Begin>(dlsym(loaded, "warpwalk_record_simulated"));
  if (begin != nullptr) to_ = begin(now, std::string(device).c_str());
  end_ = reinterpret_cast<void (*)()>(dlsym(loaded, "warpwalk_end_simulated"));
}

void Recorder::end() {
  if (to_ != nullptr && end_ != nullptr) end_();
}

std::uint32_t Recorder::name(std::string_view text) { return to_ == nullptr ? 0 : to_->name(text); }

void Recorder::add(const instrumentation::Row& row) {
  if (to_ != nullptr) to_->add(row);
}

std::uint32_t& Recorder::correlation() {
  thread_local std::uint32_t correlation = 0;
  return correlation;
}

bool& Recorder::call_is_async() {
  thread_local bool is_async = false;
  return is_async;
}

std::uint32_t Recorder::thread() {
  thread_local const auto id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return id;
}

}  // namespace warpwalk::simulated
