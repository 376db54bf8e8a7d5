#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrumentation/armed/python_frames.h"

namespace warpwalk::instrumentation {

class Session;

/// The lines of Python that call PyTorch's ops, as NVTX ranges of a domain of their own (python_lines_domain):
/// "train.py(12): step". Python's stack is read when an op begins that is in no other op; a line's range ends with the
/// last op that it has called before another line does.
class PythonLines {
 public:
  static PythonLines& the();
  /// Begins, on Python's main thread and with its lock. False: this Python's frames cannot be read.
  bool start();
  bool on() const { return on_; }

  /// Around each range of the default domain, on its thread. `text` is its name.
  void before_range(Session& session, std::uint32_t thread, std::string_view text);
  void after_range(Session& session, std::uint32_t thread);

  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

 private:
  using Frame = armed::PythonFrame;
  /// A thread that runs Python: the lines that are open, the outermost first.
  struct Thread {
    std::uint64_t session = 0;
    std::vector<const std::string*> lines;
    std::uint64_t last = 0;  ///< when its last op ended
  };
  /// The ranges that are open on a thread.
  struct Open {
    bool op = false;
    std::size_t lines = 0;  ///< of the thread when the range began
  };
  struct OpenRanges {
    std::uint64_t session = 0;
    std::vector<Open> ranges;
  };
  static OpenRanges& ranges_of_this_thread(const Session& session);
  Thread& thread_of(const Session& session, std::uint32_t thread);
  /// The texts of frames; those that are not known yet are asked for with Python's lock.
  std::vector<const std::string*> texts_of(const std::vector<Frame>& frames);
  const std::string* name_frame(const Frame& frame);
  void close_lines(Session& session, Thread& of, std::uint32_t thread, std::size_t left);

  struct Hash {
    std::size_t operator()(const Frame& frame) const {
      return reinterpret_cast<std::size_t>(frame.code) * 31 + static_cast<std::size_t>(frame.offset);
    }
  };
  armed::PythonFrames frames_;
  std::atomic<bool> on_ = false;
  std::uint32_t main_thread_ = 0;
  std::string folder_;                                               ///< the current one, which names leave out
  std::mutex mutex_;                                                 ///< never held while Python's lock is waited for
  std::map<std::string, bool> names_;                                ///< false: of a frame that is left out
  std::unordered_map<Frame, const std::string*, Hash> frame_names_;  ///< null: left out
  std::map<std::uint32_t, Thread> threads_;
  // Python's public functions.
  int (*take_lock_)() = nullptr;
  void (*leave_lock_)(int) = nullptr;
  void (*keep_)(void*) = nullptr;
  int (*is_ending_)() = nullptr;  ///< null: not known
};

}  // namespace warpwalk::instrumentation
