// Calls of Linear layers that bring about the words of lab/forward-pass.
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view linear_inputs =
    R"("Sequence number": 1, "Input Dims": [[64, 128], [32, 128], [32]], "Input type": ["float", "float", "float"], )"
    R"("Input Strides": [[128, 1], [128, 1], [1]])";
constexpr std::string_view addmm_inputs =
    R"("Sequence number": 2, "Input Dims": [[32], [64, 128], [128, 32]], "Input type": ["float", "float", "float"], )"
    R"("Input Strides": [[1], [128, 1], [1, 128]])";

std::string product_args(const char* dims) {
  return std::string(R"("Input Dims": )") + dims + R"(, "Input type": ["float", "float"])";
}

Crafted forward_pass_of(std::string name, const SmallTrace& small) {
  Crafted one{"labs: " + std::move(name), small.read(), {}, {}};
  one.walk = default_walk(one.trace);
  return one;
}

}  // namespace

std::vector<Crafted> crafted_forward_pass() {
  std::vector<Crafted> all;
  SmallTrace whole;
  whole.h200()
      .frame("nn.Module: Linear_0", 0, 200)
      .frame("torch/nn/modules/module.py(1783): _call_impl", 1, 198)
      .frame("<built-in method _get_tracing_state of PyCapsule object>", 2, 1)
      .frame("hooks.py(3): before", 4, 1)
      .frame("torch/nn/modules/linear.py(130): forward", 6, 190)
      .frame("torch/nn/modules/module.py(1955): __getattr__", 7, 1)
      .frame("<built-in function linear>", 9, 180)
      .op("aten::linear", 10, 175, linear_inputs)
      .op("aten::t", 11, 5)
      .op("aten::addmm", 20, 160, addmm_inputs)
      .op("aten::empty", 21, 2)
      .call("cudaFuncGetAttributes", 24, 2, 1)
      .call("cudaMemsetAsync", 30, 5, 2)
      .fill(40, 2, 2)
      .call("cudaLaunchKernel", 40, 5, 3)
      .kernel("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage3_warpsize2x2x1_tensor16x8x16_kernel", 50,
              20, 3)
      .call("cudaLaunchKernel", 50, 5, 4)
      .kernel("void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>(int)", 80, 10, 4)
      .call("cudaLaunchKernel", 60, 5, 5)
      .kernel("nvjet_sm90_tst_128x256_64x4_2x1_v_bz_coopA_NNT", 95, 10, 5)
      .call("cudaLaunchKernel", 70, 5, 6)
      .kernel("void at::native::k<float>(int)", 110, 10, 6)
      .op("autograd::engine::evaluate_function: AddmmBackward0", 300, 100, R"("Sequence number": 2)", 11)
      .op("AddmmBackward0", 301, 90, R"("Sequence number": 2)", 11)
      .op("aten::mm", 302, 10, product_args("[[64, 32], [32, 128]]"), 11)
      .op("aten::mm", 320, 10, product_args("[[32, 64], [64, 128]]"), 11)
      .op("aten::mm", 340, 10, product_args("[[7, 64], [64, 7]]"), 11)
      .op("aten::sum", 360, 10, product_args("[[64, 32], []]"), 11);
  all.push_back(forward_pass_of("a Linear layer with its backward pass", whole));
  all.push_back(forward_pass_of("a Linear layer from its first frame on", whole));
  all.back().controls.set("lab/forward-pass.frame", 0);
  SmallTrace bare;
  bare.h200().op("aten::linear", 0, 100).op("aten::matmul", 10, 80).op("aten::mm", 20, 60);
  all.push_back(forward_pass_of("a product without bias, shapes, GPU work and gradients", bare));
  return all;
}

}  // namespace warpwalk::story::testing
