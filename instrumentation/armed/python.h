#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "instrumentation/armed/ops.h"
#include "instrumentation/armed/python_frames.h"
#include "instrumentation/armed/ring.h"

namespace warpwalk::armed {

/// Records what only programs that run Python have: the Python stack of each call, PyTorch's operator of each launch,
/// and, when an exception ends the program, the allocator's blocks and the tensors. Does nothing in other programs.
class Python {
 public:
  /// `folder`: of the ring's file. Called once, when CUDA starts.
  void start(Ring& ring, const std::filesystem::path& folder);
  /// A stack, as a frame of the ring; 0: none.
  struct Stack {
    std::uint32_t frame = 0;
    bool of_main_thread = false;
  };
  /// The stack of the calling thread. One that runs no Python, such as PyTorch's for the backward pass, mostly works
  /// for the main thread, which waits for it: then that thread's stack.
  Stack stack();
  /// Finds out where Python keeps its frames. With Python's lock, at least two frames deep.
  void calibrate();
  Ops& ops() { return ops_; }

 private:
  // Python calls these, with its lock.
  static int prepare(void* self);
  static int name_frames(void* self);
  /// A frame whose callers are those of `caller`; its text is asked for with Python's lock if it is not known.
  std::uint32_t stack_of(const std::vector<PythonFrame>& frames);
  std::uint32_t frame_of(std::uint32_t caller, const PythonFrame& frame);

  PythonFrames frames_;
  Ops ops_;
  Ring* ring_ = nullptr;
  std::filesystem::path folder_;
  std::atomic<bool> calibrated_ = false;
  std::mutex mutex_;
  struct Place {
    std::uint32_t caller = 0;
    PythonFrame frame;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const {
      constexpr std::size_t odd = 0x9e3779b97f4a7c15;
      return ((reinterpret_cast<std::size_t>(place.frame.code) * odd ^ static_cast<std::size_t>(place.frame.offset)) *
                  odd ^
              place.caller) *
             odd;
    }
  };
  std::unordered_map<Place, std::uint32_t, Hash> texts_;        ///< of frames, without caller
  std::unordered_map<Place, std::uint32_t, Hash> places_;       ///< frames of the ring
  std::vector<std::pair<PythonFrame, std::uint32_t>> unnamed_;  ///< whose texts are not written yet
  std::pair<std::uintptr_t, std::uintptr_t> main_top_;          ///< for which main_stack_ is right
  std::uint32_t main_stack_ = 0;
};

}  // namespace warpwalk::armed
