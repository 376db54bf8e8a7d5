#pragma once

#include <filesystem>
#include <string>

#include "instrumentation/recorded/read_recording.h"

namespace warpwalk::cuda {

/// Records this process with CUPTI, using the library that `warpwalk record` injects into other programs. Create it
/// before any CUDA call, because CUDA loads the library once, while it starts. One per process.
class SelfRecording {
 public:
  /// `folder` contains libwarpwalk_inject.so.
  explicit SelfRecording(const std::filesystem::path& folder);
  /// Removes the recording's temporary folder.
  ~SelfRecording();
  SelfRecording(const SelfRecording&) = delete;
  SelfRecording& operator=(const SelfRecording&) = delete;

  /// Call once CUDA has started: clears the environment variables, so that child processes are not recorded.
  void cuda_started();
  /// Ends the recording and reads it. If there is none, `error` is set to one line.
  instrumentation::RecordingResult end();

 private:
  std::filesystem::path folder_;  // temporary folder of the recording; empty if it could not be created
  std::filesystem::path library_;
};

}  // namespace warpwalk::cuda
