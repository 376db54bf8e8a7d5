#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/crafted/crafted.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view h200_properties = R"("name": "NVIDIA H200", "numSms": 132)";
constexpr std::string_view t4 = R"("name": "NVIDIA T4", "numSms": 40)";

// One kernel on one GPU, without op or launch. `args` are those of the record beside the grid; `device` what it says of
// the GPU, nothing where it is empty.
Crafted kernel(std::string name, std::string_view args, std::vector<std::string> sections,
               std::string_view device = h200_properties, std::string_view grid = R"("grid": [1024, 1, 1])") {
  const std::string text = fmt::format(
      R"({{"schemaVersion": 1, "deviceProperties": [{}], "traceEvents": [
{{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1000, "dur": 10,
  "args": {{"device": 0, "stream": 7, "correlation": 1, {}{}{}}}}}]}})",
      device.empty() ? "" : fmt::format(R"({{"id": 0, {}}})", device), args, grid.empty() ? "" : ", ", grid);
  trace::ReadResult result = trace::read_trace_text(text);
  EXPECT_FALSE(result.error) << *result.error << "\n" << text;
  Crafted made{std::move(name), std::move(result.trace), {}, std::move(sections)};
  made.walk = default_walk(made.trace);
  return made;
}

std::string args(int threads, int registers, int shared, std::string_view more = {}) {
  return fmt::format(R"("block": [{}, 1, 1], "registers per thread": {}, "shared memory": {}{})", threads, registers,
                     shared, more);
}

}  // namespace

std::vector<Crafted> crafted_sm() {
  std::vector<Crafted> all;
  all.push_back(
      kernel("registers limit", args(128, 224, 18816, R"(, "est. achieved occupancy %": 6)"),
             {"sm.arrive", "sm.take", "sm.fill", "sm.limit.registers", "sm.grid.small", "sm.change.registers"},
             h200_properties, R"("grid": [8, 16, 1])"));
  all.push_back(
      kernel("shared memory limits, and a last warp is not full", args(127, 33, 40000),
             {"sm.arrive.partial", "sm.take.rounded", "sm.fill", "sm.limit.shared", "sm.grid", "sm.change.shared"}));
  all.push_back(kernel(
      "all warp slots", args(256, 20, 0),
      {"sm.arrive", "sm.take.rounded", "sm.fill.full", "sm.limit.full", "sm.grid.small", "sm.change.full.small"}));
  all.push_back(kernel("warp slots left over", args(96, 16, 0),
                       {"sm.arrive", "sm.take", "sm.fill", "sm.limit.warps", "sm.grid.small", "sm.change.block"}));
  all.push_back(kernel("block slots limit a block of one warp", args(32, 16, 0),
                       {"sm.arrive.single", "sm.take", "sm.fill", "sm.limit.blocks", "sm.grid.once", "sm.change.block"},
                       h200_properties, R"("grid": [4224, 1, 1])"));
  all.push_back(kernel(
      "a block of one thread, on a GPU that reserves nothing", args(1, 24, 0),
      {"sm.arrive.single.partial", "sm.take.plain", "sm.fill", "sm.limit.blocks", "sm.grid.small", "sm.change.block"},
      t4, R"("grid": [1, 1, 1])"));
  all.push_back(
      kernel("two resources run out together", args(256, 32, 0),
             {"sm.arrive", "sm.take", "sm.fill.full", "sm.limit.several", "sm.grid.small", "sm.change.full.small"}));
  all.push_back(kernel(
      "room for one block only", args(1024, 60, 40000),
      {"sm.arrive", "sm.take.rounded", "sm.fill.single", "sm.limit.registers", "sm.grid", "sm.change.registers"}));
  all.push_back(
      kernel("shared memory without anything reserved", args(64, 25, 1000),
             {"sm.arrive", "sm.take.rounded", "sm.fill.full", "sm.limit.several", "sm.grid", "sm.change.full"}, t4));
  all.push_back(kernel(
      "registers rounded up and no shared memory at all", args(64, 25, 0),
      {"sm.arrive", "sm.take.plain.rounded", "sm.fill.full", "sm.limit.several", "sm.grid", "sm.change.full"}, t4));
  all.push_back(kernel("no single change helps", args(512, 64, 100000),
                       {"sm.arrive", "sm.take", "sm.fill", "sm.limit.several", "sm.grid", "sm.change.none"}));
  all.push_back(kernel("the profiler could not estimate",
                       args(128, 224, 18816, R"(, "est. achieved occupancy %": -99)"),
                       {"sm.arrive", "sm.take", "sm.fill", "sm.limit.registers", "sm.grid", "sm.change.registers"}));
  all.push_back(kernel("no grid", args(128, 224, 18816),
                       {"sm.arrive", "sm.take", "sm.fill", "sm.limit.registers", "sm.change.registers"},
                       h200_properties, ""));
  all.push_back(kernel("a GPU like one that is described", args(1024, 32, 0),
                       {"sm.arrive", "sm.take", "sm.fill.full", "sm.limit.several", "sm.grid", "sm.change.full"},
                       R"("name": "NVIDIA H100", "numSms": 114, "computeMajor": 9, "computeMinor": 0)"));
  const auto fails = [](std::string_view why) { return std::vector<std::string>(6, fmt::format("sm.fails.{}", why)); };
  all.push_back(kernel("too many threads", args(2048, 8, 0), fails("threads")));
  all.push_back(kernel("too many registers for a thread", args(32, 300, 0), fails("registers")));
  all.push_back(kernel("too many registers for a block", args(1024, 128, 0), fails("block")));
  all.push_back(kernel("too much shared memory", args(32, 16, 300000), fails("shared")));
  all.push_back(kernel("more warps than an SM has", args(1024, 16, 0), fails("room"),
                       R"("name": "half an H100", "numSms": 4, "computeMajor": 9, "computeMinor": 0, )"
                       R"("maxThreadsPerMultiprocessor": 512)"));
  all.push_back(kernel("a GPU that nobody describes", args(128, 40, 0), std::vector<std::string>(6, "sm.unknown"),
                       R"("name": "another GPU", "numSms": 4)"));
  all.push_back(kernel("a GPU that is not recorded", args(128, 40, 0), {"sm.unknown"}, ""));
  all.push_back(kernel("a kernel of which only its grid is known", R"("priority": 0)", {"sm.unrecorded"}));
  Crafted set = kernel("the person chose other settings", args(128, 224, 18816),
                       {"sm.arrive", "sm.take", "sm.fill", "sm.limit.registers", "sm.grid", "sm.change.registers"});
  set.controls.set("sm.registers", 216);
  set.controls.set("sm.gpu", 2);  // the H200, chosen
  all.push_back(std::move(set));
  return all;
}

}  // namespace warpwalk::story::testing
