#include "instrumentation/nccl_calls.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "core/trace/json/json_text.h"

namespace warpwalk::instrumentation {
namespace {

/// How many times NCCL's message size a rank gives and gets: once, or once per rank of the communicator.
struct Collective {
  std::string_view function, name;
  bool in_per_rank = false, out_per_rank = false;
};
// Names are those of record_param_comms. NCCL's size is that of the count which the function takes.
constexpr Collective collectives[] = {
    {"ncclAllReduce", "allreduce"},
    {"ncclAllGather", "all_gather", false, true},
    {"ncclReduceScatter", "reduce_scatter", true, false},
    {"ncclAlltoAll", "all_to_all", true, true},
    {"ncclBroadcast", "broadcast"},
    {"ncclReduce", "reduce"},
    {"ncclGather", "gather", false, true},
    {"ncclScatter", "scatter", true, false},
    {"ncclSend", "send"},
    {"ncclRecv", "recv"},
};
// Sends and receives of one group whose pattern has no name.
constexpr std::string_view mixed_name = "send_recv";
// Longer lists of ranks are not repeated at each call.
constexpr std::int64_t max_listed_ranks = 64;

const Collective* collective_of(std::string_view function) {
  const auto found = std::ranges::find(collectives, function, &Collective::function);
  return found == std::end(collectives) ? nullptr : found;
}
const Collective* collective_named(std::string_view name) {
  const auto found = std::ranges::find(collectives, name, &Collective::name);
  return found == std::end(collectives) ? nullptr : found;
}

/// Functions whose payload has the size of the communicator itself.
bool states_its_size(std::string_view function) {
  return function.starts_with("ncclCommInit") || function == "ncclCommDestroy" || function == "ncclCommAbort" ||
         function == "ncclCommRevoke";
}

void member(std::string& json, std::string_view key, const std::string& value) {
  if (!json.empty()) json += ", ";
  trace::append_quoted(json, key);
  json += ": " + value;
}
void member(std::string& json, std::string_view key, std::string_view value) {
  std::string quoted;
  trace::append_quoted(quoted, value);
  member(json, key, quoted);
}

std::string all_ranks(std::int64_t count) {
  std::string list;
  for (std::int64_t rank = 0; rank < count; ++rank) list += fmt::format("{}{}", rank > 0 ? ", " : "", rank);
  return "[" + list + "]";
}

bool has_all(const NcclCommunicator& communicator, const std::optional<ProcessRank>& process) {
  return process && communicator.ranks == std::int64_t{process->world};
}

}  // namespace

std::string communicator_name(std::uint64_t id) { return fmt::format("0x{:x}", id); }

const NcclCommunicator* NcclCalls::find(std::uint64_t communicator) const {
  const auto found = std::ranges::find(communicators_, communicator, &NcclCommunicator::id);
  return found == communicators_.end() ? nullptr : &*found;
}

void NcclCalls::add(const NcclRange& range) {
  Group& group = groups_[range.thread];
  if (range.function == "ncclGroupStart") {
    ++group.depth;
    return;
  }
  if (range.function == "ncclGroupEnd") {
    if (group.depth > 0 && --group.depth == 0) end_group(group, range.slice);
    return;
  }
  const std::uint64_t communicator = range.communicator.value_or(0);
  if (communicator != 0 && states_its_size(range.function) && !range.derived && range.ranks.value_or(0) > 0) {
    if (find(communicator) == nullptr) communicators_.push_back({communicator, *range.ranks, range.rank.value_or(0)});
    return;
  }
  const Collective* const collective = collective_of(range.function);
  if (collective == nullptr) return;
  const Call call = {range.slice,    collective->name,        communicator,
                     range.bytes,    range.root.value_or(-1), range.peer.value_or(-1),
                     range.operation};
  if (group.depth > 0) group.calls.push_back(call);
  calls_.push_back(call);
}

void NcclCalls::end_group(Group& group, std::size_t slice) {
  const std::vector<Call> calls = std::exchange(group.calls, {});
  if (calls.empty()) return;
  Call sum = calls.front();
  sum.slice = slice;
  sum.members = calls.size();
  std::size_t sends = 0, receives = 0;
  std::uint64_t bytes = 0, sent = 0, received = 0;
  bool one_kind = true, one_communicator = true, sized = true;
  std::set<std::int64_t> peers;
  for (const Call& call : calls) {
    const std::uint64_t size = call.bytes.value_or(0);
    one_kind = one_kind && call.name == sum.name;
    one_communicator = one_communicator && call.communicator == sum.communicator;
    sized = sized && call.bytes;
    bytes += size;
    if (call.name == "send") ++sends, sent += size, peers.insert(call.peer);
    if (call.name == "recv") ++receives, received += size;
  }
  if (!one_communicator) return;
  if (sends + receives == calls.size() && calls.size() > 1) {
    // PyTorch makes an all-to-all of a send to and a receive from each rank.
    const NcclCommunicator* const of = find(sum.communicator);
    const bool to_all = of != nullptr && sends == receives && std::ssize(peers) == static_cast<std::ptrdiff_t>(sends) &&
                        static_cast<std::int64_t>(sends) >= std::max<std::int64_t>(of->ranks - 1, 2);
    sum.name = to_all ? "all_to_all" : one_kind ? sum.name : mixed_name;
    sum.peer = calls.size() == 2 && !one_kind && calls[0].peer == calls[1].peer ? calls[0].peer : -1;
    bytes = std::max(sent, received);
  } else if (!one_kind) {
    return;
  }
  sum.bytes = sized ? std::optional(bytes) : std::nullopt;
  calls_.push_back(sum);
}

std::vector<std::pair<std::size_t, std::string>> NcclCalls::arguments(const std::optional<ProcessRank>& process) const {
  std::vector<std::pair<std::size_t, std::string>> out;
  out.reserve(calls_.size());
  for (const Call& call : calls_) {
    std::string json;
    member(json, "Collective name", call.name);
    const NcclCommunicator* const of = find(call.communicator);
    const Collective* const collective = collective_named(call.name);
    // The sum of a group's sends and receives already has what goes to all ranks.
    const bool summed = call.members > 1 && (call.name == "all_to_all" || call.name == mixed_name);
    const auto bytes = [&](std::string_view key, bool per_rank) {
      if (!call.bytes || (per_rank && !summed && of == nullptr)) return;
      member(json, key,
             std::to_string(*call.bytes * (per_rank && !summed ? static_cast<std::uint64_t>(of->ranks) : 1)));
    };
    bytes("In msg bytes", collective != nullptr && collective->in_per_rank);
    bytes("Out msg bytes", collective != nullptr && collective->out_per_rank);
    if (!call.operation.empty()) member(json, "Reduction operation", std::string_view(call.operation));
    if (call.root >= 0) member(json, "Root", std::to_string(call.root));
    if (call.peer >= 0) member(json, call.name == "recv" ? "Src Rank" : "Dst Rank", std::to_string(call.peer));
    if (call.members > 1) member(json, "Grouped calls", std::to_string(call.members));
    if (call.communicator != 0)
      member(json, "Process Group Name", std::string_view(communicator_name(call.communicator)));
    if (of != nullptr) {
      member(json, "Group size", std::to_string(of->ranks));
      member(json, "Rank", std::to_string(of->rank));
      if (has_all(*of, process) && of->ranks <= max_listed_ranks)
        member(json, "Process Group Ranks", std::string_view(all_ranks(of->ranks)));
    }
    out.emplace_back(call.slice, std::move(json));
  }
  return out;
}

std::string NcclCalls::distributed_info(const ProcessRank& process) const {
  std::string groups;
  for (const NcclCommunicator& one : communicators_) {
    groups += fmt::format(R"({}{{"pg_name": "{}", "pg_desc": "NCCL communicator", "backend_config": "cuda:nccl", )"
                          R"("pg_size": {})",
                          groups.empty() ? "" : ", ", communicator_name(one.id), one.ranks);
    if (has_all(one, process)) groups += ", \"ranks\": " + all_ranks(one.ranks);
    groups += "}";
  }
  std::string json = fmt::format(R"("rank": {}, "world_size": {})", process.rank, process.world);
  if (!empty()) json = R"("backend": "nccl", )" + json;
  if (!groups.empty()) json += fmt::format(R"(, "pg_count": {}, "pg_config": [{}])", communicators_.size(), groups);
  return "{" + json + "}";
}

}  // namespace warpwalk::instrumentation
