#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// The machine in the name of a trace: "node3" of "node3_4711.1700000000.pt.trace.json" (as PyTorch's
/// tensorboard_trace_handler writes it) and of "node3_rank_24.json". Empty: there is none.
std::string host_of_file(const std::filesystem::path& file);

/// The number of the GPU with most of the collectives of a rank; -1 if none is recorded.
std::int64_t device_of_rank(const Trace& trace, const RankDigest& digest);

/// The machines of a run.
struct RankHosts {
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

  std::vector<std::string> names;  ///< by host; empty: the name is not recorded
  std::vector<std::size_t> of;     ///< by index of the rank: its host, or `unknown`

  bool known() const { return !names.empty(); }
  /// The indexes of the ranks of a host, ascending.
  std::vector<std::size_t> ranks_of(std::size_t host) const;
};

/// By the recorded names. Without them, from the numbers of the GPUs: if each rank r uses the GPU r modulo n, each n
/// ranks are one machine. No hosts if neither is known, or if all ranks are on one machine.
RankHosts hosts_of(const std::vector<RankDigest>& ranks);

}  // namespace warpwalk::analysis
