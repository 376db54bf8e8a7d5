// The figures of one SM as texts for sentences, facts and formulas.
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/gpu/blocks/waves.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/gpu_words.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

// One decimal, unless it is 0.
std::string short_decimal(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text.ends_with(".0") ? with_thousands(std::llround(value)) : with_marks(text);
}

std::string occupancy_percent(double value) {
  return value > 0 && value < 0.05 ? with_marks("< 0.1 %") : short_decimal(value) + " %";
}

void add_gain_values(SmSubject& sm) {
  const SmGains& gains = sm.gains;
  Narration::Values& values = sm.values;
  const auto blocks = [&](const gpu::BlockNeeds& needs) {
    return counted(sm.input, "block", gpu::occupancy_of(*sm.device, needs).blocks_per_sm);
  };
  if (gains.registers) {
    values["better_registers"] = with_thousands(*gains.registers);
    values["fewer_registers"] = with_thousands(sm.needs.registers - *gains.registers);
    values["better_registers_blocks"] = blocks(with_registers(sm.needs, *gains.registers));
  }
  if (gains.shared) {
    values["better_shared"] = shared_bytes_text(*gains.shared);
    values["fewer_shared"] = shared_bytes_text(sm.shared() - *gains.shared);
    values["better_shared_blocks"] = blocks(with_shared(*sm.device, sm.needs, *gains.shared));
  }
  if (gains.threads) {
    values["better_threads"] = counted(sm.input, "thread", *gains.threads);
    values["better_warps"] =
        with_thousands(gpu::occupancy_of(*sm.device, with_threads(sm.needs, *gains.threads)).warps_per_sm);
  }
}

}  // namespace

std::string counted(const SceneInput& input, std::string_view thing, std::int64_t count) {
  const std::string key = count == 1 ? std::string(thing) : std::string(thing).append("s");
  return input.narration.text("sm.count", key, {{"n", with_thousands(count)}});
}

std::string resource_name(const SceneInput& input, gpu::Limiter limiter) {
  return input.narration.text("sm.resource", gpu::name_of(limiter));
}

void add_sm_values(SmSubject& sm) {
  const SceneInput& input = sm.input;
  Narration::Values& values = sm.values;
  const auto put = [&](std::string_view key, std::string text) {
    values.insert_or_assign(std::string(key), std::move(text));
  };
  const auto put_number = [&](std::string_view key, std::int64_t n) { put(key, with_thousands(n)); };
  put("recorded", sm.match.recorded);
  put("gpu", sm.gpu_name());
  put("launched_threads", counted(input, "thread", sm.launched.threads));
  put_number("launched_registers", sm.launched.registers);
  put("launched_shared", shared_bytes_text(sm.launched.static_shared));
  if (sm.kernel->grid[0] > 0) put("shape", analysis::shape_text(sm.kernel->grid));
  if (!sm.device) {
    if (const auto lanes = gpu_words(input.trace, input.walk).lanes) put_number("lanes", *lanes);
    return;
  }

  const gpu::Device& device = *sm.device;
  const gpu::Occupancy& fit = sm.fit;
  const std::int64_t lanes = *device.threads_per_warp, parts = *device.sub_partitions;
  put("threads", counted(input, "thread", sm.needs.threads));
  put("warps", counted(input, "warp", fit.warps_per_block));
  put("idle", counted(input, "lane", lanes - sm.last_warp_threads()));
  put_number("lanes", lanes);
  put_number("parts", parts);
  put_number("slots", *device.warps_per_sm);
  put_number("registers", sm.needs.registers);
  put_number("registers_sm", *device.registers_per_sm);
  put_number("exact", sm.needs.registers * lanes);
  put_number("unit", *device.register_allocation);
  put_number("per_warp", fit.registers_per_warp);
  put_number("per_block", fit.registers_per_block);
  const std::int64_t part_registers = *device.registers_per_sm / parts;
  const std::int64_t part_warps = fit.registers_per_warp > 0 ? part_registers / fit.registers_per_warp : 0;
  put_number("part_registers", part_registers);
  put("part_warps", counted(input, "warp", part_warps));
  put("reg_warps", counted(input, "warp", part_warps * parts));
  put_number("checked", fit.registers_per_warp * round_up(fit.warps_per_block, parts));
  put("shared", shared_bytes_text(sm.shared()));
  put("shared_taken", shared_bytes_text(fit.shared_per_block));
  put("shared_resident", shared_bytes_text(fit.shared_per_block * fit.blocks_per_sm));
  put("reserved", shared_bytes_text(*device.shared_reserved_per_block));
  put("shared_unit", shared_bytes_text(*device.shared_allocation));
  put("shared_sm", shared_bytes_text(*device.shared_per_sm));
  put("carveout", shared_bytes_text(fit.carveout));
  put_number("block_slots", *device.blocks_per_sm);
  if (device.barriers_per_sm) put_number("barriers", *device.barriers_per_sm);
  put_number("most_threads", *device.threads_per_block);
  put_number("most_registers", *device.registers_per_thread);
  put_number("most_block", *device.registers_per_block);
  put("most_shared", shared_bytes_text(*device.shared_per_block_optin));
  if (sm.shared() > 0)
    put("reserve",
        input.narration.text("sm.reserve", *device.shared_reserved_per_block > 0 ? "both" : "asked", values));
  else if (*device.shared_reserved_per_block > 0)
    put("reserve", input.narration.text("sm.reserve", "reserved", values));

  put("blocks", counted(input, "block", fit.blocks_per_sm));
  put_number("resident", fit.warps_per_sm);
  put("percent", occupancy_percent(fit.percent));
  std::string limiters;
  for (const gpu::Limiter limiter : fit.limiters) {
    const std::string name = input.narration.text("sm.resource", fmt::format("in.{}", gpu::name_of(limiter)));
    limiters =
        limiters.empty() ? name : input.narration.text("sm.resource", "and", {{"first", limiters}, {"second", name}});
  }
  put("limiters", limiters);

  put_number("sms", *device.sm_count);
  add_gain_values(sm);
  if (sm.grid == 0) return;
  const auto grid = static_cast<std::int64_t>(sm.grid);
  put("grid_blocks", counted(input, "block", grid));
  put("capacity", counted(input, "block", *device.sm_count * fit.blocks_per_sm));
  put_number("waves", static_cast<std::int64_t>(gpu::waves_of(sm.grid, device, fit.blocks_per_sm).waves()));
  const double mean = sm.mean_blocks();
  put("mean", with_marks(fmt::format("{:.2f}", mean)));
  put("mean_percent",
      occupancy_percent(fit.blocks_per_sm > 0 ? fit.percent * mean / static_cast<double>(fit.blocks_per_sm) : 0));
}

}  // namespace warpwalk::story
