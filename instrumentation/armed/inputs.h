#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/armed/calls.h"
#include "instrumentation/cubin_log.h"
#include "instrumentation/inside/inside_recorder.h"
#include "instrumentation/recording_file.h"

namespace warpwalk::armed {

/// Keeps the inputs of the last launch that a pattern matches until the next one: parameters, memory and machine code,
/// in the file of a recording (PID.walk.json.gz.partial), from which the simulated GPU can run it again. One launch is
/// kept at a time; those of other threads meanwhile are not. Once a kernel has failed, the file stays as it is.
/// Thread-safe.
class Inputs final : public instrumentation::RowSink {
 public:
  /// Null if the environment asks for no inputs. `output`: of the walk. `dump`: CUDA's core dump, which is there once a
  /// kernel has failed.
  static std::unique_ptr<Inputs> create(std::filesystem::path output, std::filesystem::path dump);

  /// An image that the program gives to the driver; only a cubin is kept.
  void load(const void* image);
  /// Around a launch, on the thread that makes it. `number`: of the call. `kernel`: its mangled name.
  void enter(const DriverCall& call, const Arguments& arguments, std::uint64_t number,
             const std::string& kernel) noexcept;
  void leave(const DriverCall& call, std::uint64_t number, int result);

  std::uint32_t name(std::string_view text) override { return file_->name(text); }
  void add(const instrumentation::Row& row) override { file_->add(row); }

 private:
  Inputs(std::filesystem::path output, std::filesystem::path dump, std::vector<instrumentation::InsidePattern> patterns,
         std::uint64_t max_bytes);
  bool has_failed();
  void begin_file(std::string_view kernel);

  const std::filesystem::path output_, dump_;
  std::mutex mutex_;
  std::vector<std::string> cubins_;
  std::uint64_t cubin_bytes_ = 0;
  std::atomic<std::uint64_t> number_ = 0;  ///< of the launch that a thread is in, or that failed; 0: none
  std::uint64_t launched_ = 0;             ///< when the launch that a thread is in began; 0: it is not kept
  std::unique_ptr<instrumentation::RecordingFile> file_;
  instrumentation::InsideRecorder recorder_;
};

}  // namespace warpwalk::armed
