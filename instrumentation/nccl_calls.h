#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "instrumentation/process_rank.h"

namespace warpwalk::instrumentation {

/// Names of the fields in NCCL's payloads (nvtx_payload_schemas.h of NCCL 2.25 to 2.30; earlier versions have only the
/// size and the operation).
namespace nccl_fields {
constexpr std::string_view communicator = "NCCL communicator ID", parent = "Parent NCCL communicator ID",
                           bytes = "Message size [bytes]", bytes_before_2_25 = "Bytes", ranks = "No. of ranks",
                           rank = "Rank", root = "Root", peer = "Peer rank", operation = "Reduction operation",
                           excluded = "num_exclude";
}

/// An NVTX range of NCCL with the fields of its payload.
struct NcclRange {
  std::uint32_t thread = 0;
  std::string_view function;  ///< "ncclAllReduce"
  std::size_t slice = 0;      ///< the number that arguments() gives back
  std::optional<std::uint64_t> communicator, bytes;
  std::optional<std::int64_t> ranks, rank, root, peer;
  std::string operation;  ///< "Sum"; empty: none, or not recorded
  bool derived = false;   ///< the sizes may be those of the communicator from which this one was made
};

struct NcclCommunicator {
  std::uint64_t id = 0;
  std::int64_t ranks = 0, rank = 0;
};

/// Describes NCCL's ranges in the terms of PyTorch's record_param_comms: which collective, how many bytes, which group.
/// NCCL identifies a communicator by a hash that all of its ranks share.
class NcclCalls {
 public:
  /// Ranges of a thread come in the order of their ends.
  void add(const NcclRange& range);
  bool empty() const { return calls_.empty() && communicators_.empty(); }
  /// For each slice of a collective, its arguments as members of a JSON object. A collective between ncclGroupStart and
  /// ncclGroupEnd is launched by the latter, whose slice gets the sum of what it launches.
  std::vector<std::pair<std::size_t, std::string>> arguments(const std::optional<ProcessRank>& process) const;
  /// The communicators whose size is known, in the order in which they appeared.
  const std::vector<NcclCommunicator>& communicators() const { return communicators_; }
  /// The value of "distributedInfo", as torch.profiler writes it.
  std::string distributed_info(const ProcessRank& process) const;

 private:
  struct Call {
    std::size_t slice = 0;
    std::string_view name;
    std::uint64_t communicator = 0;  // 0: not recorded
    std::optional<std::uint64_t> bytes;
    std::int64_t root = -1, peer = -1;
    std::string operation;
    std::size_t members = 1;
  };
  struct Group {
    int depth = 0;
    std::vector<Call> calls;
  };
  void end_group(Group& group, std::size_t slice);
  const NcclCommunicator* find(std::uint64_t communicator) const;

  std::vector<Call> calls_;
  std::vector<NcclCommunicator> communicators_;
  std::unordered_map<std::uint32_t, Group> groups_;  // by thread
};

/// "0x1a2b": a communicator as NCCL's log prints it.
std::string communicator_name(std::uint64_t id);

}  // namespace warpwalk::instrumentation
