// Chapter 3 of the tour, inside the followed block's SM: what its blocks take, and the block's warps.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/blocks/occupancy.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {
namespace {

using gpu::Limiter;

PlaneBox own_sm(const Tour& s) { return world::sm(s.sm, s.sms()); }

// The blocks that are on the followed block's SM first, by slot.
std::vector<std::uint64_t> residents(const Tour& s) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> found;
  for (const PlacedBlock& one : s.plan.placed)
    if (one.turn == 0 && one.sm == s.sm) found.emplace_back(one.slot, one.block);
  std::ranges::sort(found);
  std::vector<std::uint64_t> blocks;
  for (const auto& [slot, block] : found) blocks.push_back(block);
  return blocks;
}

// One resource of the SM: what a block takes of it, and what there is.
struct Resource {
  Limiter limiter;
  std::int64_t each = 0, whole = 0;

  bool known() const { return each > 0 && whole > 0; }
};

std::array<Resource, 4> resources_of(const Tour& s) {
  const gpu::Device& device = *s.plan.device;
  const gpu::Occupancy& fit = s.plan.occupancy;
  return {{{Limiter::warps, fit.warps_per_block, *device.warps_per_sm},
           {Limiter::registers, fit.registers_per_block, *device.registers_per_sm},
           {Limiter::shared, fit.shared_per_block, *device.shared_per_sm},
           {Limiter::blocks, 1, *device.blocks_per_sm}}};
}

std::string resource_word(const Tour& s, Limiter limiter) {
  return s.word(fmt::format("resource_{}", gpu::name_of(limiter)));
}

// "12,288 of 65,536", "3 of 228 KiB".
std::string taken_text(const Tour& s, const Resource& resource, std::int64_t blocks) {
  const std::int64_t taken = resource.each * blocks;
  if (resource.limiter == Limiter::shared)
    return s.word("taken", {{"used", shared_bytes_text(taken)}, {"whole", shared_bytes_text(resource.whole)}});
  return s.word("taken", {{"used", with_thousands(taken)}, {"whole", with_thousands(resource.whole)}});
}

bool runs_out(const Tour& s, Limiter limiter) {
  return std::ranges::find(s.plan.occupancy.limiters, limiter) != s.plan.occupancy.limiters.end();
}

}  // namespace

PlanePicture limit_plane(const Tour& s, double phase) {
  const PlaneBox sm = own_sm(s);
  Plane plane(sm);
  plane.frame(fmt::format("sm {}", s.sm), sm, Tone::followed);
  plane.text("sm name", sm.part(0.02, 0.02, 0.3, 0.07), s.word("sm_name"), Plane::Type::heading).origin =
      s.plan.placement_origin;
  const std::vector<std::uint64_t> blocks = residents(s);
  const bool open = open_question(s, limit_question(s));
  // While the question is open, only the first block is there with what it takes.
  const std::size_t most = open ? 1 : blocks.size();
  const double count = 1 + static_cast<double>(most - std::min<std::size_t>(most, 1)) * part(phase, 0.1, 0.7);
  const double refused = open ? 0 : part(phase, 0.75, 1);
  const auto arrived = [&](std::size_t i) {
    return i == 0 ? 1.0 : part(count, static_cast<double>(i), static_cast<double>(i) + 1);
  };
  constexpr double left = 0.19, wide = 0.79, gap = 0.006;
  // The blocks, each with its number.
  const std::size_t slots = std::max<std::size_t>(blocks.size(), 1) + 1;
  const double each_wide = wide / static_cast<double>(slots);
  plane.text("residents name", sm.part(0.02, 0.12, 0.16, 0.12), s.word("blocks_here"), Plane::Type::body);
  const auto block_box = [&](std::size_t i) {
    return sm.part(left + each_wide * static_cast<double>(i), 0.12, each_wide - gap, 0.12);
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint64_t block = blocks[i];
    plane
        .box(fmt::format("block {}", block), block_box(i), block == s.block ? Tone::followed : Tone::work,
             s.word("toy_block", {{"n", with_thousands(static_cast<std::int64_t>(block))}}))
        .shown = open && i > 0 ? 0 : arrived(i);
  }
  plane.box("next block", block_box(slots - 1), Tone::refused, s.word("one_more")).shown = refused;
  // A bar for each resource. The followed block's part is yellow.
  double y = 0.29;
  constexpr double row = 0.165, bar_high = 0.085;
  for (const Resource& resource : resources_of(s)) {
    if (!resource.known()) continue;
    const std::string_view name = gpu::name_of(resource.limiter);
    const bool limit = runs_out(s, resource.limiter) && !open;
    plane.text(fmt::format("{} name", name), sm.part(0.02, y, 0.165, bar_high), resource_word(s, resource.limiter),
               Plane::Type::body);
    // The place is that of what an SM has; what a block more would take stands over its end.
    constexpr double bar = 0.66;
    const double share = bar * static_cast<double>(resource.each) / static_cast<double>(resource.whole);
    const double line = std::min(0.0012, share * 0.2);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      plane
          .box(fmt::format("{} of block {}", name, blocks[i]),
               sm.part(left + share * static_cast<double>(i), y, share - line, bar_high),
               blocks[i] == s.block ? Tone::followed : Tone::work)
          .shown = open && i > 0 ? 0 : arrived(i);
    if (limit)
      plane
          .box(fmt::format("{} of one more", name),
               sm.part(left + share * static_cast<double>(blocks.size()), y,
                       std::min(share, 0.98 - left - share * static_cast<double>(blocks.size())), bar_high),
               Tone::refused)
          .shown = refused;
    plane.frame(fmt::format("{} bar", name), sm.part(left, y, bar, bar_high), limit ? Tone::plain : Tone::quiet);
    if (limit) {
      const auto amount = [&](std::int64_t n) {
        return resource.limiter == Limiter::shared ? shared_bytes_text(n) : with_thousands(n);
      };
      const std::int64_t rest = resource.whole - resource.each * static_cast<std::int64_t>(blocks.size());
      plane
          .text(fmt::format("{} left", name), sm.part(left + 0.25, y + bar_high + 0.004, 0.54, 0.05),
                s.word("no_room", {{"rest", amount(rest)}, {"each", amount(resource.each)}}), Plane::Type::label,
                Plane::Align::right, Tone::refused)
          .shown = refused;
    }
    const auto now = static_cast<std::int64_t>(open ? 1 : std::min(count + 0.001, static_cast<double>(blocks.size())));
    PlaneItem& taken = plane.text(fmt::format("{} taken", name), sm.part(left, y + bar_high + 0.004, 0.24, 0.05),
                                  taken_text(s, resource, now));
    taken.origin = Origin::derived;
    taken.tip = s.word(fmt::format("tip_{}", name),
                       {{"each", resource.limiter == Limiter::shared ? shared_bytes_text(resource.each)
                                                                     : with_thousands(resource.each)},
                        {"registers", with_thousands(s.plan.registers)},
                        {"warps", with_thousands(s.plan.occupancy.warps_per_block)},
                        {"per_warp", with_thousands(s.plan.occupancy.registers_per_warp)}});
    y += row;
  }
  return plane.take();
}

std::string limit_section(const Tour& s) {
  const auto& limiters = s.plan.occupancy.limiters;
  return limiters.size() == 1 && limiters.front() == Limiter::shared ? "limit.shared"
         : limiters.size() == 1                                      ? "limit"
                                                                     : "limit.several";
}

void limit_values(const Tour& s, Narration::Values& values) {
  const gpu::Occupancy& fit = s.plan.occupancy;
  std::string words;
  for (const Limiter limiter : fit.limiters)
    words.append(words.empty() ? "" : ", ").append(s.word(fmt::format("in_{}", gpu::name_of(limiter))));
  values.insert_or_assign("limiter", words);
  values.insert_or_assign("block_warps", with_thousands(fit.warps_per_block));
  values.insert_or_assign("block_registers", with_thousands(fit.registers_per_block));
  values.insert_or_assign("block_shared", shared_bytes_text(fit.shared_per_block));
}

std::optional<Ask> limit_question(const Tour& s) {
  const gpu::Occupancy& fit = s.plan.occupancy;
  if (fit.limiters.size() != 1) return {};
  Options options;
  for (const Resource& resource : resources_of(s)) {
    if (!resource.known() || !fit.limit(resource.limiter)) continue;
    if (resource.limiter == fit.limiters.front()) options.right = options.words.size();
    options.words.push_back(resource_word(s, resource.limiter));
    options.keys.emplace_back(gpu::name_of(resource.limiter));
    options.values.push_back({{"room", count_text(s.input.narration, "block", *fit.limit(resource.limiter))}});
  }
  return Ask{.key = "limit", .about = "limit", .options = std::move(options), .facts = {}};
}

namespace {

std::int64_t parts_of(const Tour& s) { return std::max<std::int64_t>(*s.plan.device->sub_partitions, 1); }

// The sub-partition of each warp of the followed block: of its simulated slot, or, as the simulation would give them
// out on an empty SM, in turn.
std::vector<std::int64_t> dealt(const Tour& s) {
  const std::int64_t count = std::max<std::int64_t>(s.plan.occupancy.warps_per_block, 1);
  std::vector<std::int64_t> parts;
  for (std::int64_t warp = 0; warp < count; ++warp) parts.push_back(warp % parts_of(s));
  run::TimeTravel* const travel = s.input.history.travel;
  if (travel == nullptr || !s.input.history.own()) return parts;
  const auto start = block_start(*travel, static_cast<std::uint16_t>(s.sm), s.block);
  if (!start) return parts;
  const auto moment = travel->at(static_cast<std::uint16_t>(s.sm), *start + 1);
  for (const gpu::WarpState& warp : moment->state.warps)
    if (warp.place.block == s.block && warp.place.warp < parts.size())
      parts[warp.place.warp] = warp.place.slot % parts_of(s);
  return parts;
}

}  // namespace

std::int64_t followed_warp(const Tour& s) {
  if (const run::NumberTrail* const trail = s.input.history.trail) return trail->warp.warp;
  const MatrixProduct& p = s.product;
  // One thread for each number of the tile, row after row: so do the kernels of kernels/.
  if (p.rule != MatrixProduct::Rule::code || s.plan.threads != p.tile_rows * p.tile_columns) return 0;
  return (s.number.at.row % p.tile_rows * p.tile_columns + s.number.at.column % p.tile_columns) / 32;
}

PlanePicture warps_plane(const Tour& s, double phase) {
  const PlaneBox sm = own_sm(s);
  Plane plane(sm);
  plane.frame(fmt::format("sm {}", s.sm), sm, Tone::followed);
  plane.text("sm name", sm.part(0.02, 0.02, 0.2, 0.1), s.word("sm_name"), Plane::Type::heading).origin =
      s.plan.placement_origin;
  const std::vector<std::int64_t> parts = dealt(s);
  const std::int64_t count = static_cast<std::int64_t>(parts.size());
  const auto sub = [&](std::int64_t i) {
    const double each = 0.98 / static_cast<double>(parts_of(s));
    return sm.part(0.02 + each * static_cast<double>(i), 0.16, each - 0.02, 0.6);
  };
  // The followed block, which opens.
  const PlaneBox block = sm.part(0.3, 0.025, 0.4, 0.1);
  plane.box(fmt::format("block {}", s.block), block, Tone::followed,
            s.word("block_of_warps", {{"warps", with_thousands(count)}}));
  for (std::int64_t i = 0; i < parts_of(s); ++i) {
    const PlaneBox at = sub(i);
    plane.frame(fmt::format("sub-partition {}", i), at, Tone::quiet).shown = part(phase, 0, 0.3);
    plane
        .text(fmt::format("sub-partition {} name", i), at.part(0.05, 0.02, 0.9, 0.11),
              s.word("sub_partition", {{"n", fmt::to_string(i)}}), Plane::Type::body)
        .shown = part(phase, 0, 0.3);
    plane.box(fmt::format("scheduler {}", i), at.part(0.05, 0.15, 0.9, 0.13), Tone::quiet, s.word("scheduler")).shown =
        part(phase, 0.1, 0.4);
  }
  plane.frame("shared", sm.part(0.02, 0.8, 0.96, 0.16), Tone::shared, s.word("l1_shared")).shown = part(phase, 0, 0.3);
  // Each warp flies out of the block into its sub-partition.
  std::vector<std::int64_t> in_part(static_cast<std::size_t>(parts_of(s)), 0);
  std::int64_t deepest = 1;
  for (const std::int64_t p : parts) deepest = std::max(deepest, ++in_part[static_cast<std::size_t>(p)]);
  std::ranges::fill(in_part, 0);
  const double row = std::min(0.34, 0.68 / static_cast<double>(deepest));
  const std::int64_t followed = followed_warp(s);
  for (std::int64_t warp = 0; warp < count; ++warp) {
    const std::int64_t p = parts[static_cast<std::size_t>(warp)];
    const std::int64_t depth = in_part[static_cast<std::size_t>(p)]++;
    const PlaneBox to = sub(p).part(0.05, 0.32 + row * static_cast<double>(depth), 0.9, row * 0.88);
    const double each = 1.0 / static_cast<double>(count);
    const PlaneBox from = block.part(each * static_cast<double>(warp), 0, each, 1);
    const double start = 0.25 + 0.35 * static_cast<double>(warp) / static_cast<double>(count);
    const double way = eased(part(phase, start, start + 0.3));
    const PlaneBox at = world::on_way(from, to, way);
    const Tone tone = warp == followed ? Tone::followed : Tone::work;
    const bool roomy = row > 0.2;
    plane.frame(fmt::format("warp {}", warp), at, tone).shown = way > 0 ? 1 : 0;
    plane
        .text(fmt::format("warp {} name", warp), at.part(0.04, 0.03, 0.92, roomy ? 0.3 : 0.92),
              s.word("warp_name", {{"n", fmt::to_string(warp)}}), Plane::Type::body, Plane::Align::left, tone)
        .shown = part(way, 0.7, 1);
    if (!roomy) continue;
    constexpr int columns = 16;
    plane
        .cells(fmt::format("warp {} threads", warp), at.part(0.04, 0.38, 0.92, 0.52), columns,
               std::vector<Tone>(32, tone))
        .shown = part(way, 0.7, 1);
  }
  return plane.take();
}

void warps_values(const Tour& s, Narration::Values& values) {
  const std::vector<std::int64_t> parts = dealt(s);
  const std::int64_t followed = followed_warp(s);
  values.insert_or_assign("warps", with_thousands(static_cast<std::int64_t>(parts.size())));
  values.insert_or_assign("parts", with_thousands(parts_of(s)));
  const std::int64_t count = static_cast<std::int64_t>(parts.size()), least = count / parts_of(s);
  values.insert_or_assign(
      "per_part", count % parts_of(s) == 0
                      ? with_thousands(least)
                      : s.word("either", {{"least", with_thousands(least)}, {"most", with_thousands(least + 1)}}));
  values.insert_or_assign("warp", with_thousands(followed));
  const auto at = static_cast<std::size_t>(followed);
  values.insert_or_assign("part", with_thousands(at < parts.size() ? parts[at] : 0));
}

}  // namespace warpwalk::story
