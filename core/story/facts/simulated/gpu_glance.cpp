// The whole GPU at a glance, from the activity that the timing model records while a launch runs.
#include "core/story/facts/simulated/gpu_glance.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::story {
namespace {

constexpr std::size_t most_columns = 128;

/// The activity in columns of `per_column` stretches each.
class Columns {
 public:
  Columns(const run::TimeTravel& travel, GlanceShows shows)
      : record_(travel.record()), sms_(record_.sms.size()), shows_(shows) {
    stretches_ = sms_ == 0 ? 0 : record_.activity.size() / sms_;
    per_column_ = std::max<std::size_t>(1, (stretches_ + most_columns - 1) / most_columns);
    slots_per_cycle_ = static_cast<double>(*travel.device().sub_partitions);
    warp_slots_ = static_cast<double>(*travel.device().warps_per_sm);
  }

  std::size_t count() const { return (stretches_ + per_column_ - 1) / per_column_; }
  std::int64_t cycles() const { return static_cast<std::int64_t>(per_column_) * record_.stretch; }
  std::int64_t end() const { return static_cast<std::int64_t>(stretches_) * record_.stretch; }

  float share(std::size_t sm, std::size_t column) const {
    const std::size_t first = column * per_column_, last = std::min(stretches_, first + per_column_);
    double issued = 0, warps = 0;
    for (std::size_t stretch = first; stretch < last; ++stretch) {
      const gpu::SmActivity& activity = record_.activity[stretch * sms_ + sm];
      issued += activity.issued;
      warps += activity.warps;
    }
    if (issued == 0 && warps == 0) return HeatRow::nothing;
    const auto count = static_cast<double>(last - first);
    const double share = shows_ == GlanceShows::issue
                             ? issued / (count * static_cast<double>(record_.stretch) * slots_per_cycle_)
                             : warps / (count * warp_slots_);
    return static_cast<float>(std::min(1.0, share));
  }

 private:
  const gpu::LaunchRecord& record_;
  std::size_t sms_ = 0, stretches_ = 0, per_column_ = 1;
  double slots_per_cycle_ = 1, warp_slots_ = 1;
  GlanceShows shows_;
};

/// The SMs of the device by GPC, each with the group's name; SMs that no list names are in the last group.
std::vector<std::pair<std::string, std::vector<std::size_t>>> groups_of(const Narration& narration,
                                                                        const gpu::Device& device, std::size_t sms) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  std::vector<bool> named(sms, false);
  if (device.gpcs)
    for (std::size_t g = 0; g < device.gpcs.value->size(); ++g) {
      auto& [name, members] = groups.emplace_back(narration.text("gpu_glance", "gpc", {{"n", std::to_string(g)}}),
                                                  std::vector<std::size_t>());
      for (const std::int64_t sm : (*device.gpcs)[g]) {
        if (sm < 0 || static_cast<std::size_t>(sm) >= sms || named[static_cast<std::size_t>(sm)]) continue;
        named[static_cast<std::size_t>(sm)] = true;
        members.push_back(static_cast<std::size_t>(sm));
      }
      std::ranges::sort(members);
    }
  std::vector<std::size_t> rest;
  for (std::size_t sm = 0; sm < sms; ++sm)
    if (!named[sm]) rest.push_back(sm);
  if (!rest.empty()) groups.emplace_back(groups.empty() ? "" : narration.text("gpu_glance", "rest"), std::move(rest));
  std::erase_if(groups, [](const auto& group) { return group.second.empty(); });
  return groups;
}

/// The smallest round share that none of the picture's exceeds, so that low utilisation has colours too.
double round_share(double largest) {
  for (const double top : {0.05, 0.1, 0.25, 0.5})
    if (largest <= top) return top;
  return 1;
}

}  // namespace

HeatPicture gpu_glance(const Narration& narration, const run::TimeTravel& travel, std::uint16_t sm,
                       std::optional<std::int64_t> now, GlanceShows shows) {
  const auto word = [&](std::string_view key) { return narration.text("gpu_glance", key); };
  const Columns columns(travel, shows);
  const std::size_t sms = travel.record().sms.size();
  HeatPicture picture;
  picture.to = std::max<std::int64_t>(1, columns.end());
  picture.column = std::max<std::int64_t>(1, columns.cycles());
  picture.now = now;
  picture.picks_cycle = now.has_value();
  picture.tone = shows == GlanceShows::issue ? Tone::work : Tone::memory;
  picture.controls = {"sm.sm", "launch.sm", "map.sm", "schedulers.sm", "lanes.sm"};
  picture.word_cycle = word("cycle");
  picture.word_share = word(shows == GlanceShows::issue ? "issue" : "residents");
  picture.word_zero = shows == GlanceShows::issue ? word("all_wait") : std::string();
  picture.word_nothing = word("no_block");
  picture.whole.label = word("whole");
  picture.whole.shares.assign(columns.count(), 0);
  double largest = 0;
  for (auto& [name, members] : groups_of(narration, travel.device(), sms)) {
    HeatGroup& group = picture.groups.emplace_back(HeatGroup{std::move(name), {}});
    for (const std::size_t member : members) {
      HeatRow row{narration.text("gpu_glance", "sm", {{"n", std::to_string(member)}}), static_cast<double>(member),
                  member == sm, std::vector<float>(columns.count())};
      for (std::size_t column = 0; column < row.shares.size(); ++column) {
        row.shares[column] = columns.share(member, column);
        largest = std::max<double>(largest, row.shares[column]);
        picture.whole.shares[column] += std::max(0.0f, row.shares[column]) / static_cast<float>(sms);
      }
      group.rows.push_back(std::move(row));
    }
  }
  picture.top = round_share(largest);
  return picture;
}

}  // namespace warpwalk::story
