#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "core/story/elements/narration.h"

namespace warpwalk::runs {

/// Why expressions cannot be run on a real GPU on this machine.
struct NoCuda {
  std::string why;   ///< a few words; empty: they can
  std::string more;  ///< what it costs and what to do; may be empty
  friend bool operator==(const NoCuda&, const NoCuda&) = default;
};

/// Finds out whether expressions can be run on a real GPU: runs `warpwalk doctor` and checks the parts that
/// run --on cuda needs. Doctor runs in a child process and a thread waits for it, because drivers are slow to start and
/// may crash.
class CudaAvailability {
 public:
  /// `program`: this program; empty: none, so no GPU can be used. `words`: the texts; must outlive this object.
  CudaAvailability(std::filesystem::path program, const story::Narration& words);
  CudaAvailability(const CudaAvailability&) = delete;
  CudaAvailability& operator=(const CudaAvailability&) = delete;
  /// Ends a check that is under way.
  ~CudaAvailability();

  /// Starts a check, unless one is under way or has found everything. Something missing may have been installed since.
  void start();
  bool busy() const { return thread_.joinable(); }
  /// Takes over the result of a check that has ended.
  void poll();
  /// The result of the last check.
  const NoCuda& found() const { return found_; }

 private:
  const std::filesystem::path program_;
  const story::Narration& words_;
  NoCuda found_;
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  NoCuda seen_;  // valid once ended_
};

}  // namespace warpwalk::runs
