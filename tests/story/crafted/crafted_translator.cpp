#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/ptx/parse/parser.h"
#include "core/records/hardware.h"
#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

const Sections usual_sections = {"translator.op.single", "translator.keys",  "translator.row",
                                 "translator.name",      "translator.order", "translator.code.none"};

constexpr std::string_view gemm =
    "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel"
    "__5x_cublas";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

Crafted from_text(std::string name, const std::string& text, Sections sections) {
  trace::ReadResult result = trace::read_trace_text(text);
  EXPECT_FALSE(result.error) << *result.error << "\n" << text;
  Crafted made{std::move(name), std::move(result.trace), {}, std::move(sections)};
  made.walk = default_walk(made.trace);
  return made;
}

// An op of its own right, with one kernel.
SmallTrace op_with_kernel(std::string_view kernel, std::string_view args = R"("Sequence number": 4)",
                          std::string_view op = "aten::some_op") {
  SmallTrace small;
  small.op(op, 0, 100, args).call("cudaLaunchKernel", 10, 5, 1).kernel(kernel, 20, 100, 1);
  return small;
}

// With what the "warpwalk" key adds; the kernel's launch is its first record.
std::string with_records(const SmallTrace& small, std::string_view records) {
  std::string text = small.text();
  if (text.find(R"("grid")") != std::string::npos)
    text = replaced(std::move(text), R"("grid")", R"("warpwalk record": 0, "grid")");
  return replaced(std::move(text), R"("schemaVersion": 1)",
                  fmt::format(R"("schemaVersion": 1, "warpwalk": {})", records));
}

constexpr std::string_view relu_source = R"(__global__ void relu(const float* x, float* y, int n) {\n)"
                                         R"(  int i = blockIdx.x * blockDim.x + threadIdx.x;\n)"
                                         R"(  if (i < n) y[i] = fmaxf(x[i], 0.f);\n}\n)";
constexpr std::string_view relu_ptx =
    R"(.version 9.0\n.target sm_90\n.visible .entry relu(\n)\n{\n\t.loc\t1 2 11\n\tmov.u32 \t%r3, %ctaid.x;\n)"
    R"(\tmad.lo.s32 \t%r1, %r3, %r4, %r5;\n\t.loc\t1 3 3\n\tld.global.f32 \t%f1, [%rd6];\n)"
    R"(\tmax.f32 \t%f2, %f1, 0f00000000;\n\tst.global.f32 \t[%rd7], %f2;\n\tret;\n}\n)";
constexpr std::string_view relu_sass =
    R"(Function : relu\n        /*0000*/ S2R R0, SR_CTAID.X ;\n)"
    R"(        /*0010*/ LDG.E R3, [R2] ;\n        /*0020*/ FMNMX R3, R3, RZ, !PT ;\n)";

std::string module(std::string_view parts) {
  return fmt::format(
      R"({{"format": 1, "modules": [{{{}}}], "allocations": [{{"name": "x", "address": 4096}}, {{}}], )"
      R"("kernels": [{{"module": 0, "entry": "relu", "grid": [66, 2, 1], "block": [100, 1, 1], )"
      R"("dynamic_shared_bytes": 0, "arguments": [{{"kind": "pointer", "dtype": "f32", "allocation": 0, )"
      R"("offset": 16}}, {{"kind": "scalar", "dtype": "i32", "bytes": "BwAAAA=="}}]}}]}})",
      parts);
}

void add_named(std::vector<Crafted>& all) {
  const std::pair<const char*, const char*> names[] = {
      {"a kernel of tensor cores",
       "volta_tensorop_h1688gemm_128x64_32x2_tn_align8_splitK_warpsize2x2x1_warpgroupsize1x1x1"},
      {"operands transposed", "cutlass_80_simt_sgemm_64x64_8x5_nt_align1"},
      {"both operands transposed", "ampere_sgemm_32x32_tt"},
      {"an elementwise kernel", "void at::native::elementwise_kernel<128, 2, at::native::F>(int, at::native::F)"},
      {"an unrolled kernel",
       "void at::native::unrolled_elementwise_kernel<at::native::F, std::array<char*, 3ul> >(int)"},
      {"a reduction",
       "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(at::native::ReduceOp<float>)"},
      {"many tensors at once",
       "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
       "namespace)::TensorListMetadata<2>, at::native::F>(int)"},
      {"a softmax", "void (anonymous namespace)::softmax_warp_forward<float, float, float, 4, true, false>(float*)"},
      {"its gradient",
       "void (anonymous namespace)::softmax_warp_backward<float, float, float, 4, false, false>(float*)"},
      {"a loss", "void at::native::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*)"},
      {"its gradient too", "void at::native::nll_loss_backward_reduce_cuda_kernel_2d<float, long>(float*)"},
      {"a split sum", "void cublasLt::splitKreduce_kernel<32, 16, int>(int)"},
      {"channels last", "void cudnn::nchwToNhwcKernel<float>(int)"},
      {"channels first", "void cudnn::nhwcToNchwKernel<float>(int)"},
      {"a Triton kernel", "triton_poi_fused_add_relu_0"},
      {"a Triton reduction", "triton_red_fused_sum_1"},
      {"a Triton reduction in registers", "triton_per_fused_mean_2"},
      {"a Triton template", "triton_tem_fused_mm_3"},
      {"a wrapper", "void cutlass::Kernel2<cutlass_80_simt_sgemm_64x64_8x5_nn_align1>(int)"},
  };
  for (const auto& [name, kernel] : names)
    all.push_back(from_text(name, op_with_kernel(kernel).text(), usual_sections));
  std::string many = "void f<";
  for (int i = 0; i < 60; ++i) many += i % 2 == 0 ? "float, 1, " : "double, 2, ";
  all.push_back(from_text("a name of many parts", op_with_kernel(many + "int>(int)").text(), usual_sections));
}

void add_compiled(std::vector<Crafted>& all) {
  all.push_back(from_text("an op that is a compiled kernel",
                          op_with_kernel("triton_poi_fused_add_relu_0", "", "triton_poi_fused_add_relu_0").text(),
                          {"translator.op.compiled", "translator.name", "translator.order", "translator.code.none"}));
}

void add_transfers(std::vector<Crafted>& all) {
  const Sections copy = {"translator.op.single", "translator.keys.off", "translator.row.copy", "translator.name.copy",
                         "translator.order.copy"};
  for (const std::string_view name : {"Memcpy HtoD (Pinned -> Device)", "Memcpy DtoH (Device -> Pageable)",
                                      "Memcpy DtoD (Device -> Device)", "Memcpy PtoP (Device -> Device)"})
    all.push_back(from_text(
        std::string(name),
        SmallTrace().op("aten::copy_", 0, 50).call("cudaMemcpyAsync", 10, 5, 1).copy(name, 20, 100, 1).text(), copy));
  all.push_back(
      from_text("a fill of memory",
                SmallTrace().op("aten::zero_", 0, 50).call("cudaMemsetAsync", 10, 5, 1).fill(20, 100, 1).text(),
                {"translator.op.single", "translator.keys.off", "translator.row.fill", "translator.name.fill",
                 "translator.order.fill"}));
}

void add_quiet(std::vector<Crafted>& all) {
  const auto quiet = [&](std::string name, std::string_view op, std::string_view row) {
    all.push_back(from_text(std::move(name), SmallTrace().op(op, 0, 50, R"("Sequence number": 1)").text(),
                            {"translator.op.quiet", "translator.keys.either", std::string(row)}));
  };
  quiet("an op without GPU work", "aten::add", "translator.row.either");
  quiet("a view", "aten::view", "translator.row.view");
  quiet("a composite op without GPU work", "aten::reshape", "translator.row.composite");
  quiet("a factory", "aten::empty", "translator.row.either");
  all.push_back(
      from_text("a node of the backward pass", SmallTrace().op("MmBackward0", 0, 50).text(), {"translator.op.quiet"}));
}

void add_recorded(std::vector<Crafted>& all) {
  const auto dispatches = [](std::string_view steps) {
    return fmt::format(
        R"({{"format": 1, "dispatches": [{{"op": "aten::relu", "origin": "simulated", "steps": [{}]}}]}})", steps);
  };
  SmallTrace gpu;
  gpu.op("aten::relu", 0, 100, R"("warpwalk dispatch": 0)");
  gpu.call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 100, 1);
  all.push_back(from_text(
      "dispatch steps on record",
      replaced(
          gpu.text(), R"("schemaVersion": 1)",
          R"("schemaVersion": 1, "warpwalk": )" +
              dispatches(
                  R"({"key": "AutocastCUDA", "function": "autocast", "effect": "redispatch", "key_set": ["AutocastCUDA", "AutogradCUDA", "Negative", "ADInplaceOrView", "CUDA", "CPU"]},)"
                  R"({"key": "AutogradCUDA", "function": "autograd", "effect": "redispatch", "key_set": ["AutogradCUDA", "Negative", "CUDA", "CPU"]},)"
                  R"({"key": "Negative", "function": "negative", "effect": "redispatch", "key_set": ["Negative", "CUDA", "CPU"]},)"
                  R"({"key": "CUDA", "function": "relu", "effect": "kernel", "key_set": ["CUDA", "CPU"]})")),
      {"translator.op.single", "translator.keys.recorded", "translator.row.recorded", "translator.order",
       "translator.code.none"}));
  all.push_back(from_text(
      "dispatch steps of the CPU on record",
      with_records(SmallTrace().op("aten::relu", 0, 100, R"("warpwalk dispatch": 0)"),
                   dispatches(R"({"key": "CPU", "function": "relu", "effect": "kernel", "key_set": ["CPU"]})")),
      {"translator.op.quiet", "translator.keys.recorded", "translator.row.cpu"}));
  all.push_back(from_text(
      "dispatch steps without GPU work on record",
      with_records(SmallTrace().op("aten::empty", 0, 100, R"("warpwalk dispatch": 0)"),
                   dispatches(R"({"key": "CUDA", "function": "empty_cuda", "effect": "kernel", "key_set": ["CUDA"]})")),
      {"translator.op.quiet", "translator.keys.recorded", "translator.row.gpu"}));
}

void add_code(std::vector<Crafted>& all) {
  const auto add = [&](std::string name, const std::string& parts, std::string_view code, std::string_view named = {},
                       std::string_view instruction = {}) {
    Sections sections = usual_sections;
    sections[5] = code;
    sections[3] = named;
    if (named.empty()) sections.erase(sections.begin() + 3);
    if (!instruction.empty()) sections.emplace_back(instruction);
    // Code that could be simulated has a beat about its lines.
    if (parts.find(R"("ptx")") != std::string::npos || parts.find(R"("cubin")") != std::string::npos)
      sections.emplace_back("translator.lines.missing");
    all.push_back(from_text(std::move(name), with_records(op_with_kernel("relu"), module(parts)), sections));
  };
  add("source, PTX and SASS",
      fmt::format(R"("source": "{}", "ptx": "{}", "sass": "{}", "line_map": [[0, 7, 2], [16, 10, 3], [32, 11, 3]])",
                  relu_source, relu_ptx, relu_sass),
      "translator.code");
  add("a source that says what it does", fmt::format(R"("source": "// y = max(x, 0).\n//\n{}")", relu_source),
      "translator.code.unmapped", "translator.name.own");
  add("PTX with its own lines", fmt::format(R"("ptx": "{}")", relu_ptx), "translator.code.ptx");
  add("PTX for GPUs of one compute capability",
      fmt::format(R"("ptx": "{}")", replaced(std::string(relu_ptx), ".target sm_90", ".target sm_90a")),
      "translator.code.ptx");
  add("PTX and SASS without a source",
      fmt::format(R"("ptx": "{}", "sass": "{}", "line_map": [[0, 7, 2], [16, 10, 3], [32, 11, 3]])", relu_ptx,
                  relu_sass),
      "translator.code.no_source");
  add("SASS alone", fmt::format(R"("sass": "{}")", relu_sass), "translator.code.sass");
  const std::string cubin = file_contents("tests/sass/data/cubins/relu.sm_90.gz");
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(cubin.data());
  add("a cubin", fmt::format(R"("cubin": "{}")", base::to_base64({bytes, cubin.size()})), "translator.code.no_source",
      {}, "translator.instruction");
  add("a cubin that cannot be read", R"("cubin": "f0VMRg==")", "translator.code.none", {},
      "translator.instruction.unreadable");
}

constexpr std::string_view costly_source = R"(__global__ void k(float* data) {
  __shared__ float tile[1024];
  float x = data[threadIdx.x * 8];
  tile[threadIdx.x % 32 * 32] = x;
  for (int i = 0; i < 1000; ++i) x += x;
  data[threadIdx.x * 8] = x;
}
)";
constexpr std::string_view costly_ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .reg .pred %p<2>;
  .shared .align 16 .b8 tile[4096];
  .loc 1 3 3
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 32;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  .loc 1 4 3
  and.b32 %r2, %r1, 31;
  shl.b32 %r3, %r2, 7;
  mov.u32 %r4, tile;
  add.u32 %r5, %r4, %r3;
  st.shared.f32 [%r5], %f1;
  mov.u32 %r6, 0;
LOOP:
  .loc 1 5 3
  add.f32 %f1, %f1, %f1;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 1000;
  @%p1 bra LOOP;
  .loc 1 6 3
  st.global.f32 [%rd3], %f1;
  ret;
}
.file 1 "k.cu"
)";

/// A kernel of warpwalk's own in place of one of cuBLAS, with its own time or with that of cuBLAS.
void add_stand_ins(std::vector<Crafted>& all) {
  constexpr std::string_view kernel = "void stand_in::cublas::gemm_f32<64>(float const*, float*)";
  for (const bool measured : {false, true}) {
    Sections sections = usual_sections;
    sections[3] = measured ? "translator.name.stand_in.measured" : "translator.name.stand_in";
    std::string text = op_with_kernel(kernel).text();
    if (measured)
      text = replaced(std::move(text), R"("grid")",
                      R"("library call": "cublas gemm", "time": "measured on an NVIDIA H200, kernel nvjet", "grid")");
    all.push_back(from_text(measured ? "a stand-in with a measured time" : "a stand-in", text, sections));
  }
}

/// A kernel whose lines have what lines can have: waits, sectors beyond the ideal, bank conflicts. Only the first of
/// its cycles are simulated.
void add_costs(std::vector<Crafted>& all) {
  Sections sections = usual_sections;
  sections[2] = "translator.row.own";  // the kernel has its source
  sections[5] = "translator.code";
  sections.erase(sections.begin() + 3);
  sections.emplace_back("translator.lines.cut");
  Crafted made = from_text("costs by line", with_records(op_with_kernel("k"), module(R"("ptx": "")")), sections);
  trace::Module& code = made.trace.records.modules.front();
  code.source_file = "k.cu";
  code.source = std::string(costly_source);
  code.ptx = costly_ptx;
  made.trace.records.kernels.front().entry = "k";

  auto history = std::make_shared<run::History>();
  history->entry = "k";
  history->ptx = costly_ptx;
  history->source = costly_source;
  history->device = *hardware().find("h200");
  auto parsed = ptx::parse(history->ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) throw std::runtime_error(error->text());
  auto prepared = gpu::prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  if (!prepared) throw std::runtime_error(prepared.error());
  history->program = *prepared;
  history->before.grid[0] = 4;
  history->before.block[0] = 64;
  history->before.buffers.push_back({"data", std::vector<std::uint8_t>(4096)});
  history->before.arguments.emplace_back().buffer = 0;
  run::HistoryOptions options;
  options.device = history->device;
  // Longer than what is simulated to its end.
  history->simulation.counters.warp_instructions = 1;
  options.max_timed_warp_instructions = 0;
  options.first_timed_warp_instructions = 2000;
  auto travel = run::TimeTravel::make(made.trace, made.walk.kernel, history, options);
  if (!travel) throw std::runtime_error(travel.error());
  made.history = HistoryView::State::ready;
  made.simulated = std::move(history);
  made.travel = std::move(*travel);
  all.push_back(std::move(made));
}

}  // namespace

std::vector<Crafted> crafted_translator() {
  std::vector<Crafted> all;
  const std::string matmul =
      SmallTrace()
          .h200()
          .op("aten::matmul", 0, 100,
              R"("Sequence number": 0, "Input type": ["float", "float"], "Input Dims": [[1024, 8], [8, 1024]], "Input Strides": [[8, 1], [1024, 1]])")
          .op("aten::mm", 1, 98,
              R"("Sequence number": 0, "Input type": ["float", "float"], "Input Dims": [[1024, 8], [8, 1024]], "Input Strides": [[8, 1], [1024, 1]])")
          .call("cudaLaunchKernel", 10, 5, 1)
          .kernel(gemm, 20, 100, 1)
          .text();
  const Sections nested = {"translator.op",   "translator.keys",  "translator.row",
                           "translator.name", "translator.order", "translator.code.none"};
  all.push_back(from_text(
      "a composite op", replaced(replaced(matmul, "[66, 2, 1]", "[8, 16, 1]"), "[100, 1, 1]", "[128, 1, 1]"), nested));
  all.push_back(from_text("a grid that does not fit the tile", matmul, nested));
  SmallTrace relu;
  relu.op("aten::relu", 0, 100, R"("Sequence number": 0)");
  relu.op("aten::clamp_min", 1, 98,
          R"("Input type": ["c10::complex<float>"], "Input Dims": [[13200, 8]], "Input Strides": [[8, 1]])");
  relu.call("cudaLaunchKernel", 10, 5, 1);
  relu.kernel("void at::native::vectorized_elementwise_kernel<4, at::native::F, std::array<char*, 2ul> >(int)", 20, 100,
              1);
  all.push_back(from_text("a nested op below autograd", relu.text(),
                          {"translator.op", "translator.keys.nested", "translator.row", "translator.name",
                           "translator.order", "translator.code.none"}));
  SmallTrace backward;
  backward.op("autograd::engine::evaluate_function: MmBackward0", 0, 100).op("MmBackward0", 1, 98);
  backward.op("aten::mm", 2, 96, R"("Input Dims": [[4224, 8], [8, 64]])").call("cudaLaunchKernel", 10, 5, 1);
  backward.kernel("cutlass_80_simt_sgemm_64x64_8x5_nn_align1", 20, 100, 1);
  all.push_back(from_text("an op of the backward pass", backward.text(),
                          {"translator.op", "translator.keys.off", "translator.row", "translator.name",
                           "translator.order", "translator.code.none"}));
  SmallTrace range;
  range.op("a range", 0, 100).op("aten::sum", 1, 98).op("aten::fill_", 2, 90).call("cudaLaunchKernel", 10, 5, 1);
  range.bare_kernel("k", 20, 100, 1);
  all.push_back(from_text(
      "ops in a named range", range.text(),
      {"translator.op", "translator.keys.off", "translator.row", "translator.order", "translator.code.none"}));
  SmallTrace deep;
  for (int depth = 0; depth < 9; ++depth) deep.op("aten::deeper_" + std::to_string(depth), depth, 100 - 2 * depth);
  deep.call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 100, 1);
  all.push_back(from_text(
      "nine ops deep", deep.text(),
      {"translator.op", "translator.keys.off", "translator.row", "translator.order", "translator.code.none"}));
  all.push_back(from_text(
      "in place",
      op_with_kernel("void at::native::elementwise_kernel<128, 2, F>(int)", R"("Sequence number": 4)", "aten::mul_")
          .text(),
      usual_sections));
  all.push_back(from_text("a kernel whose launch is not on record", SmallTrace().kernel(gemm, 20, 100, 0).text(),
                          {"translator.name", "translator.order.unlaunched", "translator.code.none"}));
  all.push_back(from_text("a trace without events", SmallTrace().text(), {"translator.empty"}));
  add_named(all);
  add_compiled(all);
  add_transfers(all);
  add_quiet(all);
  add_recorded(all);
  add_code(all);
  add_stand_ins(all);
  add_costs(all);
  return all;
}

}  // namespace warpwalk::story::testing
