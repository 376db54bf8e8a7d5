#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/nccl_calls.h"
#include "instrumentation/process_rank.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {

/// A recorded process as its partial file describes it, before a walk is made of it.
struct RecordedProcess {
  Partial partial;
  std::uint32_t pid = 0;
  std::string program;              ///< the command line
  std::optional<ProcessRank> rank;  ///< as its environment says
  std::vector<NcclCommunicator> communicators;
  std::uint64_t gpu_work = 0;  ///< kernels, copies and memsets
  bool failed = false;         ///< nothing could be recorded, or the file cannot be read
};

/// Reads the rows without making a trace of them: 0.05 us per row.
RecordedProcess look_at_recording(const Partial& partial);

/// A walk to be made of a process.
struct PlannedWalk {
  std::size_t process = 0;
  std::filesystem::path output;
  std::optional<ProcessRank> rank;
};

struct WalkPlan {
  std::vector<PlannedWalk> walks;
  std::vector<std::size_t> left_out;  ///< processes without GPU work, when another one has some
  std::filesystem::path folder;       ///< of the ranks; empty: no process is a rank
  std::vector<std::uint32_t> ranks;   ///< that have a walk, ascending
  std::uint32_t world = 0;
  std::size_t others = 0;  ///< walks of other processes, in a folder of their own in `folder`
};

/// Decides which processes get a walk, and its name. Ranks get `folder`/rank0.json.gz, ... with the ending of `output`.
/// A process is a rank if its environment says so, else if all ranks of its NCCL communicator were recorded. Of several
/// processes of a rank, the one with the most GPU work is it: the others are its helpers. Without ranks, the first
/// process gets `output`, and further ones walk.PID.json.gz.
WalkPlan plan_walks(const std::vector<RecordedProcess>& processes, const std::filesystem::path& output,
                    const std::filesystem::path& folder);

}  // namespace warpwalk::instrumentation
