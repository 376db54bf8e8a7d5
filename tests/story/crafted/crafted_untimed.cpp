// Walks whose work is untimed: on the simulated GPU, which counts without a clock, and from a real run without times.
#include <utility>

#include <gtest/gtest.h>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

using BufferKind = trace::InitialBuffer::Kind;

constexpr double at_zero = -1000;  // where the file's own time is 0

trace::Trace with_simulated_times(trace::Trace trace) {
  trace.records.sources = {{"times", "a GPU without a clock", trace::Origin::simulated}};
  return trace;
}

// One launch and its kernel, both without a time.
trace::Trace launch_without_times() {
  return with_simulated_times(
      SmallTrace().h200().call("cudaLaunchKernel", at_zero, 0, 1).kernel("column_sums", at_zero, 0, 1, 0).read());
}

void add_counters(trace::KernelRecord& record, std::initializer_list<std::pair<const char*, double>> counters) {
  for (const auto& [name, value] : counters) record.counters.push_back({name, value, trace::Origin::simulated});
}

void give(trace::Trace& trace, std::string name, std::string dtype, std::uint64_t bytes) {
  trace::Allocation allocation;
  allocation.name = std::move(name);
  allocation.bytes = bytes;
  trace::KernelArgument argument;
  argument.kind = trace::KernelArgument::Kind::pointer;
  argument.dtype = std::move(dtype);
  argument.allocation = trace.records.allocations.size();
  trace.records.allocations.push_back(std::move(allocation));
  trace.records.kernels[0].arguments.push_back(std::move(argument));
}

void hold(trace::Trace& trace, std::size_t allocation, BufferKind kind, double value = 0, std::uint64_t seed = 0) {
  trace::InitialBuffer buffer;
  buffer.allocation = allocation;
  buffer.kind = kind;
  buffer.value = value;
  buffer.seed = seed;
  trace.records.kernels[0].buffers.push_back(std::move(buffer));
}

// 132 blocks of 4 warps: counters as a kernel with conflicts and a last warp of 4 threads has them.
Crafted counted_with_conflicts() {
  trace::Trace trace = launch_without_times();
  trace::KernelRecord record;
  record.module = 0;
  record.registers_origin = "estimated";
  add_counters(record, {{"warp_instructions", 5280},
                        {"thread_instructions", 132000},
                        {"global_load_requests", 528},
                        {"global_store_requests", 132},
                        {"global_load_sectors", 2112},
                        {"global_store_sectors", 330},
                        {"shared_load_wavefronts", 4224},
                        {"shared_store_wavefronts", 528},
                        {"shared_bank_conflicts", 3696}});
  trace.records.kernels.push_back(std::move(record));
  trace.kernels[0].record = 0;
  trace.records.modules.push_back(
      {"sums.ptx", "", "", ".version 9.0\n.target sm_90\n.visible .entry column_sums()\n{\n  ret;\n}\n", "", {}, {}});
  trace.records.kernels[0].entry = "column_sums";
  give(trace, "filled", "f32", 4000);
  hold(trace, 0, BufferKind::fill, 1.5);
  give(trace, "counting", "i32", 400);
  hold(trace, 1, BufferKind::iota);
  give(trace, "drawn", "f16", 200);
  hold(trace, 2, BufferKind::random, 0, 7);
  give(trace, "given", "u8", 100);
  hold(trace, 3, BufferKind::bytes);
  give(trace, "large", "f64", 1 << 24);
  hold(trace, 4, BufferKind::digest);
  give(trace, "produced", "f32", 64);
  hold(trace, 5, BufferKind::produced);
  give(trace, "result", "", 512);
  return crafted_from("untimed: counted, with conflicts", std::move(trace),
                      {"boardroom.line.launch",
                       "boardroom.company",
                       "boardroom.launch.unclocked",
                       "boardroom.return.untimed",
                       "translator.order",
                       "translator.code.unclocked",
                       "translator.lines.missing",
                       "warehouse.buffers",
                       "launch.queue.unclocked",
                       "launch.cross",
                       "launch.grid",
                       "launch.place.room",
                       "launch.waves.one",
                       "launch.tail.one",
                       "map.fold",
                       "map.instructions",
                       "map.global",
                       "map.shared",
                       "map.counted",
                       "map.closing"});
}

Crafted counted_without_loss() {
  trace::Trace trace = launch_without_times();
  trace::KernelRecord record;
  add_counters(record, {{"warp_instructions", 100},
                        {"thread_instructions", 3200},
                        {"shared_load_wavefronts", 8},
                        {"shared_store_wavefronts", 8},
                        {"shared_bank_conflicts", 0}});
  trace.records.kernels.push_back(std::move(record));
  trace.kernels[0].record = 0;
  give(trace, "only", "f32", 4);
  return crafted_from(
      "untimed: counted, nothing lost", std::move(trace),
      {"boardroom.line.launch", "boardroom.company", "boardroom.launch.unclocked", "boardroom.return.untimed",
       "map.fold", "map.instructions.full", "map.shared.free", "map.counted", "map.closing"});
}

}  // namespace

std::vector<Crafted> crafted_untimed() {
  std::vector<Crafted> all;
  all.push_back(counted_with_conflicts());
  all.push_back(counted_without_loss());
  all.push_back(
      crafted_from("untimed: simulated, nothing counted", launch_without_times(),
                   {"boardroom.line.launch", "boardroom.company", "boardroom.launch.unclocked",
                    "boardroom.return.untimed", "map.fold", "map.untimed", "map.simulated.unasked", "map.closing"}));
  all.push_back(
      crafted_from("untimed: simulated, with modelled CPU times",
                   with_simulated_times(SmallTrace()
                                            .h200()
                                            .op("aten::relu", 0, 100)
                                            .call("cudaLaunchKernel", 10, 5, 1)
                                            .kernel("k", at_zero, 0, 1)
                                            .read()),
                   {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch.unclocked",
                    "boardroom.return.unclocked", "map.fold", "map.untimed", "map.simulated.unasked", "map.closing"}));
  SmallTrace lost;
  lost.h200().frame("model.py(3): forward", -5, 300).op("aten::relu", 0, 100);
  for (int depth = 1; depth < 7; ++depth) lost.op("aten::deeper_" + std::to_string(depth), depth, 90 - depth);
  lost.call("cudaLaunchKernel", 10, 5, 1).kernel("k", at_zero, 0, 1);
  all.push_back(crafted_from("untimed: a real run that lost the kernel's time", lost.read(),
                             {"boardroom.line", "boardroom.company", "boardroom.call.quiet", "boardroom.descend.quiet",
                              "boardroom.launch.unrecorded", "boardroom.return.untimed", "map.fold", "map.untimed",
                              "map.simulated.unasked", "map.closing"}));
  all.push_back(crafted_from("untimed: a kernel without a launch",
                             SmallTrace().h200().kernel("k", at_zero, 0, 0).read(),
                             {"boardroom.unlaunched", "map.unlaunched", "map.closing"}));
  return all;
}

}  // namespace warpwalk::story::testing
