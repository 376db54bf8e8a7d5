// The run of the lab of layouts.
#include <cstring>
#include <memory>

#include "core/gpu/exec/launch.h"
#include "core/ops/tensor/dtype.h"
#include "core/ptx/parse/parser.h"
#include "core/story/labs/layouts/layouts.h"

namespace warpwalk::story {
namespace {

constexpr std::int32_t layout_size = 64;  // of the matrices

gpu::Buffer matrix_buffer(std::string name, int factor) {
  gpu::Buffer buffer;
  buffer.name = std::move(name);
  for (int i = 0; i < layout_size * layout_size; ++i) {
    const std::uint64_t bits = ops::float_bits(ops::DType::f16, static_cast<double>(i * factor % 61 - 30) / 8);
    buffer.bytes.push_back(static_cast<std::uint8_t>(bits));
    buffer.bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
  }
  return buffer;
}

template <class T>
gpu::Argument layout_argument(T value) {
  gpu::Argument argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

LayoutRun run_kernel_for_layouts(const gpu::Device& device) {
  LayoutRun run;
  constexpr std::string_view kernel = "matmul_kernel";
  auto parsed = ptx::parse(layouts_ptx());
  auto* const ptx_module = std::get_if<ptx::Module>(&parsed);
  if (ptx_module == nullptr) {
    run.error = "the kernel's PTX does not parse";
    return run;
  }
  const auto program = gpu::prepare(std::make_shared<const ptx::Module>(std::move(*ptx_module)), kernel);
  if (!program) {
    run.error = program.error();
    return run;
  }
  gpu::Launch launch;
  launch.block = {128, 1, 1};
  launch.dynamic_shared_bytes = 24576;
  launch.buffers = {matrix_buffer("a", 7), matrix_buffer("b", 11), matrix_buffer("c", 0)};
  for (const std::int32_t buffer : {0, 1, 2}) launch.arguments.push_back({{}, buffer, 0});
  for (int i = 0; i < 6; ++i) launch.arguments.push_back(layout_argument(layout_size));  // M, N, K and three strides
  for (int i = 0; i < 2; ++i) launch.arguments.push_back(layout_argument(std::uint64_t{0}));  // scratch memory
  auto checked = run::check_layouts(compiled::parse_mlir(layouts_ttgir()), kernel, device, **program, launch, 1);
  if (!checked) {
    run.error = checked.error();
    return run;
  }
  run.layouts = std::move(*checked);
  return run;
}

}  // namespace

const LayoutRun& run_of_layouts(const gpu::Device& device) {
  static const LayoutRun run = run_kernel_for_layouts(device);
  return run;
}

}  // namespace warpwalk::story
