#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/crash/access.h"
#include "core/crash/near.h"

namespace warpwalk::crash {

/// What threads wait for.
enum class WaitKind : std::uint8_t {
  barrier,          ///< bar.sync, __syncthreads()
  cluster_barrier,  ///< barrier.cluster.wait
  mbarrier,         ///< a loop that tries whether the phase of an mbarrier has ended
  spin,             ///< a loop that reads the same address until a value appears
  lanes,            ///< other lanes of their warp: __syncwarp(), or the end of a branch
  sleep             ///< __nanosleep()
};

/// The word of `info --json`: "barrier".
std::string_view name_of(WaitKind kind);

/// The state of an mbarrier in shared memory. PTX leaves its form open; this one was found on an H200, by the tokens
/// that arrivals return and by dumps: bits 1 to 20 hold -expected, 21 to 41 the bytes that have come less those that
/// are expected, 43 to 62 -pending, and 63 the phase.
struct Mbarrier {
  std::uint32_t phase = 0;         ///< 0 or 1: of the phase that has not ended
  std::uint32_t expected = 0;      ///< arrivals in each phase
  std::uint32_t pending = 0;       ///< arrivals that this phase still needs
  std::int64_t pending_bytes = 0;  ///< of asynchronous copies, likewise; negative: they came before they were expected
  bool operator==(const Mbarrier&) const = default;
};
/// nullopt for a word that cannot be one.
std::optional<Mbarrier> read_mbarrier(std::uint64_t word);

/// Threads of a block that wait at one place. Blocks in the same situation are counted together.
struct Wait {
  WaitKind kind = WaitKind::barrier;
  DumpThread thread;  ///< the first that waits, in the first block
  std::uint32_t sm = 0;
  CodePlace place;                                ///< the instruction that waits
  std::vector<std::uint32_t> warps;               ///< of the block, whose threads wait here
  std::uint32_t lanes = 0;                        ///< those of the first warp
  std::size_t blocks = 1;                         ///< in this situation
  std::size_t threads = 0;                        ///< in all these blocks
  std::optional<std::uint32_t> barrier;           ///< its number
  std::optional<std::uint32_t> expected_threads;  ///< that the barrier needs
  std::vector<std::uint32_t> missing_warps;       ///< of the block, that are still there and not at the barrier
  std::uint32_t missing_lanes = 0;                ///< of the first warp
  std::optional<Access> access;
  std::optional<std::uint64_t> address;  ///< of the mbarrier, or of the value
  std::optional<std::uint64_t> value;    ///< that the thread read last
  std::optional<Mbarrier> mbarrier;      ///< its state, of sm_90, if the dump has shared memory
  std::optional<Near> near;              ///< of an address in global memory
};

/// What the threads of a dump wait for, the situation with most threads first. Threads that compute are not listed.
std::vector<Wait> find_waits(const CoreDump& dump, std::vector<Code>& codes);

/// The same of one block, which is on this SM of this device.
std::vector<Wait> waits_of_block(const CoreDump& dump, std::vector<Code>& codes, const DumpDevice& device,
                                 const DumpSm& sm, const DumpBlock& block);

/// The number of a warp in its block: its threads' index / 32.
std::uint32_t warp_in_block(const DumpWarp& warp, const Extent3& block);

}  // namespace warpwalk::crash
