#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace warpwalk::gpu {

/// One thread's access to a byte of shared memory.
struct Touch {
  std::uint32_t thread = 0;
  std::uint32_t epoch = 0;       ///< synchronizations of its warp with other warps so far
  std::uint32_t lane_epoch = 0;  ///< synchronizations of lanes within its warp so far
  std::uint32_t execution = 0;   ///< identifies one execution of an instruction by a warp
  std::uint32_t instruction = 0;
  std::uint32_t copy = 0;  ///< asynchronous copy: number of the thread's copy group, from 1; otherwise 0
  bool atomic = false;     ///< atomic or volatile: intended to communicate
};

/// A read of uninitialised bytes. It is a race if another thread writes them without synchronization.
struct UnwrittenRead {
  Touch read;
  std::uint32_t offset = 0;  ///< of the first uninitialised byte
  std::uint64_t count = 0;   ///< executions by this thread at this place
  bool raced = false;
};

/// The sanitizer's shadow memory of a block, or of all blocks of a cluster one after another: the last accesses to each
/// byte of shared memory, and the synchronization since then. Each warp has a vector clock. Clocks are joined by
/// barriers, and by fences together with atomic or volatile accesses. The lanes of a warp are ordered by the
/// instructions that synchronize them.
class SharedShadow {
 public:
  SharedShadow(std::uint32_t bytes, std::uint32_t warps);

  using Clock = std::vector<std::uint32_t>;  ///< by warp: the last of its epochs that is ordered before

  /// Warps and their lanes have synchronized at a barrier. Bit i of the mask is warp first + i.
  void synchronize_warps(std::uint64_t warps, std::uint32_t first = 0);
  /// A warp has executed bar.arrive: warps that wait at the barrier are ordered after it.
  void arrive(std::uint32_t warp, std::uint32_t barrier);
  void wait_for_arrivers(std::uint64_t warps, std::uint32_t barrier, std::uint32_t first = 0);
  /// A warp arrives at or has waited for a phase of the cluster's barrier. A relaxed arrival orders only what precedes
  /// the warp's last fence.
  void arrive_at_cluster(std::uint32_t warp, std::uint32_t phase, bool relaxed);
  void leave_cluster_barrier(std::uint32_t warp, std::uint32_t phase);
  /// True if the warp's current accesses are ordered after the start of another one.
  bool has_met(std::uint32_t warp, std::uint32_t other) const { return warps_[warp].clock[other] != 0; }
  /// True if an access is ordered before everything that any of `count` warps does from now on, in one of them at
  /// least.
  bool is_known_to(const Touch& touch, std::uint32_t first, std::uint32_t count) const;
  /// Lanes of a warp have synchronized.
  void synchronize_lanes(std::uint32_t warp, std::uint32_t mask);

  /// A thread of the warp has written (release) or read (acquire) a synchronization variable. The access alone orders
  /// nothing: accesses before the writer's last fence are ordered before accesses after the reader's next fence.
  /// `at_once`: the access is a .release or .acquire and needs no fence.
  void release(std::uint32_t warp, std::uint32_t offset, bool at_once);
  void acquire(std::uint32_t warp, std::uint32_t offset, bool at_once);
  void fence(std::uint32_t warp);

  /// Asynchronous copies of a thread: commit closes the open group; wait_for_copies completes all but the newest
  /// `pending` closed groups; wait_for_all_copies completes all copies.
  void commit_copies(std::uint32_t thread);
  void wait_for_copies(std::uint32_t thread, std::uint32_t pending);
  void wait_for_all_copies(std::uint32_t thread);

  /// True if `before` is ordered before the thread's current access.
  bool happens_before(const Touch& before, std::uint32_t thread) const;
  /// make_touch() returns a touch by this thread. Call begin() once before each execution of an instruction.
  void begin() { ++instant_; }
  Touch make_touch(std::uint32_t thread, std::uint32_t instruction, bool atomic, bool copy = false);

  struct Byte {
    bool written = false;
    bool has_plain = false;
    Touch plain;                ///< the last write that is not atomic or volatile
    std::vector<Touch> atomic;  ///< each warp's last atomic or volatile write since then
    std::vector<Touch> reads;   ///< reads since the last write, not ordered before one another
  };
  std::vector<Byte> bytes;

  /// The thread reads uninitialised bytes; bit i of `which` stands for byte offset + i.
  void read_unwritten(const Touch& read, std::uint32_t offset, std::uint32_t which);
  /// A byte is written. Marks earlier reads of the uninitialised byte as races if they are not ordered before the
  /// write.
  void written(const Touch& write, std::uint32_t offset);
  const std::vector<UnwrittenRead>& unwritten_reads() const { return unwritten_; }

 private:
  struct WarpClock {
    Clock clock;
    Clock fenced;  ///< the clock at the last fence or barrier
    Clock seen;    ///< clocks received by reads; they take effect at the next fence
    std::uint32_t epoch = 1, moment = 1;
    bool observed_own_release = false;  ///< a lane has read what another lane of the warp released
    std::array<std::array<std::uint32_t, 32>, 32> last_sync{};  ///< moment of the last synchronization of two lanes
  };
  /// A wait of a thread: all copy groups up to `group` were complete at this epoch and moment.
  struct Completion {
    std::uint32_t group = 0, epoch = 0, moment = 0;
  };
  struct Copies {
    std::uint32_t open = 1;                  ///< number of the group that the next copy belongs to
    std::uint32_t last_forgotten_group = 0;  ///< groups up to this one are assumed to be ordered before every access
    std::vector<Completion> completions;
  };
  Copies& copies_of(std::uint32_t thread);
  void complete(std::uint32_t thread, std::uint32_t group);

  std::vector<WarpClock> warps_;
  std::uint32_t instant_ = 0;
  std::vector<Copies> copies_;               ///< by thread; empty until the first copy
  std::map<std::uint32_t, Clock> places_;    ///< by byte offset: clock released there
  std::map<std::uint32_t, Clock> arrivals_;  ///< by barrier: joined clocks of the warps that arrived
  struct ClusterPhase {
    std::uint32_t phase = 0;
    Clock clock;  ///< joined clocks of the warps that arrived
  };
  std::array<ClusterPhase, 2> cluster_phases_;  ///< a phase begins before all warps have waited for the one before
  std::vector<UnwrittenRead> unwritten_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> unwritten_at_;  ///< by byte: indices into unwritten_
};

}  // namespace warpwalk::gpu
