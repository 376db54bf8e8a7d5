#include "instrumentation/inject/cupti_library.h"

#include <filesystem>
#include <initializer_list>
#include <system_error>
#include <vector>

#include <dlfcn.h>

#include "core/platform/cuda_toolkit.h"

namespace warpwalk::instrumentation {
namespace {

// Newest first.
constexpr std::initializer_list<const char*> file_names = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

template <class Function>
bool find(void* library, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(dlsym(library, name));
  return out != nullptr;
}

bool find_all(void* library, Cupti& out) {
  const bool complete =
      find(library, "cuptiGetVersion", out.get_version) &&
      find(library, "cuptiGetResultString", out.get_result_string) && find(library, "cuptiSubscribe", out.subscribe) &&
      find(library, "cuptiUnsubscribe", out.unsubscribe) && find(library, "cuptiActivityDisable", out.disable) &&
      find(library, "cuptiActivityRegisterCallbacks", out.register_callbacks) &&
      find(library, "cuptiActivityEnable", out.enable) && find(library, "cuptiActivityFlushAll", out.flush_all) &&
      find(library, "cuptiActivityGetNextRecord", out.get_next_record) &&
      find(library, "cuptiActivityGetNumDroppedRecords", out.get_dropped) &&
      find(library, "cuptiGetCallbackName", out.get_callback_name) &&
      find(library, "cuptiSetThreadIdType", out.set_thread_id_type);
  find(library, "cuptiActivityEnableAndDump", out.enable_and_dump);
  find(library, "cuptiEnableCallback", out.enable_callback);
  find(library, "cuptiActivityEnableLatencyTimestamps", out.enable_latency_timestamps);
  find(library, "cuptiActivityGetAttribute", out.get_attribute);
  find(library, "cuptiActivitySetAttribute", out.set_attribute);
  find(library, "cuptiActivityEnableRuntimeApi", out.enable_runtime_api);
  find(library, "cuptiActivityEnableDriverApi", out.enable_driver_api);
  return complete;
}

// Subscribes to this library. Returns true on success; otherwise `out.error` says why it cannot be used.
bool try_subscribe(void* library, const std::string& name, Cupti::Callback* callback, LoadedCupti& out) {
  Cupti functions;
  if (!find_all(library, functions)) {
    if (out.error.empty()) out.error = name + " lacks functions of CUPTI 12; install CUPTI of CUDA 12 or later";
    return false;
  }
  void* subscriber = nullptr;
  const int result = functions.subscribe(&subscriber, callback, nullptr);
  if (result == cupti::success) {
    out = {functions, subscriber, result, {}};
    return true;
  }
  if (out.error.empty() || result == cupti::multiple_subscribers) {
    out.result = result;
    out.error = name + ": " + functions.error_text(result);
  }
  return false;
}

}  // namespace

std::uint32_t Cupti::version() const {
  std::uint32_t version = 0;
  return get_version(&version) == cupti::success ? version : 0;
}

std::string Cupti::error_text(int result) const {
  const char* text = nullptr;
  if (get_result_string(result, &text) != cupti::success || text == nullptr) text = "CUPTI gives no reason";
  return std::string(text) + " (error " + std::to_string(result) + ")";
}

LoadedCupti load_cupti(Cupti::Callback* callback) {
  LoadedCupti out;
  // Two CUPTI libraries in one process interfere with each other, so one that is already loaded is used.
  for (const char* const name : file_names)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_NOLOAD); library != nullptr) {
      try_subscribe(library, name, callback, out);
      return out;
    }
  std::vector<std::string> candidates(file_names.begin(), file_names.end());
  for (const std::filesystem::path& root : platform::toolkit_roots())
    for (const char* const below : {"lib64", "extras/CUPTI/lib64"})
      for (const char* const name : file_names) {
        std::error_code error;
        if (const auto file = root / below / name; std::filesystem::exists(file, error))
          candidates.push_back(file.string());
      }
  for (const std::string& candidate : candidates) {
    void* const library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    if (try_subscribe(library, candidate, callback, out) || out.result == cupti::multiple_subscribers) return out;
  }
  if (out.error.empty())
    out.error =
        "CUPTI (libcupti.so.13 or .12) was not found; install the CUDA toolkit, or set LD_LIBRARY_PATH to its folder";
  return out;
}

}  // namespace warpwalk::instrumentation
