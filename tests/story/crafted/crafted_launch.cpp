#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device.h"
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// A kernel of 132 blocks of 100 threads on an H200: 12 blocks per SM, 1,584 slots.
SmallTrace one_launch() {
  SmallTrace small;
  small.h200().op("aten::relu", 0, 100).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 100, 1);
  return small;
}

// A GPU without its own description, with the H200's compute capability.
trace::Trace on_other_gpu(trace::Trace trace, std::int64_t sms) {
  trace::Device device;
  device.id = 0;
  device.name = trace.strings.intern("GPU of another name");
  device.compute_major = 9;
  device.compute_minor = 0;
  device.sms = sms;
  trace.devices = {device};
  return trace;
}

trace::Trace with_grid(trace::Trace trace, std::array<std::int32_t, 3> grid) {
  trace.kernels[0].grid = grid;
  return trace;
}

// Under an op of these inputs, whose kernel of `grid` blocks takes `us`.
trace::Trace with_op(std::string_view name, std::string_view inputs, double us, std::array<std::int32_t, 3> grid) {
  return with_grid(
      SmallTrace().h200().op(name, 0, 100, inputs).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, us, 1).read(),
      grid);
}

// `blocks` rows: every SM in turn, and a new round each 1,000 ticks.
trace::Trace with_placement(trace::Trace trace, trace::Origin origin) {
  trace::KernelRecord record;
  for (std::uint32_t block = 0; block < 132; ++block)
    record.placement.push_back({block % 66, block / 66 * 1000, block / 66 * 1000 + 900});
  record.placement_origin = origin;
  trace.records.kernels.push_back(std::move(record));
  trace.kernels[0].record = 0;
  return trace;
}

// The sections of a launch that nothing is special about before its grid.
Sections after_cross(Sections last) {
  Sections all = {"launch.queue", "launch.cross"};
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

void add_queues(std::vector<Crafted>& all) {
  SmallTrace busy;
  busy.h200().call("cudaLaunchKernel", 0, 2, 1).kernel("first", 4, 50, 1);
  busy.op("aten::add", 5, 20).call("cudaLaunchKernel", 10, 5, 2).bare_kernel("k", 55, 100, 2);
  all.push_back(crafted_from("launch: behind one piece", busy.read(),
                             {"launch.queue.behind", "launch.cross", "launch.gridless"}));
  SmallTrace busier;
  busier.h200();
  for (int i = 0; i < 5; ++i) busier.call("cudaLaunchKernel", i, 0.5, i + 1).kernel("before", 10 + 20 * i, 19, i + 1);
  busier.op("aten::add", 6, 20).call("cudaLaunchKernel", 7, 2, 9).bare_kernel("k", 111, 200, 9);
  all.push_back(crafted_from("launch: behind five pieces", busier.read(),
                             {"launch.queue.many", "launch.cross", "launch.gridless"}));
  all.push_back(crafted_from(
      "launch: the GPU is early",
      SmallTrace().h200().op("aten::add", 0, 50).call("cudaLaunchKernel", 10, 30, 1).bare_kernel("k", 20, 9, 1).read(),
      {"launch.queue.early", "launch.cross", "launch.gridless"}));
  all.push_back(crafted_from(
      "launch: a wait without a reason",
      SmallTrace().h200().op("aten::add", 0, 50).call("cudaLaunchKernel", 10, 5, 1).bare_kernel("k", 80, 9, 1).read(),
      {"launch.queue.unexplained", "launch.cross", "launch.gridless"}));
  all.push_back(crafted_from(
      "launch: clocks that differ",
      SmallTrace().h200().op("aten::add", 0, 50).call("cudaLaunchKernel", 10, 5, 1).bare_kernel("k", 9, 9, 1).read(),
      {"launch.queue.skew", "launch.cross", "launch.gridless"}));
  all.push_back(crafted_from("launch: no launch on record", SmallTrace().h200().bare_kernel("k", 9, 9).read(),
                             {"launch.queue.unlaunched", "launch.gridless"}));
  all.push_back(crafted_from(
      "launch: a copy",
      SmallTrace().op("aten::copy_", 0, 50).call("cudaMemcpyAsync", 10, 5, 1).copy("Memcpy HtoD", 20, 100, 1).read(),
      {"launch.queue", "launch.cross", "launch.engine"}));
  all.push_back(crafted_from(
      "launch: a fill", SmallTrace().op("aten::zero_", 0, 50).call("cudaMemsetAsync", 10, 5, 1).fill(20, 9, 1).read(),
      {"launch.queue", "launch.cross", "launch.engine.fill"}));
  all.push_back(
      crafted_from("launch: nothing ordered", SmallTrace().op("aten::view", 0, 50).read(), {"launch.nothing"}));
  all.push_back(
      crafted_from("launch: nothing at all", SmallTrace().frame("a.py(1): f", 0, 10).read(), {"launch.empty"}));
}

void add_unknowns(std::vector<Crafted>& all) {
  const Sections unknown =
      after_cross({"launch.grid.unknown", "launch.place.unknown", "launch.waves.unknown", "launch.tail.unknown"});
  const SmallTrace bare =
      SmallTrace().op("aten::relu", 0, 100).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 9, 1);
  all.push_back(crafted_from("launch: a GPU that is not described", bare.read(), unknown));
  trace::Trace ignored = one_launch().read();
  ignored.kernels[0].registers = trace::absent;
  all.push_back(crafted_from("launch: registers not recorded", std::move(ignored), unknown));
  all.push_back(crafted_from("launch: a GPU too large to be one", on_other_gpu(one_launch().read(), 60000), unknown));
  trace::Trace greedy = one_launch().read();
  greedy.kernels[0].registers = 255;
  greedy.kernels[0].block = {1024, 1, 1};
  all.push_back(crafted_from("launch: a kernel that cannot run", std::move(greedy),
                             after_cross({"launch.failure", "launch.failure", "launch.failure", "launch.failure"})));
  all.push_back(crafted_from(
      "launch: a placement on a GPU that is not described", with_placement(bare.read(), trace::Origin::measured),
      after_cross({"launch.grid.unknown", "launch.place.recorded", "launch.waves.unknown", "launch.tail.unknown"})));
}

void add_grids(std::vector<Crafted>& all) {
  const auto add = [&](std::string name, trace::Trace trace, Sections last, Controls controls = {}) {
    all.push_back(crafted_from(std::move(name), std::move(trace), after_cross(std::move(last)), std::move(controls)));
  };
  const Sections one_wave = {"launch.grid", "launch.place.room", "launch.waves.one", "launch.tail.one"};
  add("launch: room for all", one_launch().read(), one_wave);
  trace::Trace square = with_grid(one_launch().read(), {131, 1, 1});
  square.kernels[0].block = {10, 10, 1};
  add("launch: an SM without a block", std::move(square),
      {"launch.grid", "launch.place.idle", "launch.waves.one", "launch.tail.one"});
  add("launch: one block", with_grid(one_launch().read(), {1, 1, 1}),
      {"launch.grid", "launch.place.idle", "launch.waves.one", "launch.tail.one"});
  add("launch: one full wave", with_grid(one_launch().read(), {1584, 1, 1}),
      {"launch.grid", "launch.place.exact", "launch.waves.full", "launch.tail.full"});
  add("launch: two full waves", with_grid(one_launch().read(), {1584, 2, 1}),
      {"launch.grid", "launch.place", "launch.waves.exact", "launch.tail.exact"});
  add("launch: many waves and a tail", with_grid(one_launch().read(), {1000, 10, 1}),
      {"launch.grid", "launch.place", "launch.waves", "launch.tail"});
  add("launch: four waves, one of them not drawn", with_grid(one_launch().read(), {4900, 1, 1}),
      {"launch.grid", "launch.place", "launch.waves", "launch.tail"});
  for (const std::size_t rows : {100u, 60u}) {  // in the second round, and in the first
    trace::Trace partly = with_placement(one_launch().read(), trace::Origin::measured);
    partly.records.kernels[0].placement.resize(rows);
    const std::string how = rows > 66 ? "recorded" : "one";
    add(fmt::format("launch: a placement that ends after {} blocks", rows), std::move(partly),
        {"launch.grid", "launch.place.recorded", "launch.waves." + how, "launch.tail." + how});
  }
  // 1024^3 multiply-adds in 33 us are 97 % of the H200's FP32 peak; 8.4 MB in 1.8 us 97 % of its memory bandwidth. One
  // block more than SMs: two of them share an SM, and the others have it half empty.
  const Sections two_on_one = {"launch.grid", "launch.place.room", "launch.waves.one", "launch.tail.one"};
  add("launch: a product at the FP32 peak",
      with_op("aten::mm", R"("Input Dims": [[1024, 1024], [1024, 1024]], "Input type": ["float", "float"],
          "Input Strides": [[1024, 1], [1024, 1]])",
              33, {133, 1, 1}),
      two_on_one);
  add("launch: an op at the memory bandwidth",
      with_op("aten::relu", R"("Input Dims": [[1024, 1024]], "Input type": ["float"],
          "Input Strides": [[1024, 1]])",
              1.8, {133, 1, 1}),
      two_on_one);
  add("launch: waves too large for two to be drawn", with_grid(on_other_gpu(one_launch().read(), 600), {1000, 10, 1}),
      {"launch.grid", "launch.place", "launch.waves", "launch.tail"});
  trace::Trace instant = one_launch().read();
  const SliceId kernel = slice_named(instant, "k");
  instant.slices.duration[kernel] = 0;
  add("launch: a kernel without a duration", std::move(instant), one_wave);
  trace::Trace timed = one_launch().read();
  timed.kernels[0].queued = timed.slices.start[slice_named(timed, "k")] - 9000;
  timed.kernels[0].submitted = timed.kernels[0].queued + 5000;
  add("launch: a recorder that knows the driver's queue", std::move(timed), one_wave);
  add("launch: a recorded placement", with_placement(one_launch().read(), trace::Origin::measured),
      {"launch.grid", "launch.place.recorded", "launch.waves.recorded", "launch.tail.recorded"});
  add("launch: a simulated run's placement", with_placement(one_launch().read(), trace::Origin::simulated),
      {"launch.grid", "launch.place.replayed", "launch.waves.recorded", "launch.tail.recorded"});
  Controls other;
  other.set("launch.grid", 301);
  other.set("launch.block", 256);
  other.set("launch.gpu", 1);
  add("launch: another grid on another GPU", one_launch().read(),
      {"launch.grid", "launch.place", "launch.waves", "launch.tail.shared"}, other);
  Controls least;
  least.set("launch.grid", 1);
  add("launch: set to one block", one_launch().read(),
      {"launch.grid", "launch.place.idle", "launch.waves.one", "launch.tail.one"}, least);
}

}  // namespace

std::vector<Crafted> crafted_launch() {
  std::vector<Crafted> all;
  add_queues(all);
  add_unknowns(all);
  add_grids(all);
  return all;
}

}  // namespace warpwalk::story::testing
