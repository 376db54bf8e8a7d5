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
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instrumentation/cubin_log.h"
#include "instrumentation/decode_activity.h"
#include "instrumentation/inject/buffer_pool.h"
#include "instrumentation/inject/cupti_library.h"
#include "instrumentation/inject/simulated_gpu.h"
#include "instrumentation/inside/inside_recorder.h"
#include "instrumentation/recording_file.h"

namespace warpwalk::instrumentation {

/// Nanoseconds of CLOCK_REALTIME.
std::uint64_t now_ns();
/// The buffers that CUPTI fills, of all sessions: CUPTI may return one after the session in which it asked for it.
BufferPool& activity_buffers();

/// A recording of this process. If the environment asks for it, it begins with the first call from NVTX or CUDA, and
/// its file is opened when CUDA starts. If the program begins it, its file is opened at once.
class Session final : public CallNameTable {
 public:
  explicit Session(std::filesystem::path output);

  /// Differs for each session of the process.
  std::uint64_t number() const { return number_; }
  RecordingFile& file() { return file_; }
  /// Loads CUPTI and begins to record the GPU. Called by CUDA while it starts.
  void start_gpu();
  /// Begins a recording on the simulated GPU, which adds its rows to what this returns. `clock`: the program's time, ns
  /// since the epoch. Returns null if nothing can be recorded.
  RowSink* start_simulated(std::uint64_t (*clock)(), std::string_view device);
  /// For a recording that the program begins, in two steps: open() creates the file and subscribes to CUPTI, enable()
  /// has CUPTI record. Both return one line that says why this is not possible, or an empty text. If open() fails,
  /// nothing is left of it; after a failure of enable(), discard() removes what there is.
  std::string open();
  std::string enable();
  void discard();
  /// Likewise on the simulated GPU, in one step.
  std::string begin_on(const SimulatedGpu& gpu);
  /// Flushes CUPTI and writes the rows. A program that fills whole buffers delivers them by itself, so CUPTI is then
  /// flushed only every tenth time, for contexts that do not fill a buffer. Measured on an H200 with PyTorch, five runs
  /// each: medians of 9.6 to 15.4 us per launch when flushing every time, 9.5 to 10.4 us without flushes and with
  /// prepared buffers.
  void flush();
  /// Flushes and writes everything, and ends the recording, with the program. `signal` is the signal that ends it, or
  /// 0.
  void end(std::uint32_t signal);
  /// Ends the recording of a program that continues: also disables what CUPTI does for it.
  void stop();
  /// Unsubscribes from CUPTI after stop(), when no call of it is in the session any more.
  void leave_cupti();
  bool has_begun() const { return gpu_; }
  bool has_ended() const { return ended_; }
  /// Waits for the simulated GPU's work and takes the recording away from it. Does nothing without one.
  void leave_simulated();
  std::string_view name(std::uint32_t domain, std::uint32_t cbid) override;
  /// True if launches are recorded with their memory.
  bool records_inside() const { return follows_ops_; }
  /// Records the thread's name, once per thread.
  void record_thread_name(std::uint32_t thread);

 private:
  /// Opens the file that the environment names and writes its first rows.
  bool begin_file(std::uint32_t cupti_api);
  void add_first_rows(std::uint32_t cupti_api);
  /// Names that the program gave its threads before; its threads' own names do not replace them.
  void add_thread_names();
  void record_error(int result, bool fatal, std::string_view what);

  // ---- session_cupti.cpp: what CUPTI records, and its calls

  static void on_call(void*, std::uint32_t domain, std::uint32_t cbid, const void* data);
  static void on_buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* max_records);
  static void on_buffer_completed(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                                  std::size_t valid_bytes);
  void set_device_buffer_limit();
  /// Returns why no kernels are recorded; empty if they are.
  std::string enable_kinds();
  void disable_frequent_calls();
  /// If launches are to be recorded with their memory, makes the recorder that `launch` needs.
  void prepare_inside();
  /// If machine code is requested, has CUPTI call `load_module` for each module that the program loads.
  void enable_module_callback();
  /// Has CUPTI call `launch` around each launch.
  void enable_launch_callbacks();
  void load_module(const cupti::ModuleData& module);
  void launch(const cupti::CallbackData& call);
  void read_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid_bytes);
  void flush_everything();
  void disable_callbacks();
  void disable_kinds();

  const std::filesystem::path output_;
  const std::uint64_t number_;
  RecordingFile file_;
  CubinLog cubins_{file_};
  std::unique_ptr<InsideRecorder> inside_;   ///< null: no launch is recorded with its memory
  std::vector<std::uint32_t> launch_calls_;  ///< callback IDs of the driver's launch functions
  std::vector<cupti::Kind> kinds_;           ///< that were enabled
  std::size_t usual_device_buffers_ = 0;     ///< the limit before it was changed; 0: it was not
  bool late_ = false;                        ///< CUDA had started before the recording began
  void* subscriber_ = nullptr;
  Cupti cupti_;
  std::atomic<bool> gpu_ = false;          // the recording has begun
  std::optional<SimulatedGpu> simulated_;  ///< that adds rows to the file
  bool follows_ops_ = false;
  std::atomic<bool> ended_ = false;
  std::mutex flushing_;  // never held by a thread that CUPTI calls

  std::atomic<bool> full_buffer_seen_ = false;  // a full buffer arrived since the last flush
  int skipped_flushes_ = 0;                     // consecutive calls of flush() that did not flush CUPTI

  std::mutex names_mutex_;
  std::unordered_map<std::uint64_t, std::string_view> call_names_;  // by domain and cbid
  std::mutex threads_mutex_;
  std::set<std::uint32_t> threads_;
};

}  // namespace warpwalk::instrumentation
