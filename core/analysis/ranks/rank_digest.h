#pragma once

// This folder compares the traces of the ranks of one distributed run: who waits for whom in collectives, and why.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// How the number of a rank was found, in the order in which the sources are asked.
enum class RankFrom : std::uint8_t {
  distributed_info,  ///< the file's distributedInfo
  process_group,     ///< the fields of its collectives: "Rank" of the group of all ranks
  process_name,      ///< the name of the process, of merged files: "rank 1"
  file_name,         ///< "trace_rank1.json.gz"
  order,             ///< none of these: the order of the files
};

/// A process group: the ranks that take part in its collectives.
struct ProcessGroup {
  std::string name;                 ///< as the file has it: "0", "tp_1"
  std::string description;          ///< "default_pg"; may be empty
  std::vector<std::int64_t> ranks;  ///< numbers of ranks, ascending; empty: not recorded
};

struct RankIdentity {
  std::int64_t rank = 0;
  std::int64_t world = 0;  ///< number of ranks of the run; 0: not recorded
  RankFrom from = RankFrom::order;
  std::string backend;       ///< "nccl"; may be empty
  std::string host;          ///< name of its machine; empty: not recorded
  std::int64_t device = -1;  ///< number of its GPU on the machine; -1: not recorded
  std::vector<ProcessGroup> groups;
};

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  barrier,
  send,
  receive,
  other,
};
constexpr std::size_t collective_kinds = static_cast<std::size_t>(CollectiveKind::other) + 1;
/// "all_reduce", "send" ...
std::string_view name_of(CollectiveKind kind);
/// Whether no rank can leave before the last one has arrived.
constexpr bool joins_all(CollectiveKind kind) {
  return kind <= CollectiveKind::all_to_all || kind == CollectiveKind::barrier;
}

constexpr bool is_message(CollectiveKind kind) {
  return kind == CollectiveKind::send || kind == CollectiveKind::receive;
}

/// What the time of a stretch went to.
enum class CostKind : std::uint8_t {
  line,      ///< a line of the program: Python, ops, launches
  blocked,   ///< a line that slept, read, or waited for a lock
  wait,      ///< a call that waits for the GPU: Synchronize, a copy to the CPU
  transfer,  ///< a call that copies or fills
  loading,   ///< CUDA loads or compiles code
  kernel,    ///< a kernel that computes
  copy,      ///< a copy or a fill on the GPU
};
constexpr bool is_of_gpu(CostKind kind) { return kind >= CostKind::kernel; }
/// Whether a cost of the CPU has the name of a call, and its line beside it.
constexpr bool is_named_by_call(CostKind kind) {
  return kind == CostKind::blocked || kind == CostKind::wait || kind == CostKind::transfer;
}

/// The time of one line or of one kernel in a stretch.
struct StretchCost {
  std::uint32_t name = 0;  ///< in RankDigest::names: "train.py(31): load_batch", or the kernel's name
  std::uint32_t line = 0;  ///< the line of the program around its longest slice; 0 (empty): not recorded
  std::uint32_t count = 0;
  CostKind kind = CostKind::line;
  std::int64_t time = 0;     ///< ns
  std::int64_t on_path = 0;  ///< ns on the critical path from the arrival at the previous collective to this arrival
  std::int64_t blocks = 0;   ///< thread blocks of the kernels
  SliceId slice = no_slice;  ///< the longest one
};

/// A collective of one rank. Times are ns since the epoch of the rank's own clock. Its stretch reaches from the call of
/// the rank's collective before (in any group; of the first one, from the trace's start) to its own call.
struct RankCollective {
  CollectiveKind kind = CollectiveKind::other;
  std::uint32_t group = 0;     ///< in RankDigest::identity.groups
  std::int64_t sequence = -1;  ///< recorded number within its group; -1: not recorded
  std::int64_t bytes = 0;      ///< of this rank's message: the larger one of what it gives and gets; 0: not recorded
  std::int64_t peer = -1;      ///< of send and receive: the other rank
  bool receives_too = false;   ///< of a send: the same work receives a message, for which it may wait
  std::int64_t call = 0;       ///< start of the launch; the trace's start if it was launched before
  std::int64_t arrival = 0, end = 0;  ///< of the work on the GPU
  std::int64_t ready = 0;             ///< end of the work that the GPU had to do before it, as far as recorded
  std::int64_t computing = 0;         ///< ns of [arrival, end] in which a kernel computed
  std::int64_t idle = 0;              ///< ns in which the GPU had no work, from the arrivals before to this one
  std::int64_t step = -1;             ///< number of the training step in which it was called; -1: in none
  SliceId work = no_slice;            ///< in the rank's trace: the GPU work; no_slice if it has none (Gloo)
  SliceId op = no_slice;              ///< the op around its call
  std::int64_t work_time = 0;         ///< ns of the kernels that its stretch launched, in all
  std::int64_t work_count = 0;
  std::size_t first_cost = 0, costs = 0;  ///< in RankDigest::costs
};

/// What is kept of the trace of one rank: small beside the trace.
struct RankDigest {
  std::filesystem::path file;    ///< the trace: a path, or an address if it lies elsewhere
  std::filesystem::path digest;  ///< the file from which this was read (digest_file.h); empty: from the trace itself
  RankIdentity identity;
  std::int64_t begin = 0, end = 0;          ///< of the recorded work, ns since the epoch of the rank's own clock
  std::int64_t base = 0;                    ///< trace time 0 on that clock
  std::vector<RankCollective> collectives;  ///< by call
  std::vector<StretchCost> costs;  ///< each stretch: those of the CPU, then those of the GPU, the longest first
  std::vector<std::string> names;  ///< 0 is empty
  std::int64_t computing = 0, communicating = 0, exposed = 0;  ///< ns of the GPU; exposed: communicating, not computing
  std::size_t steps = 0;
  std::size_t launched_before = 0;  ///< collectives left out: launched before the recording, in an unknown group
  std::size_t events = 0;           ///< slices of the trace
};

/// Reads one trace. `tracks`: those of the rank, by TrackId, if several ranks are merged in the file; empty: all.
RankDigest digest_of(const Trace& trace, RankIdentity identity, const std::vector<bool>& tracks = {});

}  // namespace warpwalk::analysis
