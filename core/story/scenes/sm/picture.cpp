#include "core/story/scenes/sm/picture.h"

#include <fmt/format.h>

namespace warpwalk::story {

std::string text_of(const SmPicture& p) {
  std::string out = fmt::format("  GPU: {} ({})\n", p.gpu, p.gpu_source);
  if (p.sub_partitions == 0) return out;
  if (p.what_if) out += fmt::format("  {}\n", p.word_what_if);
  if (p.sm_shown > 0) out += fmt::format("  {}: {}\n", p.word_sm, p.word_slots);
  if (p.waiting > 0) out += fmt::format("  {}\n", p.refused > 0 ? p.refused_label : p.waiting_label);
  if (p.limits_shown > 0)
    for (const SmLimit& limit : p.limits)
      out += fmt::format("  {}: {}, {}{}\n", limit.label, limit.taken, limit.allows,
                         limit.limits && p.glow > 0 ? ": " + p.word_limits : "");
  if (p.meters_shown > 0)
    for (const SmMeter& meter : p.meters) out += fmt::format("  {}: {}\n", meter.label, meter.figure.text());
  if (p.curves_shown > 0)
    for (const SmCurve& curve : p.curves) out += fmt::format("  {}: {}\n", curve.label, curve.here);
  return out;
}

std::string everything_in(const SmPicture& p) {
  std::string out = text_of(p);
  const auto add = [&](const auto&... parts) { ((out += fmt::format("{} ", parts)), ...), out += "\n"; };
  add(p.gpu_tip, p.gpu_tip_other, p.gpu_choice, p.gpu_choices, p.gpu_set, p.what_if);
  add(p.sub_partitions, p.warps_per_sm, p.threads_per_warp, p.registers_per_sm, p.registers_per_warp,
      p.registers_of_warp, p.shared_bar, p.carveout, p.shared_per_block, p.shared_of_block, p.block_slots, p.barriers,
      p.barriers_per_block);
  for (const SmBlock& b : p.blocks) add(b.warps, b.registers, b.shared, b.place, b.here, b.now, b.idle);
  for (const SmSlot& s : p.slots) add(s.block, s.warp, s.threads, s.tip);
  add(p.waiting_warps, p.last_warp_threads, p.waiting, p.refused, p.waiting_label, p.refused_label);
  for (const SmLimit& l : p.limits)
    add(l.key, l.label, l.taken, l.allows, l.formula, l.share, l.usable, l.blocks.value_or(-1), l.limits);
  for (const SmMeter& m : p.meters) add(m.label, m.share, m.figure.text(), m.figure.formula());
  for (const SmCurve& c : p.curves) {
    add(c.control, c.label, c.here, c.tip, c.at, c.warps, c.better.value_or(-1), c.better_text, c.better_warps,
        c.launched.value_or(-1), c.set_text);
    for (const SmStep& s : c.steps) add(s.from, s.to, s.blocks, s.warps);
    for (const auto& [at, text] : c.ticks) add(at, text);
    for (const double stop : c.stops) add(stop);
  }
  add(p.sm_shown, p.limits_shown, p.meters_shown, p.curves_shown, p.glow);
  for (const std::string* word :
       {&p.word_sm,       &p.word_slots,    &p.word_sub_partition, &p.word_registers, &p.word_shared,
        &p.word_carveout, &p.word_cache,    &p.word_block_slots,   &p.word_barriers,  &p.word_limits,
        &p.word_what_if,  &p.word_idle,     &p.word_panel,         &p.word_meters,    &p.word_warps,
        &p.word_launched, &p.tip_registers, &p.tip_shared,         &p.tip_carveout,   &p.tip_idle})
    add(*word);
  return out;
}

}  // namespace warpwalk::story
