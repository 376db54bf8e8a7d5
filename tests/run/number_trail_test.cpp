// Tests the trail of a number of a recorded kernel's result, in the walks that warpwalk ships.
#include "core/run/replay/number_trail.h"

#include <set>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"
#include "core/trace/read/read_trace.h"
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
  for (const Product& p : {Product{"h200_relu_matmul_inside", 520, 328, 32, 4, 100, 77},
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
    EXPECT_EQ(trail.cycles.size(), trail.origin.steps.size());
    for (const std::int64_t cycle : trail.cycles) EXPECT_GE(cycle, 0);
  }
}

/// Why the trail of the only element of a result is not found, after a launch of this PTX. %x is the address of the
/// first of two buffers of its size, and %s a surface of the second one.
std::string why_not_found(const std::string& body) {
  auto parsed = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 s)\n{\n"
      ".reg .b64 %x, %s;\n.reg .b32 %r<2>;\nld.param.u64 %x, [x];\nld.param.u64 %s, [s];\nmov.u32 %r0, 0;\n"
      "mov.u32 %r1, 7;\n" +
      body + "ret;\n}\n");
  const auto history = std::make_shared<History>();
  history->program = *gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  history->recorded = true;  // the program is taken from the history
  history->before.buffers = {{"x", std::vector<std::uint8_t>(4)}, {"y", std::vector<std::uint8_t>(4)}};
  history->before.textures.push_back({"s", {}, 1, true});
  history->before.arguments.resize(2);
  history->before.arguments[0].buffer = 0;
  history->before.arguments[1].texture = 0;
  const HistoryOptions options = testing::h200_options();
  auto travel = TimeTravel::make({}, 0, history, options);
  if (!travel) return travel.error();
  const auto found = find_number_trail({}, **travel, *history, {1, 1, 0, 0, 4}, options);
  return found ? "it is found" : found.error();
}

TEST(NumberTrail, SaysWhyItIsNotFound) {
  EXPECT_EQ(why_not_found("st.global.u32 [%x], %r1;\n"), "it is found");
  EXPECT_EQ(why_not_found(""), "The kernel writes no buffer of 1 x 1 numbers of 4 bytes");
  // The result is the last buffer that is written, even if its store is not found.
  EXPECT_EQ(why_not_found("st.global.u32 [%x], %r1;\nsust.b.1d.b32.trap [%s, {%r0}], {%r1};\n"),
            "Some bytes were written by an instruction that is not followed, such as a store to a surface");
}

}  // namespace
}  // namespace warpwalk::run
