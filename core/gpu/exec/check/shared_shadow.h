#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace warpwalk::gpu {

/// One access of one thread to a byte of shared memory.
struct Touch {
  std::uint32_t thread = 0;
  std::uint32_t epoch = 0;    ///< of its warp: how often it has met others
  std::uint32_t moment = 0;   ///< of its warp: how often its lanes have met each other
  std::uint32_t instant = 0;  ///< the same for all lanes of one execution of an instruction, and for no others
  std::uint32_t instruction = 0;
  std::uint32_t copy = 0;  ///< an asynchronous copy: the number of its group among the thread's, from 1; otherwise 0
  bool atomic = false;     ///< atomic or volatile: meant to meet others
};

/// A read of bytes that nobody had written. A race, if another thread writes them with nothing between the two.
struct UnwrittenRead {
  Touch read;
  std::uint32_t offset = 0;  ///< of the first byte without a value
  std::uint64_t count = 0;   ///< how often the thread did so here
  bool raced = false;
};

/// What the sanitizer remembers of a block: who touched each byte of shared memory, and who has waited for whom since.
/// Warps have vector clocks that barriers join, and fences together with atomic or volatile accesses; the lanes of a
/// warp are ordered by the instructions that make them meet.
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

  /// A thread of the warp has written, or read, a place that passes something on. By itself that orders nothing: what
  /// was done before the writer's last fence is seen after the reader's next one. `at_once`: the access is a .release
  /// or .acquire and needs no fence.
  void release(std::uint32_t warp, std::uint32_t offset, bool at_once);
  void acquire(std::uint32_t warp, std::uint32_t offset, bool at_once);
  void fence(std::uint32_t warp);

  /// Asynchronous copies of a thread: its open group ends; all but the newest `pending` ended groups are complete; all
  /// copies are.
  void commit_copies(std::uint32_t thread);
  void wait_for_copies(std::uint32_t thread, std::uint32_t pending);
  void wait_for_all_copies(std::uint32_t thread);

  /// `before` had ended before `thread` went on to now.
  bool ordered(const Touch& before, std::uint32_t thread) const;
  /// A touch by this thread now; begin() before the first lane of each execution of an instruction.
  void begin() { ++instant_; }
  Touch now(std::uint32_t thread, std::uint32_t instruction, bool atomic, bool copy = false);

  struct Byte {
    bool written = false;
    bool has_plain = false;
    Touch plain;                ///< the last write that is not meant to meet others
    std::vector<Touch> atomic;  ///< since then: the last of each warp that is
    std::vector<Touch> reads;   ///< since the last write, none ordered before another
  };
  std::vector<Byte> bytes;

  /// The thread reads bytes that nobody has written; bit i of `which` is byte offset + i.
  void read_unwritten(const Touch& read, std::uint32_t offset, std::uint32_t which);
  /// A byte is written: reads of it from before it had a value that were not ordered before this are races.
  void written(const Touch& write, std::uint32_t offset);
  const std::vector<UnwrittenRead>& unwritten_reads() const { return unwritten_; }

 private:
  struct WarpClock {
    Clock clock;
    Clock fenced;  ///< as it was at the last fence or barrier
    Clock seen;    ///< what has been passed on to it and counts from the next fence on
    std::uint32_t epoch = 1, moment = 1;
    bool heard_itself = false;                            ///< one of its lanes has seen what another has passed on
    std::array<std::array<std::uint32_t, 32>, 32> met{};  ///< moment at which two lanes last met
  };
  /// Up to which of a thread's groups its copies were complete when it had waited.
  struct Completion {
    std::uint32_t group = 0, epoch = 0, moment = 0;
  };
  struct Copies {
    std::uint32_t open = 1;       ///< number of the group that the next copy belongs to
    std::uint32_t forgotten = 0;  ///< groups so old that all have long seen them
    std::vector<Completion> completions;
  };
  Copies& copies_of(std::uint32_t thread);
  void complete(std::uint32_t thread, std::uint32_t group);

  std::vector<WarpClock> warps_;
  std::uint32_t instant_ = 0;
  std::vector<Copies> copies_;               ///< by thread; empty until one copies
  std::map<std::uint32_t, Clock> places_;    ///< by byte offset: what has been released there
  std::map<std::uint32_t, Clock> arrivals_;  ///< by barrier
  std::vector<UnwrittenRead> unwritten_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> unwritten_at_;  ///< by byte: indices into unwritten_
};

}  // namespace warpwalk::gpu
