// Builds the picture of the launch, at each phase of each beat.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/records/hardware.h"
#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"

namespace warpwalk::story {
namespace {

constexpr std::uint64_t max_cells = 1024;  // of the grid: this many fit on a small screen
constexpr std::uint32_t max_columns = 32;

/// Looks up the picture's words.
struct Words {
  const SceneInput& input;
  const Narration::Values& values;
  explicit Words(const LaunchSubject& s) : input(s.input), values(s.values) {}
  std::string operator()(std::string_view section, std::string_view key) const {
    return input.narration.text(fmt::format("launch.{}", section), key, values);
  }
  std::string with(std::string_view section, std::string_view key, Narration::Values more) const {
    more.insert(values.begin(), values.end());
    return input.narration.text(fmt::format("launch.{}", section), key, more);
  }
  std::string name(std::string_view thing) const { return name_in(input.narration, input.naming, thing); }
};

// How far the launch has come on its way; as it is at the end.
struct WayMotion {
  double shown = 1, arrow = 1, measured = 1, ahead_done = 1;
  double travelled = 2;  // as LaunchWay::travelled
};

bool is_copy(const LaunchSubject& s) { return s.trace().slices.kind[s.walk().kernel] == trace::SliceKind::memcpy; }

LaunchPicture launch_way_picture(const LaunchSubject& s, const WayMotion& motion) {
  const Words words(s);
  LaunchPicture picture;
  LaunchWay& way = picture.way;
  way.shown = motion.shown;
  way.time = stream_timeline(s.input, s.queue, motion.arrow, motion.measured);
  way.stations_shown = s.queue.how != StreamQueue::How::unlaunched;
  way.driver = {words.name("driver"), words("way", "driver")};
  way.stream = {words.with("way", "stream_name", {{"name", words.name("stream")}}), words("way", "stream")};
  way.link = {words("way", "pcie"), words("way", "crosses")};
  way.front_end = {words.name("front_end"), words("way", s.transfer ? "takes_copy" : "takes_kernel")};
  // CUDA does not document which part of the GPU does a fill. A copy has its engine.
  if (is_copy(s)) way.engine = LaunchWay::Stop{words("way", "engine"), words("way", "moves")};
  const LaunchCall call = launch_call_of(s.trace(), s.walk());
  way.order =
      call.graph ? words.with("way", "order_graph", {{"nodes", counted_words(s.input.narration, "nodes", call.pieces)}})
      : s.plan   ? words("way", "order")
      : is_copy(s) ? words("way", "order_copy")
      : s.transfer ? words("way", "order_fill")
                   : words("way", "order_bare");
  // One name, because several do not fit.
  const WorkAhead& ahead = s.queue.ahead;
  if (ahead.count > 0) way.ahead.push_back(analysis::shortened(analysis::label_of(s.trace(), ahead.last), 40));
  if (ahead.count > way.ahead.size())
    way.more_ahead = words.with("way", "more", {{"n", std::to_string(ahead.count - way.ahead.size())}});
  way.ahead_done = motion.ahead_done;
  way.travelled = motion.travelled;
  way.note = words("way", "note");
  if (s.plan && s.plan->what_if) picture.what_if = words("floor", "what_if");
  return picture;
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

// How far the blocks have come; as they are at the end.
struct FloorMotion {
  double floor = 1, cells = 1, sms = 1;
  double landed = 1, followed_way = 1;
};

void add_floor(const LaunchSubject& s, const FloorMotion& motion, const Words& words, LaunchPicture& picture) {
  const LaunchPlan& plan = *s.plan;
  add_grid(s, words, picture);
  add_groups(s, words, picture);
  picture.floor_shown = motion.floor;
  picture.grid.shown = motion.cells;
  picture.sms_shown = motion.sms;
  picture.slots_per_sm = plan.slots_per_sm;
  picture.placed = plan.placed;
  picture.tick_ns = plan.tick_ns;
  picture.followed = s.followed;
  picture.landed = static_cast<std::size_t>(motion.landed * static_cast<double>(s.first_fill()) + 0.5);
  picture.followed_way = motion.followed_way;
  if (plan.what_if) picture.what_if = words("floor", "what_if");
  picture.word_block = words("floor", "block");
  picture.word_sm = words.name("sm");
  picture.word_slot = words("floor", "slot");
  if (!plan.recorded) picture.word_wave = words("floor", "wave");
  picture.word_waits = words("floor", "waits");
  picture.word_stronger = words("floor", "stronger");
  picture.word_empty = words("floor", "empty");
  picture.word_idle = words("floor", "idle");
}

// The assumption behind places and times.
std::string_view assumption_of(const LaunchPlan& plan) {
  if (plan.recorded) return "as_recorded";
  if (!plan.time) return "assumed_untimed";
  if (!plan.what_if) return "assumed";
  return plan.time->last_block_ns < plan.time->block_ns ? "assumed_shared_last" : "assumed_shared";
}

// What times on another GPU are scaled by.
std::string_view scaling_of(const LaunchWork& work) {
  return work.fp32_operations ? "scaled_fp32" : work.bytes ? "scaled_memory" : "scaled";
}

// Where the places of the blocks come from, and how many blocks wait.
void add_placement(const LaunchSubject& s, std::string_view assumption, const Words& words, LaunchPicture& picture) {
  const LaunchPlan& plan = *s.plan;
  if (!plan.placeable()) return;
  picture.placement_origin = plan.placement_origin;
  picture.origin_word = words("origin", trace::name_of(plan.placement_origin));
  const bool freed = s.reused() > 0 && picture.landed == s.first_fill();
  picture.grid.state =
      words.with("floor", freed ? "state_freed" : "state",
                 {{"now", whole_text(picture.landed)},
                  {"later", whole_text(plan.blocks - std::min<std::uint64_t>(plan.blocks, picture.landed))}});
  picture.note = words("floor", assumption);
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

void add_gpus(const LaunchSubject& subject, const Words& words, LaunchPicture& picture) {
  const SceneInput& input = subject.input;
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

}  // namespace

std::string whole_text(std::uint64_t n) { return with_thousands(static_cast<std::int64_t>(n)); }

LaunchPicture queue_picture(const LaunchSubject& s, double phase) {
  return launch_way_picture(s, {.arrow = eased(part(phase, 0.45, 0.9)),
                                .measured = part(phase, 0.8, 1),
                                .ahead_done = 0,
                                .travelled = eased(part(phase, 0, 0.45))});
}

LaunchPicture cross_picture(const LaunchSubject& s, double phase) {
  if (s.queue.ahead.count == 0) return launch_way_picture(s, {.travelled = 1 + eased(part(phase, 0, 0.95))});
  constexpr double clear = 0.35;  // the work ahead ends first
  return launch_way_picture(s, {.ahead_done = part(phase, 0, clear), .travelled = 1 + eased(part(phase, clear, 0.95))});
}

LaunchPicture engine_picture(const LaunchSubject& s, double phase) {
  return launch_way_picture(s, {.travelled = 2 + (is_copy(s) ? eased(part(phase, 0.1, 0.8)) : 0)});
}

LaunchPicture gridless_picture(const LaunchSubject& s, double) { return launch_way_picture(s, {}); }

LaunchPicture grid_picture(const LaunchSubject& s, double phase) {
  const Words words(s);
  LaunchPicture picture = launch_way_picture(s, {.shown = 1 - part(phase, 0, 0.2)});
  add_floor(s,
            {.floor = part(phase, 0.2, 0.4),
             .cells = eased(part(phase, 0.3, 0.8)),
             .sms = part(phase, 0.6, 1),
             .landed = 0,
             .followed_way = 0},
            words, picture);
  if (s.plan->counted()) add_limits(s, words, picture);
  return picture;
}

LaunchPicture place_picture(const LaunchSubject& s, double phase) {
  const Words words(s);
  LaunchPicture picture;
  add_floor(s, {.landed = eased(part(phase, 0, 0.7)), .followed_way = eased(part(phase, 0.65, 1))}, words, picture);
  add_placement(s, assumption_of(*s.plan), words, picture);
  return picture;
}

LaunchPicture waves_picture(const LaunchSubject& s, double phase) {
  const Words words(s);
  LaunchPicture picture;
  add_floor(s, {}, words, picture);
  add_placement(s, assumption_of(*s.plan), words, picture);
  add_layers(s, words, picture);
  picture.swept = eased(part(phase, 0.4, 1));
  if (picture.last_tick == 0) return picture;  // there is nothing to draw over time
  picture.waves_shown = part(phase, 0.2, 0.4);
  picture.floor_shown = 1 - part(phase, 0, 0.2);
  picture.regrouped = eased(part(phase, 0.02, 0.4));
  return picture;
}

LaunchPicture tail_picture(const LaunchSubject& s, double phase) {
  const Words words(s);
  LaunchPicture picture;
  add_floor(s, {}, words, picture);
  add_placement(s, s.plan->time_model ? scaling_of(s.plan->time_model->work()) : assumption_of(*s.plan), words,
                picture);
  add_layers(s, words, picture);
  add_gpus(s, words, picture);
  picture.swept = 1;
  picture.tail_shown = part(phase, 0.4, 0.9);
  if (picture.last_tick == 0) return picture;
  picture.waves_shown = 1;
  picture.floor_shown = 0;
  if (!picture.gpus.empty()) picture.compare_shown = eased(part(phase, 0, 0.45));
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
