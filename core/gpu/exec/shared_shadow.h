#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace warpwalk::gpu {

/// One access of one thread to a byte of shared memory.
struct Touch {
  std::uint32_t thread = 0;
  std::uint32_t epoch = 0;   ///< of its warp: how often it has met others
  std::uint32_t moment = 0;  ///< of its warp: how often its lanes have met each other
  std::uint32_t instruction = 0;
  bool atomic = false;  ///< atomic or volatile: meant to meet others
};

/// What the sanitizer remembers of a block: who touched each byte of shared memory, and who has waited for whom since.
/// Warps have vector clocks that barriers join; the lanes of a warp are ordered by the instructions that make them
/// meet.
class SharedShadow {
 public:
  SharedShadow(std::uint32_t bytes, std::uint32_t warps);

  using Clock = std::vector<std::uint32_t>;  ///< by warp: up to which of its epochs one has waited

  /// Warps (a bit each) have met at a barrier; their lanes too.
  void meet(std::uint64_t warps);
  /// A warp has gone past bar.arrive: those who wait there have waited for it.
  void arrive(std::uint32_t warp, std::uint32_t barrier);
  void wait_for_arrivers(std::uint64_t warps, std::uint32_t barrier);
  /// Lanes of a warp have met.
  void lanes_meet(std::uint32_t warp, std::uint32_t mask);
  /// A thread of the warp has written, or read, a place that is meant to pass on what was done before.
  void release(std::uint32_t warp, std::uint32_t offset);
  void acquire(std::uint32_t warp, std::uint32_t offset);

  /// `before` had ended before `thread` went on to now.
  bool ordered(const Touch& before, std::uint32_t thread) const;
  Touch now(std::uint32_t thread, std::uint32_t instruction, bool atomic) const;

  struct Byte {
    bool written = false;
    bool has_write = false;
    Touch write;
    std::vector<Touch> reads;  ///< since the last write, none ordered before another
  };
  std::vector<Byte> bytes;

 private:
  struct WarpClock {
    Clock clock;
    std::uint32_t epoch = 1, moment = 1;
    std::array<std::array<std::uint32_t, 32>, 32> met{};  ///< moment at which two lanes last met
  };
  std::vector<WarpClock> warps_;
  std::map<std::uint32_t, Clock> places_;    ///< by byte offset: what has been released there
  std::map<std::uint32_t, Clock> arrivals_;  ///< by barrier
};

}  // namespace warpwalk::gpu
