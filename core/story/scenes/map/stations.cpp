#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/analysis/memory/resources.h"
#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/records/hardware.h"
#include "core/story/facts/words/gpu_words.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/map/map.h"
#include "core/story/scenes/sm/sm.h"
#include "core/story/facts/memory/op_memory.h"

namespace warpwalk::story {
namespace {

std::int64_t product(const std::array<std::int32_t, 3>& shape) { return std::int64_t{shape[0]} * shape[1] * shape[2]; }

// Bytes that the driver had allocated on the walk's GPU when the work began; 0 if only an allocator's history, or none,
// was recorded.
std::int64_t bytes_taken(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice || trace.driver_memory.empty()) return 0;
  const OpMemory subject = op_memory_of(trace, walk);
  if (!subject.driver) return 0;
  const std::int64_t taken = analysis::memory_map(trace, subject.space, trace.slices.start[walk.kernel]).allocated;
  return taken == trace::absent ? 0 : taken;
}

}  // namespace

std::vector<Station> map_stations(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const Narration& narration = input.narration;
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  const bool copy = walk.kernel != no_slice && kernel == nullptr;
  const bool nothing = walk.kernel == no_slice;
  const bool grid = kernel != nullptr && kernel->grid[0] > 0;
  const bool block = kernel != nullptr && kernel->block[0] > 0;
  std::vector<Station> stations;
  // `known`: the trace has the value; else `missing` is the key of the text in its place. `formula` is empty for a
  // value that was recorded.
  const auto add = [&](std::string_view key, bool known, const Narration::Values& values, std::string_view missing,
                       std::string_view formula, std::string_view value = "value") {
    const std::string section = fmt::format("map.station.{}", key);
    Station station;
    station.company = narration.text(section, "company");
    station.hardware = narration.text(section, "hardware");
    station.task = narration.text(section, "task");
    if (known) {
      station.value = narration.text(section, value, values);
      station.origin = formula.empty() ? trace.records.time_origin() : Origin::derived;
      if (!formula.empty()) station.formula = narration.text("formula", formula);
    } else {
      station.missing = narration.text("missing", missing);
    }
    stations.push_back(std::move(station));
  };

  const SliceId root = walk.ops.empty() ? walk.op : walk.ops.front();
  const auto label = [&](SliceId s) { return s == no_slice ? std::string() : analysis::label_of(trace, s); };
  add("boardroom", root != no_slice, {{"op", label(root)}}, "op", "");
  add("translator", walk.kernel != no_slice, {{"kernel", label(walk.kernel)}}, "kernel", "");
  const auto bytes = analysis::bytes_allocated(trace, walk);
  const std::vector<std::size_t> buffers = analysis::plain_buffers(trace, walk);
  const std::int64_t taken = bytes || !buffers.empty() ? 0 : bytes_taken(trace, walk);
  const double shown = !buffers.empty() ? static_cast<double>(analysis::bytes_of(trace, buffers))
                       : taken > 0      ? static_cast<double>(taken)
                                        : static_cast<double>(bytes.value_or(0));
  add("warehouse", shown > 0,
      {{"bytes", bytes_text(shown)}, {"buffers", counted_words(narration, "buffers", buffers.size())}},
      bytes ? "nothing_allocated" : "memory",
      !buffers.empty() ? "buffers"
      : taken > 0      ? "taken"
                       : "allocated",
      !buffers.empty() ? "value.buffers"
      : taken > 0      ? "value.taken"
                       : "value");
  add("ceo", grid, {{"grid", grid ? analysis::shape_text(kernel->grid) : ""}},
      nothing ? "kernel"
      : copy  ? "copy_grid"
              : "grid_station",
      "");
  const auto sms = analysis::sms_of(trace, walk);
  add("vp", grid && sms,
      {{"blocks", counted_words(narration, "blocks", static_cast<std::uint64_t>(grid ? product(kernel->grid) : 0))},
       {"sms",
        counted_words(narration, "sms", static_cast<std::uint64_t>(std::max<std::int64_t>(0, sms.value_or(0))))}},
      nothing ? "kernel"
      : copy  ? "copy_sm"
      : sms   ? "blocks"
              : "sms",
      "blocks");
  const std::int64_t lanes = gpu_words(trace, walk).lanes.value_or(0);
  const bool warps = block && lanes > 0;
  add("managers", warps, {{"warps", counted(input, "warp", warps ? (product(kernel->block) + lanes - 1) / lanes : 0)}},
      nothing  ? "kernel"
      : copy   ? "copy_warps"
      : !block ? "block"
               : "warp_size.amd",
      "warps");
  const bool registers = kernel != nullptr && kernel->registers != trace::absent;
  add("workers", registers, {{"registers", registers ? std::to_string(kernel->registers) : ""}},
      nothing ? "kernel"
      : copy  ? "copy_threads"
              : "registers",
      "");
  return stations;
}

}  // namespace warpwalk::story
