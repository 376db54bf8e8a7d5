#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "instrumentation/read_recording.h"

namespace warpwalk::cuda {

/// CUPTI's record of this very process, by the library that `warpwalk record` injects into others. To be made before
/// anything of CUDA is called, since CUDA asks for it once, while it starts. One for a process.
class OwnRecording {
 public:
  /// `folder`: where libwarpwalk_inject.so lies.
  explicit OwnRecording(const std::filesystem::path& folder);
  /// Removes its file.
  ~OwnRecording();
  OwnRecording(const OwnRecording&) = delete;
  OwnRecording& operator=(const OwnRecording&) = delete;

  /// CUDA has started: takes back what was said to it, so that programs started from here are not recorded.
  void cuda_started();
  /// Ends the recording and reads it. Where there is none: `error` is one line.
  recording::ReadRecording end();

 private:
  std::filesystem::path folder_;  // of its file; empty where none could be made
  std::filesystem::path library_;
};

}  // namespace warpwalk::cuda
