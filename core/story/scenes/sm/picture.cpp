// Builds the picture of one SM, with the progress of its motion.
#include <algorithm>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

// The progress of each motion at a moment of a beat.
struct Motion {
  int place;  // of the beat's motion: those before it are done, those after it have not begun
  double phase;

  bool reached(int at) const { return place >= at; }
  double in(int at, double from, double to) const {
    return place < at ? 0 : place > at ? 1 : eased(part(phase, from, to));
  }
};

// The first block arrives: its warps, then its registers and shared memory. Each further block arrives in its own part
// of a later motion.
SmBlock block_at(const Motion& motion, std::int64_t number, std::int64_t count) {
  SmBlock block;
  if (number == 0) {
    block.warps = motion.in(first_block_comes, 0.1, 0.6);
    block.place = block.warps;  // block slot and barrier
    block.registers = motion.in(first_block_comes, 0.6, 0.8);
    block.shared = motion.in(first_block_comes, 0.8, 0.95);
    block.now = 1 - motion.in(other_blocks_come, 0, 0.15);
    return block;
  }
  constexpr double first = 0.15, last = 0.8;
  const double each = (last - first) / static_cast<double>(count - 1);
  const double begin = first + each * static_cast<double>(number - 1);
  block.warps = block.registers = block.shared = block.place = motion.in(other_blocks_come, begin, begin + each);
  block.here = motion.in(other_blocks_come, begin - std::min(each, 0.1), begin);
  block.now = 1 - motion.in(other_blocks_come, begin + each, std::min(begin + 1.6 * each, 1.0));
  return block;
}

void add_blocks(const SmSubject& sm, const Motion& motion, SmPicture& picture) {
  const std::int64_t count = sm.fit.blocks_per_sm;
  const double mean = sm.mean_blocks();
  for (std::int64_t b = 0; b < count; ++b) {
    SmBlock block = block_at(motion, b, count);
    // With the average number of blocks, a partial block counts as present.
    if (static_cast<double>(b) >= mean) block.idle = motion.in(meters_come, 0, 0.5);
    picture.blocks.push_back(block);
  }
}

void add_slots(const SmSubject& sm, SmPicture& picture) {
  const std::int64_t lanes = picture.threads_per_warp;
  Narration::Values v = sm.values;
  for (std::int64_t b = 0; b < sm.fit.blocks_per_sm; ++b)
    for (std::int64_t w = 0; w < sm.fit.warps_per_block; ++w) {
      SmSlot slot;
      slot.block = b;
      slot.warp = w;
      slot.threads = std::min(lanes, sm.needs.threads - w * lanes);
      const std::int64_t n = b * sm.fit.warps_per_block + w;
      v["block"] = with_thousands(b);
      v["warp"] = with_thousands(w);
      v["threads"] = counted(sm.input, "thread", slot.threads);
      v["first"] = with_thousands(w * lanes);
      v["last"] = with_thousands(w * lanes + slot.threads - 1);
      v["slot"] = with_thousands(n);
      v["part"] = with_thousands(n % picture.sub_partitions);
      slot.tip = sm.input.narration.text("sm.tip", "slot", v);
      picture.slots.push_back(std::move(slot));
    }
}

// The number of blocks that have fully arrived, for the bars.
std::int64_t blocks_in(const SmPicture& picture, double SmBlock::*part) {
  return std::count_if(picture.blocks.begin(), picture.blocks.end(),
                       [&](const SmBlock& block) { return block.*part >= 1; });
}

void add_limits(const SmSubject& sm, SmPicture& picture) {
  const gpu::Device& device = *sm.device;
  const auto add = [&](gpu::Limiter limiter, std::int64_t each, std::string_view parameter, std::int64_t whole,
                       double SmBlock::*part, bool in_bytes = false) {
    SmLimit limit;
    limit.key = gpu::name_of(limiter);
    limit.label = resource_name(sm.input, limiter);
    const auto amount = [&](std::int64_t n) { return in_bytes ? shared_bytes_text(n) : with_thousands(n); };
    limit.taken = sm.input.narration.text(
        "sm.word", "taken", {{"used", amount(each * blocks_in(picture, part))}, {"whole", amount(whole)}});
    limit.blocks = sm.fit.limit(limiter);
    limit.allows =
        limit.blocks ? sm.input.narration.text("sm.word", "allows", {{"n", counted(sm.input, "block", *limit.blocks)}})
                     : sm.input.narration.text("sm.word", "no_limit");
    limit.formula = sm.input.narration.text("sm.formula.limit", limit.key, sm.values);
    limit.source = parameter_text(sm.input.narration, device, parameter);
    limit.share = static_cast<double>(each) / static_cast<double>(whole);
    limit.limits = std::find(sm.fit.limiters.begin(), sm.fit.limiters.end(), limiter) != sm.fit.limiters.end();
    picture.limits.push_back(std::move(limit));
  };
  add(gpu::Limiter::warps, sm.fit.warps_per_block, "warps_per_sm", *device.warps_per_sm, &SmBlock::warps);
  add(gpu::Limiter::registers, sm.fit.registers_per_block, "registers_per_sm", *device.registers_per_sm,
      &SmBlock::registers);
  if (sm.fit.registers_per_warp > 0) {
    const std::int64_t part = *device.registers_per_sm / *device.sub_partitions;
    picture.limits.back().usable =
        static_cast<double>(part - part % sm.fit.registers_per_warp) / static_cast<double>(part);
  }
  add(gpu::Limiter::shared, sm.fit.shared_per_block, "shared_per_sm", *device.shared_per_sm, &SmBlock::shared, true);
  add(gpu::Limiter::blocks, 1, "blocks_per_sm", *device.blocks_per_sm, &SmBlock::place);
  if (device.barriers_per_sm)
    add(gpu::Limiter::barriers, sm.needs.barriers, "barriers_per_sm", *device.barriers_per_sm, &SmBlock::place);
}

void add_meters(const SmSubject& sm, SmPicture& picture) {
  const Narration& n = sm.input.narration;
  const auto add = [&](std::string_view key, std::string_view formula, double percent, std::string text) {
    picture.meters.push_back({n.text("sm.meter", key), std::clamp(percent / 100, 0.0, 1.0),
                              Figure::derived(std::move(text), n.text("sm.formula", formula, sm.values))});
  };
  const double possible = sm.fit.percent;
  add("possible", "occupancy", possible, sm.values.at("percent"));
  const double mean = possible * sm.mean_blocks() / static_cast<double>(sm.fit.blocks_per_sm);
  add("mean", "mean_occupancy", mean, sm.values.at("mean_percent"));
  const double estimate = sm.kernel->occupancy_pct;
  if (!trace::is_absent(estimate) && estimate >= 0)
    add("estimate", "estimate", estimate, with_marks(fmt::format("{:.4g} %", estimate)));
}

// The explanations at the pointer: what is drawn, then the parameters of the device that it is drawn from.
void add_tips(const SmSubject& sm, SmPicture& picture) {
  const auto tip = [&](std::string text, std::initializer_list<std::string_view> parameters) {
    for (const std::string_view name : parameters)
      if (const std::string line = parameter_text(sm.input.narration, *sm.device, name); !line.empty())
        text.append(text.empty() ? "" : "\n").append(line);
    return text;
  };
  const auto word = [&](std::string_view key) { return sm.input.narration.text("sm.tip", key, sm.values); };
  std::string shared = word("shared");
  if (const auto reserve = sm.values.find("reserve"); reserve != sm.values.end()) shared += " " + reserve->second;
  picture.tip_slots = tip({}, {"warps_per_sm", "sub_partitions"});
  picture.tip_registers = tip(word("registers"), {"registers_per_sm", "register_allocation"});
  picture.tip_shared = tip(std::move(shared), {"shared_allocation", "shared_reserved_per_block"});
  picture.tip_carveout = tip(word("carveout"), {"l1_bytes", "carveouts"});
  picture.tip_idle = word("idle");
  picture.tip_block_slots = tip({}, {"blocks_per_sm"});
  picture.tip_barriers = tip({}, {"barriers_per_sm"});
}

void add_words(const SmSubject& sm, SmPicture& picture) {
  const auto word = [&](std::string_view key) { return sm.input.narration.text("sm.word", key, sm.values); };
  picture.word_sm = word("sm");
  const auto taken = std::count_if(picture.blocks.begin(), picture.blocks.end(),
                                   [](const SmBlock& block) { return block.warps >= 1 && block.idle < 1; });
  picture.word_slots = sm.input.narration.text(
      "sm.word", "slots",
      {{"used", with_thousands(taken * picture.waiting_warps)}, {"slots", with_thousands(picture.warps_per_sm)}});
  picture.word_sub_partition = word("sub_partition");
  picture.word_registers = word("registers");
  picture.word_shared = word("shared");
  picture.word_carveout = word("carveout");
  picture.word_cache = word("cache");
  picture.word_block_slots = word("block_slots");
  picture.word_barriers = word("barriers");
  picture.word_limits = word("limits");
  picture.word_what_if = word("what_if");
  picture.word_idle = word("idle");
  picture.word_next = word("next");
  picture.word_panel = word("panel");
  picture.word_meters = word("meters");
  picture.word_warps = word("warps");
}

void add_gpu(const SmSubject& sm, SmPicture& picture) {
  if (sm.device) picture.gpu = fmt::format("{}, {}", sm.device->name, *sm.device->compute_capability);
  picture.gpu_choice = sm.gpu_choice;
  picture.gpu_choices = sm.input.hardware.devices.size() + 1;
  picture.gpu_set = sm.gpu_choice > 0;
  const std::string key = sm.match.how == analysis::DeviceMatch::How::described ? "described"
                          : sm.match.how == analysis::DeviceMatch::How::adapted ? "adapted"
                                                                                : "unknown";
  picture.gpu_source =
      picture.gpu_set ? sm.input.narration.text("frame", "set") : sm.input.narration.text("sm.gpu", key);
  picture.gpu_tip = sm.input.narration.text("sm.gpu", "tip." + key);
  picture.gpu_tip_other = sm.input.narration.text("sm.gpu", "tip.other");
  if (sm.device)
    for (std::string* const text : {&picture.gpu_tip, &picture.gpu_tip_other})
      text->append("\n").append(parameter_text(sm.input.narration, *sm.device, "compute_capability"));
  if (!sm.device) picture.gpu = sm.input.narration.text("sm.gpu", "choose");
}

}  // namespace

SmPicture sm_picture(const SmSubject& sm, int place, double phase) {
  SmPicture picture;
  add_gpu(sm, picture);
  if (!sm.device) return picture;
  const Motion motion{place, phase};
  const gpu::Device& device = *sm.device;
  picture.what_if = sm.any_set();
  picture.sub_partitions = *device.sub_partitions;
  picture.warps_per_sm = *device.warps_per_sm;
  picture.threads_per_warp = *device.threads_per_warp;
  picture.registers_per_sm = *device.registers_per_sm;
  picture.registers_per_warp = sm.fit.registers_per_warp;
  picture.registers_of_warp = sm.needs.registers * *device.threads_per_warp;
  picture.shared_bar = device.l1_bytes ? *device.l1_bytes : *device.shared_per_sm;
  picture.carveout = sm.fit.carveout;
  picture.shared_per_block = sm.fit.shared_per_block;
  picture.shared_of_block = sm.shared();
  picture.block_slots = *device.blocks_per_sm;
  picture.barriers = device.barriers_per_sm ? *device.barriers_per_sm : 0;
  picture.barriers_per_block = sm.needs.barriers;
  picture.waiting_warps = sm.fit.warps_per_block;
  picture.last_warp_threads = sm.last_warp_threads();
  add_blocks(sm, motion, picture);
  add_slots(sm, picture);
  add_limits(sm, picture);

  // The waiting block: the first one, then each next one, in the end the one that does not fit.
  const Narration& n = sm.input.narration;
  picture.waiting_label = n.text("sm.word", "waiting", {{"n", with_thousands(blocks_in(picture, &SmBlock::warps))}});
  picture.refused_label = n.text("sm.word", sm.runs() ? "refused" : "cannot");
  picture.refused = sm.runs() ? motion.in(other_blocks_come, 0.85, 1) : motion.in(first_block_comes, 0.3, 1);
  const bool metered = sm.grid > 0 && sm.runs();
  const double next = 1 - motion.in(first_block_comes, 0.9, 1) + motion.in(other_blocks_come, 0, 0.1);
  picture.waiting = (sm.runs() ? next : 1) - motion.in(metered ? meters_come : curves_come, 0, 0.3);

  picture.glow = motion.in(limit_glows, 0.1, 0.7);
  if (motion.reached(meters_come) && metered) {
    add_meters(sm, picture);
    picture.limits_shown = 1 - motion.in(meters_come, 0.3, 0.6) + motion.in(curves_come, 0.3, 0.6);
    picture.meters_shown = motion.in(meters_come, 0.6, 1) - motion.in(curves_come, 0, 0.3);
  }
  if (motion.reached(curves_come)) {
    picture.sm_shown = 1 - motion.in(curves_come, 0.1, 0.4);
    picture.gathered = eased(motion.in(curves_come, 0.1, 0.75));
    picture.curves_shown = motion.in(curves_come, 0.3, 0.85);
    picture.curves = sm_curves(sm);
  }
  add_tips(sm, picture);
  add_words(sm, picture);
  return picture;
}

}  // namespace warpwalk::story
