// Launches with code and counters, for the Kernel lab.
#include <utility>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr const char* empty_kernel_source = "__global__ void k(float* y, int n) {\n  y[threadIdx.x] = n;\n}\n";
constexpr const char* empty_kernel_ptx =
    ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 y, .param .u32 n)\n{\n  ret;\n}\n";

trace::KernelRecord lab_record(double cycles, double instructions) {
  trace::KernelRecord made;
  made.module = 0;
  made.entry = "k";
  made.grid = {2, 1, 1};
  made.block = {32, 1, 1};
  made.registers = 8;
  made.registers_origin = "cubin";
  made.cycles = static_cast<std::int64_t>(cycles);
  made.cycles_origin = trace::Origin::simulated;
  made.counters = {{"warp_instructions", instructions, trace::Origin::simulated},
                   {"cycles", cycles, trace::Origin::simulated},
                   {"stall_wait", instructions / 2, trace::Origin::simulated}};
  made.arguments.resize(2);
  made.arguments[0].kind = trace::KernelArgument::Kind::pointer;
  made.arguments[0].dtype = "f32";
  made.arguments[0].allocation = 0;
  made.arguments[1].dtype = "i32";
  made.arguments[1].bytes = {7, 0, 0, 0};
  return made;
}

}  // namespace

std::vector<Crafted> crafted_lab() {
  trace::Trace trace = SmallTrace()
                           .h200()
                           .op("aten::relu", 0, 40)
                           .call("cudaLaunchKernel", 10, 5, 1)
                           .call("cudaLaunchKernel", 20, 5, 2)
                           .kernel("k", 30, 40, 1)
                           .kernel("k", 80, 20, 2)
                           .read();
  trace.records.kernels = {lab_record(4000, 100), lab_record(3000, 80)};
  trace.records.kernels[1].counters.pop_back();
  trace.records.modules.push_back({"k.ptx", "k.cu", empty_kernel_source, empty_kernel_ptx, "", {}, {}});
  trace::Allocation y;
  y.name = "y";
  y.bytes = 256;
  trace.records.allocations.push_back(y);
  trace.kernels[0].record = 0;
  trace.kernels[1].record = 1;
  Crafted made{"lab: two counted launches", std::move(trace), {}, {}};
  made.sections = {"lab/kernel.code", "lab/kernel.figures", "lab/kernel.compare"};
  made.walk = default_walk(made.trace);
  std::vector<Crafted> all;
  all.push_back(std::move(made));
  return all;
}

}  // namespace warpwalk::story::testing
