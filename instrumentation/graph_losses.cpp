#include "instrumentation/graph_losses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

namespace warpwalk::recording {
namespace {

struct Launch {
  std::uint64_t work = 0;
  std::int64_t graph = trace::absent;
};

bool is_graph_launch(std::string_view call) {
  return call.starts_with("cudaGraphLaunch") || call.starts_with("cuGraphLaunch");
}

// By correlation. A call that failed launched nothing.
std::unordered_map<std::int64_t, Launch> graph_launches(const trace::Trace& trace) {
  std::unordered_map<std::int64_t, Launch> launches;
  const trace::Slices& rows = trace.slices;
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (trace::is_call(rows.kind[s]) && rows.extra[s] == 0 && is_graph_launch(trace.text(rows.name[s])))
      launches.try_emplace(trace.calls[rows.detail[s]].correlation);
  return launches;
}

}  // namespace

GraphLosses graph_losses(const trace::Trace& trace) {
  std::unordered_map<std::int64_t, Launch> launches = graph_launches(trace);
  if (launches.empty()) return {};
  for (const trace::KernelDetail& kernel : trace.kernels) {
    if (kernel.graph_id == trace::absent) continue;
    if (const auto launch = launches.find(kernel.correlation); launch != launches.end()) {
      ++launch->second.work;
      launch->second.graph = kernel.graph_id;
    }
  }
  for (const trace::TransferDetail& transfer : trace.transfers)
    if (const auto launch = launches.find(transfer.correlation); launch != launches.end()) ++launch->second.work;

  std::unordered_map<std::int64_t, std::uint64_t> fullest;  // by graph
  for (const auto& [correlation, launch] : launches)
    if (launch.work > 0) fullest[launch.graph] = std::max(fullest[launch.graph], launch.work);
  std::set<std::uint64_t> sizes;
  for (const auto& [graph, work] : fullest) sizes.insert(work);

  GraphLosses losses;
  for (const auto& [correlation, launch] : launches) {
    if (launch.work > 0)
      losses.work += fullest[launch.graph] - launch.work;
    else if (sizes.size() == 1)
      losses.work += *sizes.begin();
    else
      ++losses.empty_launches;
  }
  return losses;
}

}  // namespace warpwalk::recording
