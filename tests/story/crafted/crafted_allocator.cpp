// Settings and snapshots that bring about the sentences and words of the lab "allocator".
#include <initializer_list>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using Settings = std::initializer_list<std::pair<const char*, double>>;

void set(Crafted& made, Settings settings) {
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/allocator.") + control, value);
}

Crafted model(std::string name, std::string_view fragment, Settings settings) {
  Crafted made{"allocator: " + std::move(name), {}, {}, {}};
  made.trace =
      SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
  made.walk = default_walk(made.trace);
  for (const std::string_view beat : {std::string_view("cost"), std::string_view("request"), std::string_view("steps"),
                                      fragment, std::string_view("settings"), std::string_view("tasks")})
    made.sections.push_back(fmt::format("lab/allocator.{}", beat));
  set(made, settings);
  return made;
}

Crafted snapshot(std::string name, trace::ReadResult read, std::initializer_list<std::string_view> beats,
                 Settings settings = {}) {
  EXPECT_FALSE(read.error) << *read.error;
  Crafted made{"allocator: " + std::move(name), std::move(read.trace), {}, {}};
  made.walk = default_walk(made.trace);
  for (const std::string_view beat : beats) made.sections.push_back(fmt::format("lab/allocator.{}", beat));
  for (const std::string_view beat : {"fragment", "settings", "tasks"})
    made.sections.push_back(fmt::format("lab/allocator.{}", beat));
  set(made, settings);
  return made;
}

trace::ReadResult text(std::string_view entry) {
  return trace::read_trace_text(fmt::format(R"({{"traceEvents": [{{"ph": "X", "cat": "x", "name": "span", "pid": 0,
    "tid": 0, "ts": 0, "dur": 1}}], "memory_snapshot": {}}})",
                                            entry));
}

/// 40 segments on two GPUs, blocks by 20 lines, a deep stack, a block that another stream still uses.
std::string many_segments() {
  std::string segments, frames = R"(["",0,""])", stacks;
  for (int i = 0; i < 40; ++i) {
    std::string blocks = fmt::format("[1048576,1000000,0,{}],[1048576,0,2,0]", i % 22 == 21 ? 0 : 1 + i % 21);
    if (i == 3) blocks += ",[2097152,2000000,1,1]";
    const int size = i == 3 ? 4194304 : 2097152;
    segments += fmt::format("{}[{},{},{},0,{},{},[{}]]", i == 0 ? "" : ",", 0, 16777216 + i * 8388608, size, i % 2,
                            i == 5, blocks);
  }
  segments += ",[1,16777216,20971520,0,0,0,[[20971520,0,2,0]]]";
  for (int i = 1; i <= 21; ++i) {
    frames += fmt::format(R"(,["/home/a/train.py",{},"step"])", i);
    stacks += fmt::format("{}[{}", i == 1 ? "" : ",", i);
    for (int deep = 0; i == 1 && deep < 14; ++deep) stacks += ",2";
    stacks += "]";
  }
  return fmt::format(R"({{"segments": [{}], "frames": [{}], "stacks": [{}], "changes": [], "settings": []}})", segments,
                     frames, stacks);
}

}  // namespace

std::vector<Crafted> crafted_allocator() {
  std::vector<Crafted> all;
  all.push_back(model("own steps, full", "fragment.full",
                      {{"plan", 3},
                       {"edit", 4},
                       {"what_4", 0},
                       {"what_6", 6},
                       {"what_7", 1},
                       {"what_8", 1},
                       {"elements", 25000000},
                       {"batches", 8},
                       {"kept", 64},
                       {"wanted", 512}}));
  all.push_back(model("a growing batch in little memory", "fragment.served",
                      {{"plan", 1}, {"limit", 128}, {"wanted", 24}, {"setting", 1}, {"elements", 250}}));
  all.push_back(model("the plan of kept results", "fragment", {{"plan", 2}}));
  all.push_back(
      model("kept results that fill the memory", "fragment.full", {{"plan", 2}, {"kept", 64}, {"wanted", 512}}));
  all.push_back(snapshot("fragmented", read_trace_file("assets/snapshots/h200_fragmented.pickle.gz"),
                         {"held", "lines", "history", "verdict.fragmented"}));
  all.push_back(snapshot("full", read_trace_file("tests/trace/data/full.pickle.gz"),
                         {"held", "lines", "history", "verdict.full"}));
  all.push_back(snapshot("two GPUs, many segments", text(many_segments()),
                         {"held", "lines", "history.none", "verdict.none"}, {{"segment", 0}, {"block", 0}}));
  all.push_back(snapshot("a block without a stack", text(many_segments()),
                         {"held", "lines", "history.none", "verdict.none"}, {{"segment", 21}, {"block", 0}}));
  all.push_back(snapshot("a block that awaits its free", text(many_segments()),
                         {"held", "lines", "history.none", "verdict.none"}, {{"segment", 3}, {"block", 2}}));
  all.push_back(snapshot("an expandable segment", text(many_segments()),
                         {"held", "lines", "history.none", "verdict.none"}, {{"segment", 5}, {"block", 0}}));
  all.push_back(snapshot("a GPU whose memory is free", text(many_segments()),
                         {"held", "lines.none", "history.none", "verdict.none"}, {{"device", 1}}));
  all.push_back(snapshot("nothing held", text(R"({"segments": [], "frames": [], "stacks": []})"),
                         {"held", "lines.none", "history.none", "verdict.none"}));
  all.push_back(snapshot("damaged", text("5"), {"held.none", "held.none", "held.none", "held.none"}));
  return all;
}

}  // namespace warpwalk::story::testing
