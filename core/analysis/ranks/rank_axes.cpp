#include "core/analysis/ranks/rank_axes.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::analysis {
namespace {

// "tp" of "mesh_tp", "tp_3", "TP_GROUP 12", "tensor_model_parallel_group"; else empty.
std::string axis_word_in(std::string_view text) {
  std::string word;
  std::vector<std::string> words;
  for (const char c : std::string(text) + " ") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"tp", "tp"},     {"tensor", "tp"}, {"dp", "dp"},       {"data", "dp"}, {"ddp", "dp"},
      {"fsdp", "fsdp"}, {"pp", "pp"},     {"pipeline", "pp"}, {"pipe", "pp"}, {"ep", "ep"},
      {"expert", "ep"}, {"cp", "cp"},     {"context", "cp"},  {"sp", "sp"},   {"sequence", "sp"}};
  for (const std::string& one : words)
    for (const auto& [name, axis] : known)
      if (one == name) return std::string(axis);
  return {};
}

struct AxisGroups {
  std::string name;
  std::vector<const ProcessGroup*> groups;
};

// The groups by the name of their axis; those without a name by size and distance of their ranks.
std::vector<AxisGroups> groups_by_axis(const RankReport& report) {
  std::vector<AxisGroups> axes;
  std::map<std::string, std::size_t> known;
  for (const ProcessGroup& group : report.groups) {
    if (group.ranks.size() < 2 || group.ranks.size() >= report.ranks.size()) continue;
    std::string name = axis_word_in(group.description);
    if (name.empty()) name = axis_word_in(group.name);
    if (name.empty()) name = fmt::format("stride {}", group.ranks[1] - group.ranks[0]);
    const auto [at, fresh] = known.try_emplace(fmt::format("{} {}", name, group.ranks.size()), axes.size());
    if (fresh) axes.push_back({std::move(name), {}});
    axes[at->second].groups.push_back(&group);
  }
  return axes;
}

}  // namespace

std::vector<RankAxis> axes_of(const RankReport& report) {
  std::map<std::int64_t, std::size_t> index_of;
  for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
    index_of.emplace(report.ranks[rank].identity.rank, rank);
  std::vector<RankAxis> axes;
  std::set<std::vector<std::size_t>> seen;
  for (const AxisGroups& found : groups_by_axis(report)) {
    RankAxis axis{found.name, found.groups.front()->ranks.size(), {}};
    axis.of.assign(report.ranks.size(), RankAxis::nowhere);
    bool once = true;  // each rank is in one of the groups
    for (const ProcessGroup* const group : found.groups)
      for (std::size_t place = 0; place < group->ranks.size(); ++place)
        if (const auto at = index_of.find(group->ranks[place]); at != index_of.end()) {
          once = once && axis.of[at->second] == RankAxis::nowhere;
          axis.of[at->second] = place;
        }
    const bool all = std::ranges::find(axis.of, RankAxis::nowhere) == axis.of.end();
    if (once && all && seen.insert(axis.of).second) axes.push_back(std::move(axis));
  }
  std::ranges::stable_sort(axes, std::ranges::greater{}, &RankAxis::size);
  return axes;
}

std::vector<std::int64_t> mean_lateness(const RankReport& report) {
  std::vector<std::int64_t> sums(report.ranks.size(), 0), counts(report.ranks.size(), 0);
  std::vector<std::int64_t> arrivals;
  for (const MatchedCollective& one : report.collectives) {
    if (!has_skew(one) || !is_shared(one)) continue;
    arrivals.clear();
    for (const Member& member : one.members) arrivals.push_back(member.arrival);
    const auto middle = arrivals.begin() + static_cast<std::ptrdiff_t>((arrivals.size() - 1) / 2);
    std::ranges::nth_element(arrivals, middle);
    constexpr std::int64_t most = std::int64_t{1} << 40;  // ns; in damaged traces, more
    for (const Member& member : one.members) {
      sums[member.rank] += std::clamp<std::int64_t>(member.arrival - *middle, 0, most);
      ++counts[member.rank];
    }
  }
  for (std::size_t rank = 0; rank < sums.size(); ++rank)
    sums[rank] = counts[rank] == 0 ? -1 : sums[rank] / counts[rank];
  return sums;
}

}  // namespace warpwalk::analysis
