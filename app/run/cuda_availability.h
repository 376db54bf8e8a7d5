#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

namespace warpwalk::runs {

/// Why nothing can be run on a real GPU here.
struct NoCuda {
  std::string why;   ///< a few words; empty: it can
  std::string more;  ///< what it costs and what to do; may be empty
  friend bool operator==(const NoCuda&, const NoCuda&) = default;
};

/// Whether expressions can be run on a real GPU here: what `warpwalk doctor` finds of the things that run --on cuda
/// takes. It is asked beside the window, in a process of its own, since drivers are slow to wake up and may crash.
class CudaAvailability {
 public:
  /// `program`: this very one; empty: there is none, and so no GPU to be reached.
  explicit CudaAvailability(std::filesystem::path program);
  CudaAvailability(const CudaAvailability&) = delete;
  CudaAvailability& operator=(const CudaAvailability&) = delete;
  /// Ends the look that is under way.
  ~CudaAvailability();

  /// Looks, unless a look is under way or has found everything: what was missing may have come meanwhile.
  void start();
  bool busy() const { return thread_.joinable(); }
  /// Takes in what the look has found, once it has ended.
  void poll();
  /// As the last look found it.
  const NoCuda& found() const { return found_; }

 private:
  const std::filesystem::path program_;
  NoCuda found_;
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  NoCuda seen_;  // once it has ended
};

}  // namespace warpwalk::runs
