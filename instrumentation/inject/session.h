#pragma once

// This folder is the library that is loaded into a recorded program. Code that runs in warpwalk itself is in
// instrumentation.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instrumentation/cubin_log.h"
#include "instrumentation/decode_activity.h"
#include "instrumentation/inject/buffer_pool.h"
#include "instrumentation/inject/cupti_library.h"
#include "instrumentation/inject/inside_recorder.h"
#include "instrumentation/recording_file.h"

namespace warpwalk::instrumentation {

/// Nanoseconds of CLOCK_REALTIME.
std::uint64_t now_ns();
/// The ID of the calling thread, as returned by gettid().
std::uint32_t thread_id();

/// The recording of this process. It begins with the first call from NVTX or CUDA; its file is opened when CUDA starts.
class Session final : public CallNameTable {
 public:
  /// Returns null if this process is not recorded, or no longer.
  static Session* current();

  RecordingFile& file() { return file_; }
  /// Loads CUPTI and begins to record the GPU. Called by CUDA while it starts.
  void start_gpu();
  /// Begins a recording on the simulated GPU, which adds its rows to what this returns. `clock`: the program's time, ns
  /// since the epoch. Returns null if nothing can be recorded.
  RowSink* start_simulated(std::uint64_t (*clock)(), std::string_view device);
  /// Flushes CUPTI and writes the rows. A program that fills whole buffers delivers them by itself, so CUPTI is then
  /// flushed only every tenth time, for contexts that do not fill a buffer. Measured on an H200 with PyTorch, five runs
  /// each: medians of 9.6 to 15.4 us per launch when flushing every time, 9.5 to 10.4 us without flushes and with
  /// prepared buffers.
  void flush();
  /// Flushes and writes everything, and ends the recording. `signal` is the signal that ends the program, or 0.
  void end(std::uint32_t signal);
  std::string_view name(std::uint32_t domain, std::uint32_t cbid) override;
  /// True if launches are recorded with their memory.
  bool records_inside() const { return inside_ != nullptr; }
  /// Records the thread's name, once per thread.
  void record_thread_name(std::uint32_t thread);

 private:
  explicit Session(std::filesystem::path output);
  /// Opens the file and writes its first rows.
  bool begin_file(std::uint32_t cupti_api);
  void start_flushing();
  void set_device_buffer_limit();
  void enable_kinds();
  /// If machine code is requested, has CUPTI call `load_module` for each module that the program loads.
  void enable_module_callback(void* subscriber);
  void load_module(const cupti::ModuleData& module);
  /// If launches are to be recorded with their memory, has CUPTI call `launch` around each launch.
  void start_inside(void* subscriber);
  void launch(std::uint32_t cbid, const cupti::CallbackData& call);
  void disable_frequent_calls();
  void record_error(int result, bool fatal, std::string_view what);
  void complete_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid_bytes);

  const std::filesystem::path output_;
  RecordingFile file_;
  CubinLog cubins_{file_};
  std::unique_ptr<InsideRecorder> inside_;   ///< null: no launch is recorded with its memory
  std::vector<std::uint32_t> launch_calls_;  ///< callback IDs of the driver's launch functions
  void* subscriber_ = nullptr;
  Cupti cupti_;
  std::atomic<bool> gpu_ = false;  // start_gpu() was called
  std::atomic<bool> ended_ = false;
  std::mutex flushing_;  // never held by a thread that CUPTI calls

  BufferPool buffers_;
  std::atomic<bool> full_buffer_seen_ = false;  // a full buffer arrived since the last flush
  int skipped_flushes_ = 0;                     // consecutive calls of flush() that did not flush CUPTI

  std::mutex names_mutex_;
  std::unordered_map<std::uint64_t, std::string_view> call_names_;  // by domain and cbid
  std::mutex threads_mutex_;
  std::set<std::uint32_t> threads_;
};

}  // namespace warpwalk::instrumentation
