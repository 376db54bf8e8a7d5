#include "instrumentation/cuda/self_recording.h"

#include <cstdlib>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "instrumentation/recording_names.h"

namespace warpwalk::cuda {

SelfRecording::SelfRecording(const std::filesystem::path& folder) : library_(folder / "libwarpwalk_inject.so") {
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  std::string name = (temporary / "warpwalk-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) return;
  folder_ = name;
  setenv(instrumentation::output_variable, (folder_ / "own.json").c_str(), 1);
  setenv("CUDA_INJECTION64_PATH", library_.c_str(), 1);
}

SelfRecording::~SelfRecording() {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

void SelfRecording::cuda_started() {
  unsetenv(instrumentation::output_variable);
  unsetenv("CUDA_INJECTION64_PATH");
}

instrumentation::RecordingResult SelfRecording::end() {
  instrumentation::RecordingResult none;
  none.error = "the GPU was not recorded: no temporary folder could be created";
  if (folder_.empty()) return none;
  void* const library = dlopen(library_.c_str(), RTLD_NOW | RTLD_NOLOAD);
  using End = void (*)();
  const auto end = library != nullptr ? reinterpret_cast<End>(dlsym(library, "warpwalk_end_recording")) : nullptr;
  none.error = fmt::format("the GPU was not recorded: CUDA did not load {}", library_.string());
  if (end == nullptr) return none;
  end();
  return instrumentation::read_recording(instrumentation::partial_path(folder_ / "own.json"));
}

}  // namespace warpwalk::cuda
