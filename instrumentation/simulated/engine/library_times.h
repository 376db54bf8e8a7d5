#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace warpwalk::simulated {

/// The time that a call of one of NVIDIA's libraries takes on a real GPU.
struct LibraryTime {
  std::int64_t ns = 0;
  std::string source;  ///< "measured on an NVIDIA H200 with cuBLAS 13.1.0, kernel NAME"
};

/// Measured times of library calls, by KernelLaunch::library_call. The file has a line "# GPU; LIBRARY VERSION; ...", a
/// line of column names, and a row "CALL,NS,"KERNEL"" per call (tests/simulated_cuda/torch/measure_library.py).
class LibraryTimes {
 public:
  LibraryTimes() = default;
  /// Those of the GPU with this description: assets/libraries/h200.csv of assets/devices/h200.json. Without such a
  /// file, there are none; rows that cannot be read are left out.
  static LibraryTimes of_device(const std::filesystem::path& description);
  static LibraryTimes parse(std::string_view text);

  /// Null: not measured.
  const LibraryTime* find(std::string_view call) const;

 private:
  std::map<std::string, LibraryTime, std::less<>> times_;
};

}  // namespace warpwalk::simulated
