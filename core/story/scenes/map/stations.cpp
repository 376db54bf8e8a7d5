#include "core/story/scenes/map/stations.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/story/facts/counted_words.h"
#include "core/story/facts/names.h"
#include "core/story/facts/resources.h"
#include "core/story/facts/rows.h"
#include "core/story/scenes/sm/values.h"

namespace warpwalk::story {
namespace {

std::int64_t product(const std::array<std::int32_t, 3>& shape) { return std::int64_t{shape[0]} * shape[1] * shape[2]; }

}  // namespace

std::vector<Station> map_stations(const SceneInput& input, double folded) {
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
    station.folded = folded;
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
  const auto label = [&](SliceId s) { return s == no_slice ? std::string() : label_of(trace, s); };
  add("boardroom", root != no_slice, {{"op", label(root)}}, "op", "");
  add("translator", walk.kernel != no_slice, {{"kernel", label(walk.kernel)}}, "kernel", "");
  const auto bytes = bytes_allocated(trace, walk);
  const std::vector<std::size_t> buffers = plain_buffers(trace, walk);
  const double allocated = static_cast<double>(bytes.value_or(0));
  add("warehouse", !buffers.empty() || allocated > 0,
      {{"bytes", bytes_text(buffers.empty() ? allocated : static_cast<double>(bytes_of(trace, buffers)))},
       {"buffers", counted_words(narration, "buffers", buffers.size())}},
      bytes ? "nothing_allocated" : "memory", buffers.empty() ? "allocated" : "buffers",
      buffers.empty() ? "value" : "value.buffers");
  add("ceo", grid, {{"grid", grid ? shape_text(kernel->grid) : ""}},
      nothing ? "kernel"
      : copy  ? "copy_grid"
              : "grid_station",
      "");
  const auto sms = sms_of(trace, walk);
  add("vp", grid && sms,
      {{"blocks", counted_words(narration, "blocks", static_cast<std::uint64_t>(grid ? product(kernel->grid) : 0))},
       {"sms",
        counted_words(narration, "sms", static_cast<std::uint64_t>(std::max<std::int64_t>(0, sms.value_or(0))))}},
      nothing ? "kernel"
      : copy  ? "copy_sm"
      : sms   ? "blocks"
              : "sms",
      "blocks");
  constexpr std::int64_t warp = 32;
  add("managers", block, {{"warps", counted(input, "warp", block ? (product(kernel->block) + warp - 1) / warp : 0)}},
      nothing ? "kernel"
      : copy  ? "copy_warps"
              : "block",
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
