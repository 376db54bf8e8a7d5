#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>

#include "instrumentation/cubin_log.h"
#include "instrumentation/decode_activity.h"
#include "instrumentation/inject/buffer_pool.h"
#include "instrumentation/inject/cupti_library.h"
#include "instrumentation/recording_file.h"

namespace warpwalk::recording {

/// Nanoseconds of CLOCK_REALTIME.
std::uint64_t now();
/// Of the calling thread, as gettid() gives it.
std::uint32_t thread_number();

/// The recording of this process. It begins when NVTX or CUDA first calls, its file when CUDA does.
class Session final : public CallNames {
 public:
  /// Null where this process is not to be recorded, or no longer.
  static Session* current();

  RecordingFile& file() { return file_; }
  /// Loads CUPTI and begins to record the GPU. Called by CUDA while it starts.
  void start_gpu();
  /// Fetches what CUPTI has ready and writes it. Nothing is fetched from a program that fills whole buffers, which come
  /// by themselves, but for every tenth time, since it may have contexts that fill none. Seen on an H200, PyTorch, five
  /// runs each: medians of 9.6 to 15.4 us a launch with a fetch every time, 9.5 to 10.4 with none and buffers made
  /// ready.
  void flush();
  /// Fetches and writes everything, and ends the recording. `signal`: that ends the program, 0 none.
  void end(std::uint32_t signal);
  std::string_view name(std::uint32_t domain, std::uint32_t cbid) override;
  /// Tells the thread's name, once.
  void note_thread(std::uint32_t thread);

 private:
  explicit Session(std::filesystem::path output);
  void make_room_for_times();
  void enable_kinds();
  /// Has `load_module` called for each module that the program loads, where machine code is asked for.
  void ask_for_modules(void* subscriber);
  void load_module(const cupti::ModuleData& module);
  void leave_out_chatter();
  void trouble(int result, bool fatal, std::string_view what);
  void complete_buffer(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t valid_bytes);

  const std::filesystem::path output_;
  RecordingFile file_;
  CubinLog cubins_{file_};
  Cupti cupti_;
  std::atomic<bool> gpu_ = false;  // CUPTI records
  std::atomic<bool> ended_ = false;
  std::mutex flushing_;  // never held by a thread that CUPTI calls

  BufferPool buffers_;
  std::atomic<bool> delivers_ = false;  // a full buffer came since the last flush
  int left_alone_ = 0;                  // times in a row

  std::mutex names_mutex_;
  std::unordered_map<std::uint64_t, std::string_view> call_names_;  // by domain and cbid
  std::mutex threads_mutex_;
  std::set<std::uint32_t> threads_;
};

}  // namespace warpwalk::recording
