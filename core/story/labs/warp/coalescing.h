#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/gpu/timing/coalescer.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/warp/lane_pattern.h"

namespace warpwalk::story {

constexpr std::string_view coalescing_name = "lab/coalescing";
constexpr std::string_view order_keys[lane_orders] = {"in_order", "reversed",  "swapped",
                                                      "shuffled", "scattered", "broadcast"};
constexpr std::string_view data_layout_keys[data_layouts] = {"array", "structures", "fields"};
constexpr int access_widths[] = {1, 2, 4, 8, 16};
constexpr std::int64_t max_stride = 40, max_offset = 32, max_fields = 8;
constexpr std::int64_t sector_bytes = 32, line_bytes = 128;

/// An access folded into lines and sectors, by the coalescer of the simulated GPU.
struct Folded {
  LanePattern pattern;
  gpu::CoalescedAccess access;

  explicit Folded(const GlobalAccess& made);
  std::int64_t sectors() const { return access.sectors(); }
  std::int64_t moved() const { return sectors() * sector_bytes; }
  std::int64_t used() const { return distinct_bytes(pattern); }
  double efficiency() const { return 100.0 * static_cast<double>(used()) / static_cast<double>(moved()); }
};

/// The settings that a beat starts with.
struct CoalescingStart {
  std::int64_t stride = 1, offset = 0;
  LaneOrder order = LaneOrder::in_order;
  DataLayout layout = DataLayout::array;
  bool has_layout = false;  ///< it has the control of the layout; the others are about an array
};

struct Coalescing {
  const SceneInput& input;
  ControlSet controls{input, coalescing_name};
  GlobalAccess access;
  std::size_t lane = 0;  ///< the chosen one
  Folded folded{GlobalAccess{}};

  Coalescing(const SceneInput& in, const CoalescingStart& start);
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  std::string count(std::string_view thing, std::int64_t n) const { return count_text(input.narration, thing, n); }
};

/// The kernel, with the way from the chosen lane's number to its sector.
Panel access_code_panel(const Coalescing& c);
/// The lanes, with an arrow from each to the sectors of the lines that it touches.
Panel sectors_panel(const Coalescing& c);
/// The address of each lane, in bytes from the start of the first line that is touched.
Panel addresses_panel(const Coalescing& c);
/// Sectors against the stride or the offset.
Panel sectors_chart(const Coalescing& c, bool of_stride);

/// The rows of a table.
enum class AccessTable : std::uint8_t { widths, orders, layouts };
/// Widths, orders or layouts, each with what it costs.
Panel access_table(const Coalescing& c, AccessTable kind);

}  // namespace warpwalk::story
