// Settings of labs that bring about the words that no default setting shows.
#include <initializer_list>
#include <utility>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted labs_set_to(std::string name, std::initializer_list<std::pair<const char*, double>> settings) {
  Crafted made{"labs: " + std::move(name), {}, {}, {}};
  made.trace = SmallTrace()
                   .h200()
                   .op("aten::relu", 0, 40,
                       R"("Input Dims": [[1024, 1024]], "Input type": ["float"], "Input Strides": [[1024, 1]])")
                   .call("cudaLaunchKernel", 10, 5, 1)
                   .kernel("k", 30, 40, 1)
                   .read();
  made.walk = default_walk(made.trace);
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/") + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_labs() {
  std::vector<Crafted> all;
  // Each sets something in every lab: a walk through all stages takes seconds.
  all.push_back(
      labs_set_to("an infinite number, lanes apart, a large grid, 32 cases, no block", {{"number-formats.power", 20},
                                                                                        {"number-formats.scale", 32},
                                                                                        {"why-gpus.elements", 1},
                                                                                        {"tiling.tile", 1},
                                                                                        {"tiling.buffers", 1},
                                                                                        {"coalescing.stride", 32},
                                                                                        {"coalescing.order", 4},
                                                                                        {"bank-conflicts.walk", 1},
                                                                                        {"bank-conflicts.width", 1},
                                                                                        {"hierarchy.grid_x", 4096},
                                                                                        {"hierarchy.block_x", 24},
                                                                                        {"divergence.shape", 2},
                                                                                        {"divergence.condition", 1},
                                                                                        {"divergence.split", 32},
                                                                                        {"occupancy.block", 1024},
                                                                                        {"occupancy.registers", 128},
                                                                                        {"compute-capability.cubin", 0},
                                                                                        {"compute-capability.ptx", 0},
                                                                                        {"ptx-sass.kernel", 1},
                                                                                        {"ptx-sass.ptx", 86},
                                                                                        {"ptx-sass.instruction", 0},
                                                                                        {"layouts.tensor", 2},
                                                                                        {"layouts.buffer", 1}}));
  all.push_back(labs_set_to("zero in FP64, few registers", {{"number-formats.format", 0},
                                                            {"number-formats.digits", 0},
                                                            {"why-gpus.elements", 4096},
                                                            {"occupancy.block", 32},
                                                            {"occupancy.registers", 16},
                                                            {"layouts.tensor", 1},
                                                            {"ptx-sass.kernel", 1},
                                                            {"ptx-sass.ptx", 36}}));
  all.push_back(labs_set_to("a subnormal FP16 number, much shared memory", {{"layouts.first", 16},
                                                                            {"number-formats.format", 3},
                                                                            {"number-formats.power", -6},
                                                                            {"occupancy.shared", 102400},
                                                                            {"launch-anatomy.shared", 65536},
                                                                            {"compute-capability.gpu", 3},
                                                                            {"ptx-sass.kernel", 0},
                                                                            {"ptx-sass.ptx", 69}}));
  all.push_back(labs_set_to("INT8", {{"number-formats.format", 8},
                                     {"number-formats.digits", -1},
                                     {"number-formats.scale", 15},
                                     {"ptx-sass.kernel", 0},
                                     {"ptx-sass.ptx", 71}}));
  std::vector<Crafted> with_code = crafted_lab();
  Crafted used = std::move(with_code.front());
  used.name = "labs: a kernel that needs compute capability 8.0";
  used.sections = {};
  std::string& ptx = used.trace.records.modules[0].ptx;
  ptx.insert(ptx.find("  ret;"), "  redux.sync.add.s32 %r1, %r2, -1;\n");
  all.push_back(std::move(used));
  return all;
}

}  // namespace warpwalk::story::testing
