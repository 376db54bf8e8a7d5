#include "instrumentation/recorded/recorded_process.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "instrumentation/recorded/recording_frames.h"
#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

constexpr const char* others_folder = "other_processes";

/// Collects what the rows say about the process.
class Looker {
 public:
  explicit Looker(RecordedProcess& process) : process_(process) {}

  void see(const Row& row) {
    std::visit([this](const auto& r) { see_row(r); }, row);
  }
  void end() {
    for (auto& [thread, found] : found_) keep(found);
  }

 private:
  struct Found {
    NcclCommunicator communicator;
    bool derived = false;
  };

  template <class Other>
  void see_row(const Other&) {}
  void see_row(const Begin& row) { process_.pid = row.pid, process_.program = row.program; }
  void see_row(const RankRow& row) {
    if (row.rank < row.world && row.world > 1) process_.rank = ProcessRank{row.rank, row.world};
  }
  void see_row(const ErrorRow& row) { process_.failed = process_.failed || row.fatal != 0; }
  void see_row(const KernelRow&) { ++process_.gpu_work; }
  void see_row(const MemcpyRow&) { ++process_.gpu_work; }
  void see_row(const MemsetRow&) { ++process_.gpu_work; }
  void see_row(const Name& row) {
    for (const std::string_view key :
         {nccl_fields::communicator, nccl_fields::ranks, nccl_fields::rank, nccl_fields::parent, nccl_fields::excluded})
      if (row.text == key) keys_[row.id] = key;
  }
  // The fields of a payload follow each other, the communicator first.
  void see_row(const PayloadRow& row) {
    const auto known = keys_.find(row.key);
    if (known == keys_.end()) return;
    Found& found = found_[row.thread];
    if (known->second == nccl_fields::communicator) {
      keep(found);
      found = {{row.value, 0, -1}, false};
    } else if (known->second == nccl_fields::ranks) {
      found.communicator.ranks = static_cast<std::int64_t>(row.value);
    } else if (known->second == nccl_fields::rank) {
      found.communicator.rank = static_cast<std::int64_t>(row.value);
    } else {
      found.derived = true;
    }
  }

  void keep(const Found& found) {
    const NcclCommunicator& one = found.communicator;
    constexpr std::int64_t most_ranks = 1 << 24;
    if (one.id == 0 || found.derived || one.ranks < 2 || one.ranks > most_ranks || one.rank < 0 ||
        one.rank >= one.ranks || !ids_.insert(one.id).second)
      return;
    process_.communicators.push_back(one);
  }

  RecordedProcess& process_;
  std::unordered_map<std::uint32_t, std::string_view> keys_;
  std::unordered_map<std::uint32_t, Found> found_;
  std::set<std::uint64_t> ids_;
};

/// The ranks of the largest communicator of which every rank was recorded, by process.
std::map<std::size_t, ProcessRank> ranks_of_communicator(const std::vector<RecordedProcess>& processes) {
  std::map<std::uint64_t, std::map<std::size_t, ProcessRank>> by_id;
  for (std::size_t i = 0; i < processes.size(); ++i)
    for (const NcclCommunicator& one : processes[i].communicators)
      by_id[one.id][i] = {static_cast<std::uint32_t>(one.rank), static_cast<std::uint32_t>(one.ranks)};
  std::map<std::size_t, ProcessRank> largest;
  for (const auto& [id, ranks] : by_id) {
    std::set<std::uint32_t> different;
    for (const auto& [process, rank] : ranks) different.insert(rank.rank);
    const std::uint32_t world = ranks.begin()->second.world;
    if (different.size() == world && ranks.size() == world && ranks.size() > largest.size()) largest = ranks;
  }
  return largest;
}

/// ".json.gz" of "/runs/walk.json.gz".
std::string ending_of(const std::filesystem::path& output) {
  const std::string name = output.filename().string();
  for (const std::string_view ending : {".json.gz", ".json", ".gz"})
    if (name.size() > ending.size() && name.ends_with(ending)) return std::string(ending);
  return "";
}

WalkPlan without_ranks(const std::vector<RecordedProcess>& processes, const std::vector<bool>& idle,
                       const std::filesystem::path& output) {
  WalkPlan plan;
  bool first = true;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (idle[i]) {
      plan.left_out.push_back(i);
      continue;
    }
    // If the first process is left out, the next one takes its name.
    plan.walks.push_back({i, first ? output : processes[i].partial.output, {}});
    first = false;
  }
  return plan;
}

}  // namespace

RecordedProcess look_at_recording(const Partial& partial) {
  RecordedProcess out;
  out.partial = partial;
  Looker looker(out);
  const FramesRead read = read_frames(partial.file, [&](std::string_view payload) {
    FrameDecoder decoder(payload);
    while (const auto row = decoder.next()) looker.see(*row);
  });
  looker.end();
  out.failed = out.failed || read.error.has_value();
  return out;
}

WalkPlan plan_walks(const std::vector<RecordedProcess>& processes, const std::filesystem::path& output,
                    const std::filesystem::path& folder) {
  const bool any_work = std::ranges::any_of(processes, [](const RecordedProcess& one) { return one.gpu_work > 0; });
  std::vector<bool> idle(processes.size());
  std::map<std::size_t, ProcessRank> ranks;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    idle[i] = any_work && processes[i].gpu_work == 0 && !processes[i].failed;
    if (processes[i].rank && !idle[i]) ranks[i] = *processes[i].rank;
  }
  if (ranks.empty()) ranks = ranks_of_communicator(processes);
  if (ranks.empty()) return without_ranks(processes, idle, output);

  std::map<std::uint32_t, std::size_t> chosen;
  for (const auto& [i, rank] : ranks) {
    const auto [best, is_new] = chosen.try_emplace(rank.rank, i);
    if (!is_new && processes[i].gpu_work > processes[best->second].gpu_work) best->second = i;
  }
  WalkPlan plan;
  plan.folder = folder;
  const std::string ending = ending_of(output);
  for (const auto& [number, i] : chosen) {
    plan.walks.push_back({i, folder / fmt::format("rank{}{}", number, ending), ranks.at(i)});
    plan.ranks.push_back(number);
    plan.world = std::max(plan.world, ranks.at(i).world);
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const auto rank = ranks.find(i);
    if (rank != ranks.end() && chosen.at(rank->second.rank) == i) continue;
    if (idle[i]) {
      plan.left_out.push_back(i);
      continue;
    }
    ++plan.others;
    const std::string of = rank == ranks.end() ? "process" : fmt::format("rank{}", rank->second.rank);
    const std::string name = fmt::format("{}.{}{}", of, processes[i].pid, ending);
    plan.walks.push_back({i, folder / others_folder / name, {}});
  }
  return plan;
}

}  // namespace warpwalk::instrumentation
