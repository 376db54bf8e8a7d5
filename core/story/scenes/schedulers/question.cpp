// The questions of the scene: which warp is picked, where the data is that a warp waits for, and how much of the wait
// is hidden.
#include <algorithm>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/simulated/awaited_loads.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

// The scene's raster without a followed warp, without shares, and without the cycles from `end` on.
RasterPicture raster_until(const SchedulersSubject& s, std::int64_t end) {
  RasterPicture raster = cycles_raster(s);
  raster.control.clear();
  raster.picks_cycle = false;
  for (RasterGroup& group : raster.groups) {
    group.note.clear();
    for (RasterRow& row : group.rows) {
      row.followed = false;
      std::erase_if(row.spans, [&](const RasterSpan& span) { return span.from >= end; });
      for (RasterSpan& span : row.spans) {
        span.to = std::min(span.to, end);
        span.tip.clear();  // it may name what comes next
      }
    }
  }
  return raster;
}

void show(Stage& stage, RasterPicture raster, std::optional<TablePicture> below) {
  auto panels = std::make_shared<Panels>();
  panels->rows.push_back({2.3, {{"", 1, std::move(raster)}}});
  if (below) panels->rows.push_back({1, {{"", 1, std::move(*below)}}});
  stage.picture = std::shared_ptr<const Panels>(std::move(panels));
}

// The index of a state of the legend.
std::size_t state_index(const Narration& narration, const RasterPicture& raster, std::string_view key) {
  const std::string word = narration.text("schedulers.state", key);
  const auto at = std::ranges::find(raster.states, word, &RasterState::word);
  return static_cast<std::size_t>(at - raster.states.begin());
}

// Which of the ready warps is picked. Its options are the oldest and the youngest ones.
class Pick {
 public:
  explicit Pick(const SchedulersSubject& s) : s_(s), issue_(s.events.window->issues[*s.events.contest].what) {
    const auto at = s.travel.at(s.sm, issue_.cycle);
    for (const gpu::WarpState& warp : at->state.warps)
      if (ready(warp.place.slot)) ready_.push_back({warp.place, warp.instruction, warp.age});
    std::ranges::sort(ready_, {}, &Ready::age);
    for (std::size_t i = 0; i < ready_.size(); ++i) ready_[i].came = static_cast<std::int64_t>(i) + 1;
    while (ready_.size() > most_options) {
      auto left_out = ready_.begin() + most_options / 2;
      if (left_out->place == issue_.warp) ++left_out;
      ready_.erase(left_out);
    }
    std::ranges::sort(ready_, {}, [](const Ready& warp) { return warp.place.slot; });
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      if (ready_[i].place == issue_.warp) options_.right = i;
      options_.words.push_back(warp_name(s.input.narration, ready_[i].place));
      options_.keys.emplace_back(ready_[i].came == 1 ? "oldest" : "other");
      options_.values.push_back({{"came", fmt::to_string(ready_[i].came)}});
    }
  }

  const Options& options() const { return options_; }
  std::int64_t cycle() const { return issue_.cycle; }

  // Up to the cycle of the choice, in which all of them are ready.
  RasterPicture raster() const {
    RasterPicture raster = raster_until(s_, issue_.cycle);
    const std::size_t state = state_index(s_.input.narration, raster, "ready");
    raster.control = choose_control;
    for (RasterGroup& group : raster.groups)
      for (RasterRow& row : group.rows) {
        const auto slot = static_cast<unsigned>(row.value);
        if (ready(slot)) row.spans.push_back({issue_.cycle, issue_.cycle + 1, state, {}});
        const auto option = std::ranges::find(ready_, slot, [](const Ready& warp) { return warp.place.slot; });
        row.followed = option != ready_.end();
        row.value = row.followed ? static_cast<double>(option - ready_.begin()) : -1;
      }
    return raster;
  }

  // The possible criteria: the next instruction of each warp, which one issued last, which one started last.
  TablePicture table() const {
    const auto word = [&](std::string_view key) { return s_.input.narration.text("schedulers.ask.pick", key); };
    TablePicture table;
    table.columns = {{"", 0.2, true, true},
                     {word("column.warp"), 1},
                     {word("column.instruction"), 2},
                     {word("column.last"), 0.8, true},
                     {word("column.came"), 0.8, true}};
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      const Ready& warp = ready_[i];
      std::optional<std::int64_t> last;
      for (const gpu::Issue& issue : s_.events.window->issues)
        if (issue.what.cycle < issue_.cycle && issue.what.warp == warp.place) last = issue.what.cycle;
      TableCell code = word_cell(instruction_text(s_.travel, s_.history, warp.instruction).text);
      code.code = true;
      table.rows.push_back({{number_cell(static_cast<std::int64_t>(i) + 1), word_cell(options_.words[i]), code,
                             last ? number_cell(*last) : word_cell("-"), number_cell(warp.came)}});
    }
    return table;
  }

  static constexpr std::size_t most_options = 4;
  struct Ready {
    gpu::WarpPlace place;
    std::uint32_t instruction = 0;
    std::uint64_t age = 0;
    std::int64_t came = 0;  // 1: the first of the ready ones
  };
  bool ready(unsigned slot) const { return (issue_.eligible >> slot & 1) != 0; }

  const SchedulersSubject& s_;
  const gpu::IssuedInstruction& issue_;
  std::vector<Ready> ready_;  // the options, by slot
  Options options_;
};

bool waits_for_memory(const SchedulersSubject& s) {
  return s.events.wait && s.events.wait->span.reason == gpu::StallReason::long_scoreboard;
}

}  // namespace

std::optional<Ask> pick_question(const SchedulersSubject& s) {
  if (!s.events.contest) return {};
  const auto pick = std::make_shared<const Pick>(s);
  Ask asked{
      "pick", fmt::format("sm {} cycle {}", s.sm, pick->cycle()), pick->options(), {"cycle", "schedule", "stand_in"}};
  asked.before = [pick](Stage& stage) { show(stage, pick->raster(), pick->table()); };
  return asked;
}

// The question about the place of the data that the warp waits for. The answer agrees with the table of causes in the
// middle of the wait.
std::optional<Ask> wait_question(const SchedulersSubject& s) {
  if (!waits_for_memory(s)) return {};
  const FollowedSpan& wait = *s.events.wait;
  const std::int64_t middle = wait.span.from + (wait.span.to - wait.span.from) / 2;
  const auto at = s.travel.at(s.sm, middle);
  const gpu::RequestState* last = nullptr;
  std::int64_t issued = 0;  // the load that is answered last
  for (const gpu::WarpState& warp : at->state.warps) {
    if (!(warp.place == wait.warp)) continue;
    for (std::size_t i = 0; i < warp.dependences.size(); ++i) {
      const gpu::DependenceState& dependence = warp.dependences[i];
      if (dependence.pending == 0 || (warp.wait_mask >> i & 1) == 0 || !dependence.from_memory) continue;
      const AwaitedLoads loads = awaited_loads(s.travel, *at, warp, i);
      if (loads.last == nullptr || (last != nullptr && loads.last->arrives_at <= last->arrives_at)) continue;
      last = loads.last;
      issued = loads.cycle;
    }
  }
  const Narration& narration = s.input.narration;
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return narration.text("schedulers.ask.wait", key, values);
  };
  const gpu::Device& device = s.travel.device();
  Options options;
  const auto offer = [&](std::string_view key, std::string_view place, const gpu::IntParameter& latency) {
    options.words.push_back(word(place, {{"cycles", count_text(narration, "cycle", *latency)}}));
    options.keys.emplace_back(key);
  };
  const bool halves = device.l2_partitions.value.value_or(1) > 1;
  offer("l1", "l1", device.latency_l1);
  offer("l2", halves ? "l2_near" : "l2", device.latency_l2);
  if (halves) offer("l2_far", "l2_far", device.latency_l2_far);
  offer("memory", "memory", device.latency_memory);
  if (last != nullptr)
    options.right = last->source == gpu::DataSource::l2       ? 1
                    : last->source == gpu::DataSource::l2_far ? 2
                                                              : options.words.size() - 1;
  Ask asked{"wait",
            fmt::format("sm {} slot {} cycle {}", s.sm, wait.warp.slot, wait.span.from),
            std::move(options),
            {"cycle", "warp", "schedule", "stand_in"}};
  asked.values["origin"] = narration.text("origin", trace::name_of(origin_of(device.latency_l2.status)));
  asked.values["load"] = last == nullptr
                             ? word("some_load")
                             : word("load", {{"issued", with_thousands(issued)},
                                             {"arrives", with_thousands(last->arrives_at)},
                                             {"took", count_text(narration, "cycle", last->arrives_at - issued)}});
  asked.before = [&](Stage& stage) {
    RasterPicture raster = raster_until(s, s.cycle);
    for (RasterGroup& group : raster.groups)
      for (RasterRow& row : group.rows) row.followed = row.value == static_cast<double>(wait.warp.slot);
    show(stage, std::move(raster), {});
  };
  return asked;
}

// The share of the wait in which its scheduler issued for other warps.
std::optional<Ask> hide_question(const SchedulersSubject& s) {
  if (!waits_for_memory(s)) return {};
  const FollowedSpan& wait = *s.events.wait;
  const auto others = static_cast<double>(s.issued_by_neighbours(wait.span.from, wait.span.to));
  Ask asked{"hide",
            fmt::format("sm {} slot {} of {} cycle {}", s.sm, s.slot, wait.warp.slot, wait.span.from),
            range_options(s.input.narration, 100 * others / static_cast<double>(wait.span.to - wait.span.from),
                          {5, 25, 50, 75}, "%"),
            {"cycle", "warp", "schedule", "stand_in"}};
  asked.before = [&](Stage& stage) {
    // The followed warp's wait, and the others up to its beginning.
    RasterPicture raster = raster_until(s, wait.span.from);
    const std::size_t memory = state_index(s.input.narration, raster, "memory");
    for (RasterGroup& group : raster.groups)
      for (RasterRow& row : group.rows)
        if (row.value == static_cast<double>(wait.warp.slot)) {
          row.followed = true;
          row.spans.push_back({wait.span.from, wait.span.to, memory, {}});
        }
    show(stage, std::move(raster), {});
  };
  return asked;
}

}  // namespace warpwalk::story
