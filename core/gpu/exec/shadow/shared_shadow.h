#pragma once

// This folder has what the checks remember: last accesses to each byte, vector clocks, findings. core/gpu/exec/check
// decides what is an error.

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gpu/exec/shadow/known_blocks.h"

namespace warpwalk::gpu {

/// What accesses memory. An access by anything but a thread is asynchronous: it begins when its instruction executes,
/// and may still be in progress until a thread has waited for it.
enum class AccessedBy : std::uint8_t {
  thread,
  copy,        ///< cp.async
  bulk_copy,   ///< a bulk copy that signals an mbarrier: cp.async.bulk and cp.async.bulk.tensor to shared memory
  bulk_store,  ///< a bulk copy that belongs to a bulk group: cp.async.bulk and cp.async.bulk.tensor to global memory
  product,     ///< wgmma, of its matrices in shared memory
};

/// True for accesses through the async proxy. Those of cp.async go through the generic proxy.
constexpr bool uses_async_proxy(AccessedBy by) { return by != AccessedBy::thread && by != AccessedBy::copy; }

/// One access to a byte of shared memory: that of a thread, or one that a thread has started.
struct Touch {
  std::uint32_t thread = 0;
  std::uint32_t epoch = 0;      ///< synchronizations of its warp or of lanes of its warp so far
  std::uint32_t execution = 0;  ///< identifies one execution of an instruction by a warp
  std::uint32_t instruction = 0;
  /// Of an asynchronous access, from 1: the thread's batch of cp.async, the phase of the mbarrier, the thread's bulk
  /// group, or the warp group's group of products. Otherwise 0.
  std::uint32_t batch = 0;
  std::uint32_t channel = 0;  ///< through the async proxy: what the batches are counted for (SharedShadow::channel)
  AccessedBy by = AccessedBy::thread;
  bool atomic = false;  ///< atomic or volatile: intended to communicate
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
/// instructions that synchronize them. The clocks also carry what is known about blocks of other clusters, which is
/// exchanged through global memory (global_races.h).
class SharedShadow {
 public:
  SharedShadow(std::uint32_t bytes, std::uint32_t warps);

  struct Clock {
    std::vector<std::uint32_t> warps;  ///< by warp: the last of its epochs that is ordered before
    KnownBlocks others;                ///< the same for the blocks of other clusters
    KnownBlocks published;             ///< what strong writes to global memory release: see publish()
    /// By thread: the last of its batches of copies that an mbarrier has completed. Empty if there are none.
    std::vector<std::uint32_t> copies;
    std::vector<std::uint32_t> completed;  ///< by channel: the last of its batches that is complete
    /// By warp: the last of its epochs whose writes precede a fence.proxy.async, so that the async proxy reads them.
    std::vector<std::uint32_t> fenced_for_proxy;

    void join(const Clock& other);
  };

  /// Warps and their lanes have synchronized at a barrier. Bit i of the mask is warp first + i.
  void synchronize_warps(std::uint64_t warps, std::uint32_t first = 0);
  /// All lanes of the warp have exited. A barrier orders nothing after what they did: it orders only warps that reach
  /// it.
  void end_warp(std::uint32_t warp);
  /// True if a barrier would order the access before those of the thread if it counted warps that had exited.
  bool is_before_exit(std::uint32_t before, std::uint32_t epoch, std::uint32_t thread) const;
  /// A warp has executed bar.arrive: warps that wait at the barrier are ordered after it.
  void arrive(std::uint32_t warp, std::uint32_t barrier);
  void wait_for_arrivers(std::uint64_t warps, std::uint32_t barrier, std::uint32_t first = 0);
  /// A warp arrives at or has waited for a phase of the cluster's barrier. A relaxed arrival orders only what precedes
  /// the warp's last fence.
  void arrive_at_cluster(std::uint32_t warp, std::uint32_t phase, bool relaxed);
  void leave_cluster_barrier(std::uint32_t warp, std::uint32_t phase);
  /// True if the warp's current accesses are ordered after the start of another one.
  bool has_met(std::uint32_t warp, std::uint32_t other) const { return warps_[warp].clock.warps[other] != 0; }
  /// True if an access is ordered before everything that any of `count` warps does from now on, in one of them at
  /// least.
  bool is_known_to(const Touch& touch, std::uint32_t first, std::uint32_t count) const;
  /// Lanes of a warp have synchronized.
  void synchronize_lanes(std::uint32_t warp, std::uint32_t mask);

  /// A thread of the warp has written (release) or read (acquire) a synchronization variable. The access alone orders
  /// nothing: accesses before the writer's last fence are ordered before accesses after the reader's next fence.
  /// `at_once`: the access is a .release or .acquire and needs no fence.
  void release(std::uint32_t warp, std::uint32_t offset, bool at_once) { release_at(warp, offset, at_once); }
  void acquire(std::uint32_t warp, std::uint32_t offset, bool at_once) { acquire_at(warp, offset, at_once); }
  void fence(std::uint32_t warp);

  /// The same for a variable in global memory, as seen from the warps of this shadow memory.
  void release_global(std::uint32_t warp, std::uint64_t address) { release_at(warp, address, false); }
  void acquire_global(std::uint32_t warp, std::uint64_t address) { acquire_at(warp, address, false); }
  /// The warp has read a variable that blocks of other clusters have released. It is ordered after them from its next
  /// fence or block barrier on.
  void receive(std::uint32_t warp, const KnownBlocks& others) { warps_[warp].seen.others.join(others); }
  /// The warp has issued a fence for the whole GPU, with this clock. From now on it, and threads that are ordered after
  /// the fence, release the clock with each strong write to global memory.
  void publish(std::uint32_t warp, KnownBlocks clock);
  /// The clock of the warp.
  const Clock& clock(std::uint32_t warp) const { return warps_[warp].clock; }
  /// The clocks that the warp's strong reads have received.
  const Clock& seen(std::uint32_t warp) const { return warps_[warp].seen; }
  std::uint32_t epoch(std::uint32_t warp) const { return warps_[warp].epoch; }
  std::size_t variable_count() const { return places_.size(); }
  /// True if an access of this thread in this epoch is ordered before the other thread's current access.
  bool is_ordered(std::uint32_t before, std::uint32_t epoch, std::uint32_t thread) const;

  /// Asynchronous copies of a thread: commit closes the open group; wait_for_copies completes all but the newest
  /// `pending` closed groups; wait_for_all_copies completes all copies.
  void commit_copies(std::uint32_t thread);
  void wait_for_copies(std::uint32_t thread, std::uint32_t pending);
  void wait_for_all_copies(std::uint32_t thread);
  /// The thread's copies up to now complete with the current phase (its parity) of the mbarrier at this offset
  /// (cp.async.mbarrier.arrive).
  void track_copies(std::uint32_t thread, std::uint32_t mbarrier, bool odd_phase);
  /// The warp has seen that the mbarrier's last phase with this parity has completed.
  void see_phase_completed(std::uint32_t warp, std::uint32_t mbarrier, bool odd_phase);

  /// Accesses through the async proxy complete in the order of their batches. Each mbarrier, each thread with bulk
  /// groups and each warp group with products is a channel.
  enum class ChannelKind : std::uint8_t { mbarrier, bulk_reads, bulk_group, warp_group };
  std::uint32_t channel(ChannelKind kind, std::uint32_t index);
  /// The number of the mbarrier's current phase, from 1, whose parity this is. Called before each change of its state.
  std::uint32_t phase_of(std::uint32_t mbarrier, bool odd);
  /// The warp knows that the channel's batches up to this one are complete.
  void complete(std::uint32_t warp, std::uint32_t channel, std::uint32_t batch);
  bool is_complete(std::uint32_t warp, std::uint32_t channel, std::uint32_t batch) const;
  /// The bulk groups of a thread, as with copies. `only_reads`: the groups' reads of their sources are complete.
  std::uint32_t open_bulk_group(std::uint32_t thread);
  void commit_bulk_group(std::uint32_t thread);
  void wait_for_bulk_groups(std::uint32_t thread, std::uint32_t pending, bool only_reads);
  /// The warps of a warp group have synchronized at a wgmma instruction. What one of them knows of their products'
  /// progress remains its own.
  void synchronize_warp_group(std::uint64_t warps, std::uint32_t first, std::uint32_t channel);
  /// A warp has executed fence.proxy.async: what it did and knows of precedes accesses through the async proxy that are
  /// ordered after the fence.
  void fence_for_proxy(std::uint32_t warp);
  /// True if a write of a thread, which is ordered before the warp's current access, precedes such a fence.
  bool is_fenced_for_proxy(const Touch& write, std::uint32_t warp) const;

  /// True if `before` is ordered before the thread's current access.
  bool happens_before(const Touch& before, std::uint32_t thread) const;
  /// make_touch() returns a touch by this thread. Call begin() once before each execution of an instruction.
  void begin() { ++instant_; }
  Touch make_touch(std::uint32_t thread, std::uint32_t instruction, bool atomic, AccessedBy by = AccessedBy::thread);

  struct Byte {
    bool written = false;
    bool has_plain = false;
    bool has_same_value = false;
    bool several_same = false;  ///< other threads, not ordered before `same_value`, have stored its value, too
    Touch plain;                ///< the last write that is not atomic or volatile
    Touch same_value;           ///< the store before it, if it has stored the same value
    std::vector<Touch> atomic;  ///< each warp's last atomic or volatile write since then
    std::vector<Touch> reads;   ///< reads since the last write, not ordered before one another
  };
  std::vector<Byte> bytes;
  /// The number of bytes from `offset` on that share one state, in an access to `count` bytes there: 4 for an aligned
  /// word that has only been accessed as a whole, whose state is bytes[offset]; otherwise 1.
  int piece_at(std::uint32_t offset, int count);

  /// The thread reads uninitialised bytes; bit i of `which` is byte offset + i.
  void read_unwritten(const Touch& read, std::uint32_t offset, std::uint32_t which);
  /// A byte is written. Marks earlier reads of the uninitialised byte as races if they are not ordered before the
  /// write.
  void written(const Touch& write, std::uint32_t offset);
  const std::vector<UnwrittenRead>& unwritten_reads() const { return unwritten_; }

 private:
  struct WarpClock {
    Clock clock;
    Clock fenced;                      ///< the clock at the last fence or barrier
    Clock seen;                        ///< clocks received by reads; they take effect at the next fence
    std::vector<std::uint32_t> exits;  ///< by warp: its last epoch, if it had exited before this one's last barrier
    std::uint32_t epoch = 1;
    bool observed_own_release = false;  ///< a lane has read what another lane of the warp released
    std::uint32_t last_full_sync = 0;   ///< epoch of the last synchronization of all lanes
    std::array<std::array<std::uint32_t, 32>, 32> last_sync{};  ///< the same for pairs of lanes
  };
  /// A wait of a thread: all batches of copies up to `batch` were complete in this epoch.
  struct Completion {
    std::uint32_t batch = 0, epoch = 0;
  };
  /// A thread's copies. A commit and an mbarrier that tracks the copies end a batch; groups consist of batches.
  struct Copies {
    std::uint32_t open = 1;                  ///< number of the batch that the next copy belongs to
    std::uint32_t last_forgotten_batch = 0;  ///< batches up to this one are assumed to be ordered before every access
    std::vector<std::uint32_t> groups;       ///< the last batches of the newest closed groups, in order
    std::vector<Completion> completions;
  };
  Copies& copies_of(std::uint32_t thread);
  void complete_copies(std::uint32_t thread, std::uint32_t batch);
  void release_at(std::uint32_t warp, std::uint64_t place, bool at_once);
  void acquire_at(std::uint32_t warp, std::uint64_t place, bool at_once);

  std::vector<WarpClock> warps_;
  std::vector<std::uint32_t> exits_;  ///< by warp: its last epoch, if it has exited; empty if none has
  std::vector<bool> split_;           ///< by word: its bytes are handled one by one
  std::uint32_t instant_ = 0;
  std::vector<Copies> copies_;  ///< by thread; empty until the first copy
  /// By twice the offset of an mbarrier, plus 1 for odd phases: by thread, the last batch that the phase completes.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> tracked_;
  /// An mbarrier's current phase.
  struct Phase {
    std::uint32_t number = 1;
    bool odd = false;
  };
  std::unordered_map<std::uint32_t, Phase> phases_;  ///< by offset of the mbarrier
  std::map<std::pair<ChannelKind, std::uint32_t>, std::uint32_t> channels_;
  std::unordered_map<std::uint32_t, std::uint32_t> bulk_groups_;  ///< by thread: number of the open bulk group
  /// By byte offset, or by address in global memory, which is larger than any offset: clock released there.
  std::unordered_map<std::uint64_t, Clock> places_;
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
