// Where a number of a recorded kernel's result comes from, in the walks that warpwalk ships.
#include "core/run/replay/number_trail.h"

#include <set>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/trace/chrome/reader.h"
#include "tests/run/history_trace.h"

namespace warpwalk::run {
namespace {

using testing::assets_folder;

struct Product {
  const char* walk;
  std::int64_t m, n, k;
  std::uint32_t bytes;
  std::int64_t row, column;
};

/// The elements of each buffer that the trail reads.
std::set<std::pair<std::size_t, std::uint64_t>> elements_of(const NumberTrail& trail, std::uint32_t bytes) {
  std::set<std::pair<std::size_t, std::uint64_t>> elements;
  for (const BufferPlace& input : trail.inputs)
    for (std::uint64_t i = 0; i < input.bytes && input.buffer != NumberTrail::no_buffer; ++i)
      elements.emplace(input.buffer, (input.offset + i) / bytes);
  return elements;
}

/// The first kernel that was recorded with its memory.
trace::SliceId first_recorded_inside(const trace::Trace& trace) {
  for (const trace::SliceId kernel : trace.kernel_order) {
    const std::int32_t record = trace.kernels[trace.slices.detail[kernel]].record;
    if (record >= 0 && trace.records.kernels[static_cast<std::size_t>(record)].state) return kernel;
  }
  return trace::no_slice;
}

TEST(NumberTrail, OfARecordedProductIsARowAndAColumn) {
  for (const Product& p : {Product{"h100_relu_matmul_inside", 520, 328, 32, 4, 100, 77},
                           Product{"h200_triton_relu_matmul", 128, 128, 128, 4, 100, 31}}) {
    SCOPED_TRACE(p.walk);
    trace::ReadResult read = trace::read_trace(assets_folder() / "walks" / (std::string(p.walk) + ".json.gz"));
    ASSERT_FALSE(read.error) << *read.error;
    HistoryOptions options;
    options.device = *gpu::load_device(assets_folder() / "devices/h200.json");
    const trace::SliceId kernel = first_recorded_inside(read.trace);
    const auto built = build_history(read.trace, kernel, options);
    ASSERT_EQ(built.index(), 0u) << std::get<1>(built).reason;
    const auto history = std::get<0>(built);
    auto travel = TimeTravel::make(read.trace, kernel, history, options);
    ASSERT_TRUE(travel) << travel.error();
    const auto found = find_number_trail(read.trace, **travel, *history, {p.m, p.n, p.row, p.column, p.bytes}, options);
    ASSERT_TRUE(found) << found.error();
    const NumberTrail& trail = **found;
    EXPECT_EQ(trail.origin.incomplete, "");
    std::set<std::pair<std::size_t, std::uint64_t>> expected;
    for (std::int64_t i = 0; i < p.k; ++i) {
      expected.emplace(0, p.row * p.k + i);
      expected.emplace(1, i * p.n + p.column);
    }
    EXPECT_EQ(elements_of(trail, p.bytes), expected);
    for (const std::int64_t cycle : trail.cycles) EXPECT_GE(cycle, 0);
  }
}

}  // namespace
}  // namespace warpwalk::run
