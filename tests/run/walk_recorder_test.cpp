// Checks a walk's trace row by row.
#include "core/run/expression/walk_recorder.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock-matchers.h>

#include "core/run/expression/host_model.h"
#include "core/trace/link.h"
#include "tests/run/walk_runs.h"

namespace warpwalk::testing {
namespace {

using ops::DType;
using run::Target;
using trace::SliceId;
using trace::SliceKind;
using trace::Trace;

std::vector<SliceId> named(const Trace& trace, std::string_view name) {
  std::vector<SliceId> found;
  for (SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.name(s) == name) found.push_back(s);
  return found;
}

SliceId only(const Trace& trace, std::string_view name) {
  const std::vector<SliceId> found = named(trace, name);
  EXPECT_EQ(found.size(), 1u) << name;
  return found.empty() ? trace::no_slice : found.front();
}

const trace::OpDetail& detail(const Trace& trace, SliceId op) { return trace.ops[trace.slices.detail[op]]; }

class Recorded : public ::testing::Test {
 protected:
  static const run::RunResult& product() {
    static const run::RunResult done =
        result_of(request("relu(a @ b)", {variable("a", {40, 24}), variable("b", {24, 33})}));
    return done;
  }
  const Trace& trace_ = product().trace;
};

TEST_F(Recorded, OpsNestUnderTheExpression) {
  const SliceId annotation = only(trace_, "relu(a @ b)");
  EXPECT_EQ(trace_.slices.kind[annotation], SliceKind::annotation);
  const SliceId line = only(trace_, "<expression>(1): relu(a @ b)");
  EXPECT_EQ(trace_.slices.kind[line], SliceKind::python);
  EXPECT_EQ(trace_.slices.parent[line], annotation);
  const SliceId matmul = only(trace_, "aten::matmul"), mm = only(trace_, "aten::mm"), relu = only(trace_, "aten::relu");
  EXPECT_EQ(trace_.slices.parent[matmul], line);
  EXPECT_EQ(trace_.slices.parent[mm], matmul);
  EXPECT_EQ(trace_.slices.parent[relu], line);
  EXPECT_LE(trace_.slices.end(matmul), trace_.slices.start[relu]);
  EXPECT_EQ(named(trace_, "aten::empty").size(), 4u) << "two inputs, two results";
}

TEST_F(Recorded, InputsAreWrittenAsPyTorchWritesThem) {
  const trace::OpDetail& mm = detail(trace_, only(trace_, "aten::mm"));
  EXPECT_EQ(trace_.text(mm.input_dims), "[[40, 24], [24, 33]]");
  EXPECT_EQ(trace_.text(mm.input_strides), "[[24, 1], [33, 1]]");
  EXPECT_EQ(trace_.text(mm.input_types), R"(["float", "float"])");
  EXPECT_EQ(trace_.text(mm.concrete_inputs), R"(["", ""])");
  const trace::OpDetail& empty = detail(trace_, named(trace_, "aten::empty").front());
  EXPECT_EQ(trace_.text(empty.input_dims), "[[], [], []]");
  EXPECT_EQ(trace_.text(empty.input_types), R"(["ScalarList", "Scalar", "Scalar"])");
  EXPECT_EQ(trace_.text(empty.concrete_inputs), R"(["[40, 24]", "6", "1"])");
}

TEST(InputsOf, EveryKindOfArgument) {
  const run::OpInputs inputs =
      run::inputs_of(std::vector<ops::Argument>{ops::None{}, std::int64_t{-3}, 0.5, true, ops::Sizes{}, DType::bf16});
  EXPECT_EQ(inputs.types, R"(["", "Scalar", "Scalar", "Scalar", "ScalarList", "Scalar"])");
  EXPECT_EQ(inputs.concrete, R"(["", "-3", "0.5", "True", "[]", "15"])");
  EXPECT_EQ(inputs.dims, "[[], [], [], [], [], []]");
  EXPECT_EQ(run::inputs_of({}).dims, "[]");
  EXPECT_EQ(ops::without_overload("aten::sum.dim_IntList"), "aten::sum");
  EXPECT_EQ(ops::without_overload("aten::relu"), "aten::relu");
}

TEST_F(Recorded, EachKernelHasItsLaunchItsOpAndItsRecord) {
  ASSERT_EQ(trace_.kernel_order.size(), 2u);
  const std::vector<std::string> ops = {"aten::mm", "aten::relu"};
  for (std::size_t i = 0; i < 2; ++i) {
    const SliceId kernel = trace_.kernel_order[i];
    EXPECT_EQ(trace_.name(trace::op_of(trace_, kernel)), ops[i]);
    EXPECT_EQ(trace_.name(trace::launch_of(trace_, kernel)), "cudaLaunchKernel");
    const trace::KernelDetail& row = trace_.kernels[trace_.slices.detail[kernel]];
    EXPECT_EQ(row.stream, 7);
    EXPECT_EQ(row.external_id, detail(trace_, trace::op_of(trace_, kernel)).external_id);
    ASSERT_EQ(row.record, static_cast<std::int64_t>(i));
    const trace::KernelRecord& record = trace_.records.kernels[i];
    EXPECT_EQ(record.entry, product().launches[i].kernel);
    EXPECT_GT(record.registers, 0u);
    EXPECT_EQ(record.device_hash.size(), 16u);
    EXPECT_FALSE(record.counters.empty());
    ASSERT_LT(record.module, trace_.records.modules.size());
    EXPECT_THAT(trace_.records.modules[record.module].ptx, ::testing::HasSubstr(record.entry));
    EXPECT_THAT(trace_.records.modules[record.module].source, ::testing::HasSubstr("__global__"));
  }
}

// The data a replay needs: seeds for inputs, "produced" for results of earlier kernels, and nothing for buffers never
// written.
TEST_F(Recorded, ContentsSayWhereTheyComeFrom) {
  const auto& allocations = trace_.records.allocations;
  ASSERT_EQ(allocations.size(), 4u);
  EXPECT_EQ(allocations[0].name, "a");
  EXPECT_EQ(allocations[1].name, "b");
  EXPECT_EQ(allocations[2].name, "result of matmul");
  EXPECT_EQ(allocations[3].name, "result");
  EXPECT_EQ(allocations[0].bytes, 40u * 24 * 4);
  EXPECT_EQ(allocations[0].rounded_bytes, 40u * 24 * 4 / 512 * 512 + 512);
  EXPECT_EQ(allocations[0].segment_bytes, 2u << 20);
  EXPECT_GE(allocations[2].freed_ns, allocations[2].allocated_ns);
  EXPECT_EQ(allocations[3].freed_ns, -1);

  using Kind = trace::InitialBuffer::Kind;
  const trace::KernelRecord& mm = trace_.records.kernels[0];
  ASSERT_EQ(mm.buffers.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(mm.buffers[i].kind, Kind::random);
    EXPECT_EQ(mm.buffers[i].seed, i + 1);
    EXPECT_EQ(mm.buffers[i].allocation, i);
  }
  EXPECT_EQ(mm.buffers[0].count, 40u * 24);
  EXPECT_EQ(mm.digests.size(), 3u);
  const trace::KernelRecord& relu = trace_.records.kernels[1];
  ASSERT_EQ(relu.buffers.size(), 1u);
  EXPECT_EQ(relu.buffers[0].kind, Kind::produced);
  EXPECT_EQ(relu.buffers[0].allocation, 2u);
  ASSERT_EQ(relu.digests.size(), 2u);
  const auto of = [](const trace::KernelRecord& record, std::size_t allocation) {
    return std::ranges::find(record.digests, allocation, &trace::BufferDigest::allocation)->sha256;
  };
  EXPECT_EQ(of(mm, 2), of(relu, 2)) << "relu reads what mm left";
}

TEST_F(Recorded, MemoryEventsCarryTheTotals) {
  ASSERT_EQ(trace_.memory.size(), 5u);
  std::int64_t allocated = 0;
  for (const trace::MemoryEvent& event : trace_.memory) {
    allocated += event.bytes;
    EXPECT_EQ(event.allocated, allocated);
    EXPECT_EQ(event.reserved, 2 << 20);
    EXPECT_EQ(event.device_type, 1);
  }
  const SliceId malloc_call = only(trace_, "cudaMalloc");
  EXPECT_EQ(trace_.name(trace_.slices.parent[malloc_call]), "aten::empty");
}

TEST_F(Recorded, EveryOpHasItsWayThroughTheDispatcher) {
  for (const SliceId op : trace_.op_order) {
    const std::int64_t row = detail(trace_, op).dispatch;
    ASSERT_GE(row, 0) << trace_.name(op);
    const trace::DispatchRecord& record = trace_.records.dispatches[static_cast<std::size_t>(row)];
    EXPECT_EQ(ops::without_overload(record.op), trace_.name(op));
    const std::string& end = record.steps.back().effect;
    EXPECT_TRUE(end == "kernel" || end == "composite") << record.op << " ends with " << end;
  }
}

// A kernel begins when its launch call has returned and the stream is free, and takes its cycles at 1.98 GHz.
TEST_F(Recorded, KernelTimesAreSimulatedCycles) {
  std::int64_t free = 0;
  for (std::size_t i = 0; i < trace_.kernel_order.size(); ++i) {
    const SliceId kernel = trace_.kernel_order[i];
    const trace::KernelRecord& record = trace_.records.kernels[i];
    EXPECT_GT(record.cycles, 0);
    EXPECT_EQ(record.cycles_origin, trace::Origin::simulated);
    EXPECT_EQ(static_cast<double>(record.cycles), std::round(*product().launches[i].cycles));
    EXPECT_NEAR(static_cast<double>(trace_.slices.duration[kernel]), static_cast<double>(record.cycles) / 1.98, 1);
    EXPECT_EQ(trace_.slices.start[kernel], std::max(free, trace_.slices.end(trace::launch_of(trace_, kernel))));
    free = trace_.slices.end(kernel) + run::WalkClock::separation;
    EXPECT_EQ(record.placement.size(), record.grid[0] * record.grid[1]);
    for (const char* const name : {"l2_hit_pct", "achieved_occupancy_pct", "cycles_active", "stall_selected"})
      EXPECT_TRUE(std::ranges::any_of(record.counters, [&](const auto& c) { return c.name == name && c.value > 0; }))
          << name;
  }
}

TEST(RecordedWithoutCycles, KernelsHaveNoTime) {
  auto wanted = request("relu(relu(a))", {variable("a", {40, 24})});
  wanted.cycles.choice = run::CyclesChoice::off;
  const auto done = result_of(wanted);
  ASSERT_EQ(done.trace.kernel_order.size(), 2u);
  for (const SliceId kernel : done.trace.kernel_order) {
    EXPECT_EQ(done.trace.slices.start[kernel], 0);
    EXPECT_EQ(done.trace.slices.duration[kernel], 0);
  }
  EXPECT_EQ(done.trace.records.kernels[0].cycles, -1);
  EXPECT_EQ(done.trace.records.sources[0].what, "times");
  EXPECT_TRUE(done.trace.records.sources[0].by.ends_with("; 2 of 2 kernels have no simulated time"))
      << done.trace.records.sources[0].by;
}

TEST(RecordedWithoutCycles, AKernelBehindOneWithoutATimeHasNoneEither) {
  auto wanted = request("relu(a @ b)", {variable("a", {40, 64}), variable("b", {64, 33})});
  wanted.cycles.max_warp_instructions = 5000;  // relu takes fewer, the product more
  const auto done = result_of(wanted);
  ASSERT_EQ(done.launches.size(), 2u);
  EXPECT_FALSE(done.launches[0].cycles);
  EXPECT_NE(done.launches[0].cycles_note, "");
  EXPECT_TRUE(done.launches[1].cycles);
  EXPECT_GT(done.trace.records.kernels[1].cycles, 0);
  for (const SliceId kernel : done.trace.kernel_order) EXPECT_EQ(done.trace.slices.duration[kernel], 0);
}

// An op, its dispatch steps and its launch take the times in the device description; nothing else takes time.
TEST_F(Recorded, TimesAreTheDescriptions) {
  const auto wanted = request("relu(a @ b)", {});
  const auto model = *run::host_model(wanted.device);
  for (const SliceId launch : named(trace_, "cudaLaunchKernel"))
    EXPECT_EQ(trace_.slices.duration[launch], model.launch_call);
  // The last call waits for the last kernel.
  const SliceId wait = only(trace_, "cudaDeviceSynchronize"), last = trace_.kernel_order.back();
  EXPECT_EQ(trace_.slices.end(wait), trace_.slices.end(last) + run::WalkClock::separation + model.synchronize);
  const SliceId relu = only(trace_, "aten::relu"), empty = named(trace_, "aten::empty").back();
  EXPECT_EQ(trace_.slices.parent[empty], relu);
  const auto steps = [&](SliceId op) {
    return static_cast<std::int64_t>(
        trace_.records.dispatches[static_cast<std::size_t>(detail(trace_, op).dispatch)].steps.size());
  };
  EXPECT_EQ(trace_.slices.duration[empty], model.op + steps(empty) * model.dispatch_step + model.allocation);
  EXPECT_EQ(trace_.slices.duration[relu], model.op + steps(relu) * model.dispatch_step + model.kernel_setup +
                                              model.launch_call + trace_.slices.duration[empty] +
                                              2 * run::WalkClock::separation);  // behind the allocation and the launch
  EXPECT_EQ(trace_.records.time_origin(), trace::Origin::simulated);
}

TEST(RecordedCpu, TimesAreTheClocks) {
  const auto done = result_of(request("relu(a @ b)", {variable("a", {5, 4}), variable("b", {4, 3})}, Target::cpu));
  EXPECT_EQ(done.trace.records.time_origin(), trace::Origin::measured);
  EXPECT_TRUE(done.trace.kernel_order.empty());
  EXPECT_TRUE(done.trace.devices.empty());
  for (const SliceId op : done.trace.op_order) EXPECT_GT(done.trace.slices.duration[op], 0);
  for (const trace::MemoryEvent& event : done.trace.memory) EXPECT_EQ(event.device_type, 0);
  EXPECT_EQ(done.trace.records.allocations.front().device, -1);
}

TEST(RecordedBackward, NodesAreRegionsWithArrowsFromTheirForwardOps) {
  auto wanted = request("relu(a @ b)", {variable("a", {5, 4}), variable("b", {4, 3})});
  wanted.gradients = true;
  const auto done = result_of(wanted);
  const Trace& trace = done.trace;
  const SliceId node = only(trace, "MmBackward0"), mm = named(trace, "aten::mm").front();
  EXPECT_EQ(trace.name(trace.slices.parent[node]), "autograd::engine::evaluate_function: MmBackward0");
  EXPECT_EQ(detail(trace, node).sequence, detail(trace, mm).sequence);
  bool found = false;
  for (const trace::Flow& flow : trace.flows)
    found = found || (flow.from_time == trace.slices.start[mm] && flow.to_time == trace.slices.start[node]);
  EXPECT_TRUE(found) << "no arrow from aten::mm to MmBackward0";
  EXPECT_TRUE(
      std::ranges::any_of(trace.records.allocations, [](const auto& row) { return row.name == "gradient of a"; }));
}

}  // namespace
}  // namespace warpwalk::testing
