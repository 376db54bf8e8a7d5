#include "instrumentation/simulated/device/recorder.h"

#include <cstdlib>
#include <ctime>

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
  end_ = reinterpret_cast<void (*)()>(dlsym(loaded, "warpwalk_end_simulated"));
  if (begin == nullptr) return;
  if (instrumentation::RowSink* const rows = begin(now, std::string(device).c_str()); rows != nullptr) attach({rows});
}

void Recorder::attach(const RecordingTarget& target) {
  target_ = target;
  number_ = ++last_number_;
}

void Recorder::detach() {
  number_ = 0;
  // A use that began before has counted itself; one that begins from here on finds that the recording has ended.
  constexpr timespec pause = {0, 100'000};
  while (users_ > 0) nanosleep(&pause, nullptr);
  target_ = {};
}

void Recorder::end() {
  if (on() && end_ != nullptr) end_();
}

Recorder::Use::Use(Recorder& recorder, std::uint32_t number) : recorder_(recorder) {
  ++recorder.users_;
  valid_ = number != 0 && recorder.number_ == number;
}

std::uint32_t Recorder::name(std::string_view text) {
  const Use use(*this, number_);
  return use ? target_.rows->name(text) : 0;
}

void Recorder::add(const instrumentation::Row& row) {
  const Use use(*this, number_);
  if (use) target_.rows->add(row);
}

std::vector<std::string> Recorder::open_ops() {
  const Use use(*this, number_);
  return use && target_.open_ops != nullptr ? target_.open_ops() : std::vector<std::string>();
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
