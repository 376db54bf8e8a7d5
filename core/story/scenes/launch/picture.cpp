// Builds the picture of the launch, at each phase of each beat.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/names/names.h"
#include "core/analysis/slices.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/words/rows.h"
#include "core/story/records/hardware.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {
namespace {

constexpr std::uint64_t max_cells = 1024;  // of the grid: this many fit on a small screen
constexpr std::uint32_t max_columns = 32;

/// Looks up the picture's words.
struct Words {
  const SceneInput& input;
  const Narration::Values& values;
  std::string operator()(std::string_view section, std::string_view key) const {
    return input.narration.text(fmt::format("launch.{}", section), key, values);
  }
  std::string with(std::string_view section, std::string_view key, Narration::Values more) const {
    more.insert(values.begin(), values.end());
    return input.narration.text(fmt::format("launch.{}", section), key, more);
  }
  std::string name(std::string_view thing) const { return name_in(input.narration, input.naming, thing); }
};

void add_way(const SceneInput& input, const LaunchSubject& subject, std::string_view beat, const Words& words,
             LaunchPicture& picture) {
  const double phase = input.moment.phase;
  const bool first = beat == "queue", crossing = beat == "cross";
  LaunchWay& way = picture.way;
  way.shown = beat == "grid" ? 1 - part(phase, 0, 0.2) : 1;
  way.time =
      stream_timeline(input, subject.queue, first ? eased(part(phase, 0.45, 0.9)) : 1, first ? part(phase, 0.8, 1) : 1);
  way.stations_shown = subject.queue.how != StreamQueue::How::unlaunched;
  way.driver = {words.name("driver"), words("way", "driver")};
  way.stream = {words.with("way", "stream_name", {{"name", words.name("stream")}}), words("way", "stream")};
  way.link = {words("way", "pcie"), words("way", "crosses")};
  way.front_end = {words.name("front_end"), words("way", subject.transfer ? "takes_copy" : "takes_kernel")};
  // CUDA does not document which part of the GPU does a fill. A copy has its engine.
  const bool copy = input.trace.slices.kind[input.walk.kernel] == trace::SliceKind::memcpy;
  if (copy) way.engine = LaunchWay::Stop{words("way", "engine"), words("way", "moves")};
  const LaunchCall call = launch_call_of(input.trace, input.walk);
  way.order = call.graph
                  ? words.with("way", "order_graph", {{"nodes", counted_words(input.narration, "nodes", call.pieces)}})
              : subject.plan     ? words("way", "order")
              : copy             ? words("way", "order_copy")
              : subject.transfer ? words("way", "order_fill")
                                 : words("way", "order_bare");
  // One name, because several do not fit.
  const WorkAhead& ahead = subject.queue.ahead;
  if (ahead.count > 0) way.ahead.push_back(analysis::shortened(analysis::label_of(input.trace, ahead.last), 40));
  if (ahead.count > way.ahead.size())
    way.more_ahead = words.with("way", "more", {{"n", std::to_string(ahead.count - way.ahead.size())}});
  const double clear = way.ahead.empty() ? 0 : 0.35;  // the work ahead ends first
  way.ahead_done = first ? 0 : crossing ? part(phase, 0, clear) : 1;
  way.travelled = first      ? eased(part(phase, 0, 0.45))
                  : crossing ? 1 + eased(part(phase, clear, 0.95))
                             : 2 + (copy ? eased(part(phase, 0.1, 0.8)) : 0);
  if (crossing && clear == 0) way.ahead_done = 1;
  way.note = words("way", "note");
}

void add_grid(const LaunchSubject& subject, const Words& words, LaunchPicture& picture) {
  const LaunchPlan& plan = *subject.plan;
  LaunchGrid& grid = picture.grid;
  grid.blocks = plan.blocks;
  grid.shape = plan.grid;
  grid.per_cell = (plan.blocks + max_cells - 1) / max_cells;
  const bool flat = plan.grid[2] == 1 && plan.grid[1] > 1 && plan.grid[0] > 1;
  if (flat && grid.per_cell == 1 && plan.grid[0] <= static_cast<std::int32_t>(max_columns) && plan.grid[1] <= 48)
    grid.columns = plan.grid[0];
  grid.head = words("floor", plan.grid[1] == 1 && plan.grid[2] == 1 ? "grid_line" : "grid");
  if (grid.per_cell > 1) grid.note = words.with("floor", "cell", {{"n", whole_text(grid.per_cell)}});
}

void add_groups(const LaunchSubject& subject, const Words& words, LaunchPicture& picture) {
  const LaunchPlan& plan = *subject.plan;
  const auto ids = [](const std::vector<std::int64_t>& group) {
    std::vector<std::uint32_t> sms;
    for (const std::int64_t sm : group) sms.push_back(static_cast<std::uint32_t>(sm));
    std::sort(sms.begin(), sms.end());
    return sms;
  };
  std::uint32_t known = 0;  // SMs below this number are in the picture
  if (plan.device && plan.gap != LaunchPlan::Gap::size) {
    known = static_cast<std::uint32_t>(*plan.device->sm_count);
    if (plan.device->gpcs) {
      for (std::size_t g = 0; g < plan.device->gpcs.value->size(); ++g)
        picture.groups.push_back({words.with("floor", "gpc", {{"n", std::to_string(g)}}), ids((*plan.device->gpcs)[g]),
                                  words("floor", "gpc_note")});
      if (plan.device->small_groups) {
        SmGroup rest{words("floor", "rest"), {}, words("floor", "rest_note")};
        for (const auto& group : *plan.device->small_groups)
          for (const std::uint32_t sm : ids(group)) rest.sms.push_back(sm);
        picture.groups.push_back(std::move(rest));
      }
    } else {
      SmGroup all;
      for (std::uint32_t sm = 0; sm < known; ++sm) all.sms.push_back(sm);
      picture.groups.push_back(std::move(all));
    }
    picture.head_sms = words("floor", plan.device->gpcs ? "sms_grouped" : "sms");
  }
  // SMs that only the record has.
  std::vector<std::uint32_t> more;
  for (const PlacedBlock& block : plan.placed)
    if (block.sm >= known) more.push_back(block.sm);
  std::sort(more.begin(), more.end());
  more.erase(std::unique(more.begin(), more.end()), more.end());
  if (!more.empty()) picture.groups.push_back({{}, std::move(more), {}});
  if (known == 0 && !picture.groups.empty()) picture.head_sms = words("floor", "sms_recorded");
}

void add_floor(const SceneInput& input, const LaunchSubject& subject, std::string_view beat, const Words& words,
               LaunchPicture& picture) {
  const LaunchPlan& plan = *subject.plan;
  const double phase = input.moment.phase;
  const bool grid_beat = beat == "grid", place = beat == "place";
  add_grid(subject, words, picture);
  add_groups(subject, words, picture);
  picture.floor_shown = grid_beat ? part(phase, 0.2, 0.4) : 1;
  picture.grid.shown = grid_beat ? eased(part(phase, 0.3, 0.8)) : 1;
  picture.sms_shown = grid_beat ? part(phase, 0.6, 1) : 1;
  picture.slots_per_sm = plan.slots_per_sm;
  picture.placed = plan.placed;
  picture.tick_ns = plan.tick_ns;
  picture.followed = subject.followed;
  const auto fill = subject.first_fill();
  picture.landed = grid_beat ? 0
                   : place   ? static_cast<std::size_t>(eased(part(phase, 0, 0.7)) * static_cast<double>(fill) + 0.5)
                             : fill;
  picture.followed_way = grid_beat ? 0 : place ? eased(part(phase, 0.65, 1)) : 1;
  if (plan.placeable() && !grid_beat) {
    picture.placement_origin = plan.placement_origin;
    picture.origin_word = words("origin", trace::name_of(plan.placement_origin));
    const bool freed = subject.reused() > 0 && picture.landed == fill;
    picture.grid.state =
        words.with("floor", freed ? "state_freed" : "state",
                   {{"now", whole_text(picture.landed)},
                    {"later", whole_text(plan.blocks - std::min<std::uint64_t>(plan.blocks, picture.landed))}});
  }
}

void add_limits(const LaunchSubject& subject, const Words& words, LaunchPicture& picture) {
  const gpu::Occupancy& occupancy = subject.plan->occupancy;
  picture.word_limits = words("floor", "room");
  for (std::size_t l = 0; l < gpu::limiter_count; ++l) {
    const auto limiter = static_cast<gpu::Limiter>(l);
    if (const gpu::Occupancy::Limit& limit = occupancy.limit(limiter))
      picture.limits.push_back({words("limiter", gpu::name_of(limiter)), std::to_string(*limit),
                                std::count(occupancy.limiters.begin(), occupancy.limiters.end(), limiter) > 0});
  }
}

void add_layers(const LaunchSubject& subject, const Words& words, LaunchPicture& picture) {
  const LaunchPlan& plan = *subject.plan;
  struct Wave {
    std::int64_t start = 0;
    std::uint64_t blocks = 0;
  };
  std::map<std::uint32_t, Wave> waves;
  for (const PlacedBlock& block : plan.placed) {
    picture.last_tick = std::max(picture.last_tick, block.end);
    Wave& wave = waves.try_emplace(block.turn, Wave{block.start, 0}).first->second;
    wave.start = std::min(wave.start, block.start);
    ++wave.blocks;
  }
  for (const auto& [turn, wave] : waves) {
    WaveLayer layer;
    // In a recorded placement, blocks start one by one: a layer is the blocks whose slot had equally many before.
    if (plan.recorded)
      layer.label = turn == 0 ? words("wave", "unused") : words.with("wave", "reused", {{"n", whole_text(turn)}});
    else
      layer.label = words.with("wave", "layer", {{"n", whole_text(turn + 1)}});
    layer.start = wave.start;
    if (plan.tick_ns > 0) {
      layer.time = time_text(static_cast<double>(wave.start) * plan.tick_ns);
      if (plan.recorded) layer.time = words.with("wave", "from", {{"time", layer.time}});
    }
    layer.use = plan.counted() && !plan.recorded ? words.with("wave", "use", {{"n", whole_text(wave.blocks)}})
                                                 : counted_words(words.input.narration, "blocks", wave.blocks);
    picture.layers.push_back(std::move(layer));
  }
  if (!plan.counted()) return;
  const std::uint64_t last = plan.waves.tail_blocks == 0 ? plan.slots() : plan.waves.tail_blocks;
  picture.last_wave = words("wave", plan.waves.waves() > 1 ? "last" : subject.reused() > 0 ? "all" : "only");
  picture.last_share = static_cast<double>(last) / static_cast<double>(plan.slots());
  if (plan.skipped_to > plan.skipped_from) {
    picture.gap_from = plan.skipped_start;
    picture.gap_to = plan.skipped_end;
    const bool one = plan.skipped_to - plan.skipped_from == 1;
    picture.gap_label = words.with("wave", one ? "gap.one" : "gap",
                                   {{"from", whole_text(plan.skipped_from + 1)}, {"to", whole_text(plan.skipped_to)}});
  } else if (plan.placed.size() < plan.blocks) {
    picture.more_blocks = words.with("wave", "more", {{"n", whole_text(plan.placed.size())}});
  }
}

void add_gpus(const SceneInput& input, const LaunchSubject& subject, const Words& words, LaunchPicture& picture) {
  const LaunchPlan& plan = *subject.plan;
  if (plan.registers < 0 || plan.shared < 0) return;
  std::vector<double> lengths;  // of the bars: times, or waves where no time is known
  const auto add = [&](const gpu::Device& device, std::size_t choice, bool as_recorded) {
    const gpu::Occupancy occupancy = gpu::occupancy_of(device, needs_of(plan, device));
    GpuLine line;
    line.name = device.name;
    line.choice = choice;
    line.chosen = plan.gpu_choice == choice;
    lengths.push_back(0);
    if (occupancy.failure.empty()) {
      const LaunchOnGpu launch = launch_on(plan, device, occupancy);
      const std::uint64_t waves = launch.waves.waves();
      line.efficiency =
          Figure::derived(100 * launch.waves.tail_efficiency, Unit::percent, words("formula", "efficiency")).text();
      const Narration::Values summary = {{"waves", whole_text(waves)},
                                         {"slots", whole_text(launch.waves.blocks_per_wave)}};
      line.detail = words.with("compare", waves == 1 ? "waves.one" : "waves", summary);
      if (plan.time_model) {
        const ScaledTime time = as_recorded ? plan.time_model->recorded() : plan.time_model->on(device, launch);
        line.time = time_text(time.total_ns);
        const std::string_view how = as_recorded           ? "recorded"
                                     : time.at_fp32_peak   ? "at_fp32_peak"
                                     : time.at_memory_peak ? "at_memory_peak"
                                                           : "scaled";
        const std::string origin = input.narration.text("origin", trace::name_of(input.trace.records.time_origin()));
        line.detail = words.with("compare", how, {{"waves", line.detail}, {"origin", origin}});
        lengths.back() = time.total_ns;
      } else {
        line.time = whole_text(waves);
        lengths.back() = static_cast<double>(waves);
      }
    } else {
      line.detail = words("compare", "fails");
    }
    picture.gpus.push_back(std::move(line));
  };
  const bool as_launched = plan.blocks == plan.launched_blocks && plan.threads == plan.launched_threads;
  if (plan.match.device) add(*plan.match.device, 0, as_launched);
  for (std::size_t i = 0; i < chosen_gpus.size(); ++i) {
    const gpu::Device* device = input.hardware.find(chosen_gpus[i]);
    if (device == nullptr) continue;
    const bool same = plan.match.how == analysis::DeviceMatch::How::described && plan.match.device->id == device->id;
    if (same && plan.gpu_choice == i + 1) picture.gpus.front().chosen = true;
    if (!same) add(*device, i + 1, false);
  }
  const double longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  for (std::size_t i = 0; i < lengths.size(); ++i) picture.gpus[i].share = longest > 0 ? lengths[i] / longest : 0;
  picture.head_gpus = words("compare", "gpu");
  picture.head_time = words("compare", plan.time_model ? "time" : "number");
  picture.head_efficiency = words("compare", "efficiency");
}

void add_waves(const SceneInput& input, const LaunchSubject& subject, std::string_view beat, const Words& words,
               LaunchPicture& picture) {
  const double phase = input.moment.phase;
  add_layers(subject, words, picture);
  if (beat == "tail") add_gpus(input, subject, words, picture);
  const bool drawn = picture.last_tick > 0;
  const bool waves = beat == "waves";
  picture.waves_shown = !drawn ? 0 : waves ? part(phase, 0.2, 0.4) : 1;
  picture.floor_shown = !drawn ? 1 : waves ? 1 - part(phase, 0, 0.2) : 0;
  picture.regrouped = drawn && waves ? eased(part(phase, 0.02, 0.4)) : 1;
  picture.swept = waves ? eased(part(phase, 0.4, 1)) : 1;
  picture.compare_shown = waves || picture.gpus.empty() || !drawn ? 0 : eased(part(phase, 0, 0.45));
  picture.tail_shown = waves ? 0 : part(phase, 0.4, 0.9);
}

// The assumption behind the places and times of a beat.
std::string_view assumption_of(const LaunchPlan& plan, std::string_view beat) {
  if (beat == "tail" && plan.time_model) {
    const LaunchWork& work = plan.time_model->work();
    return work.fp32_operations ? "scaled_fp32" : work.bytes ? "scaled_memory" : "scaled";
  }
  if (plan.recorded) return "as_recorded";
  if (!plan.time) return "assumed_untimed";
  if (!plan.what_if) return "assumed";
  return plan.time->last_block_ns < plan.time->block_ns ? "assumed_shared_last" : "assumed_shared";
}

}  // namespace

std::string whole_text(std::uint64_t n) { return with_thousands(static_cast<std::int64_t>(n)); }

LaunchPicture launch_picture(const SceneInput& input, const LaunchSubject& subject, std::string_view beat,
                             const Narration::Values& values) {
  const Words words{input, values};
  LaunchPicture picture;
  if (beat == "queue" || beat == "cross" || beat == "engine" || beat == "gridless" || beat == "grid")
    add_way(input, subject, beat, words, picture);
  if (!subject.plan) return picture;
  const LaunchPlan& plan = *subject.plan;
  if (plan.what_if) picture.what_if = words("floor", "what_if");
  if (beat == "queue" || beat == "cross") return picture;
  add_floor(input, subject, beat, words, picture);
  if (beat == "grid" && plan.counted()) add_limits(subject, words, picture);
  if (beat == "waves" || beat == "tail") add_waves(input, subject, beat, words, picture);
  if (plan.placeable() && beat != "grid") picture.note = words("floor", assumption_of(plan, beat));
  picture.word_block = words("floor", "block");
  picture.word_sm = words.name("sm");
  picture.word_slot = words("floor", "slot");
  if (!plan.recorded) picture.word_wave = words("floor", "wave");
  picture.word_waits = words("floor", "waits");
  picture.word_stronger = words("floor", "stronger");
  picture.word_empty = words("floor", "empty");
  picture.word_idle = words("floor", "idle");
  return picture;
}

std::string LaunchWay::queue_text() const {
  std::string text = more_ahead;
  for (const std::string& name : ahead) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const PlacedBlock* LaunchPicture::followed_block() const {
  const auto block = std::ranges::find(placed, followed, &PlacedBlock::block);
  return block == placed.end() ? nullptr : &*block;
}

std::string LaunchPicture::limits_text() const {
  std::string text;
  for (const RoomLimit& limit : limits)
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", limit.word, limit.blocks, limit.limits ? " *" : "");
  return text;
}

}  // namespace warpwalk::story
