// The op's parts as text: each is what its author writes.
#include <fmt/format.h>

#include "core/story/labs/writing_a_kernel/writing_a_kernel.h"

namespace warpwalk::story {
namespace {

Panel text_panel(std::string name, std::vector<std::string> lines, std::size_t lit, double share = 1.2) {
  CodePicture code;
  code.columns = {text_column(std::move(name), std::move(lines), lit)};
  return {"", share, std::move(code)};
}

/// The line that the light has reached on its way down to `goal`.
std::size_t reached(double shown, std::size_t goal) {
  return static_cast<std::size_t>(1 + shown * static_cast<double>(goal - 1) + 0.5);
}

std::string_view argument_type(ops::DType dtype) {
  switch (dtype) {
    case ops::DType::f16: return "c10::Half";
    case ops::DType::bf16: return "c10::BFloat16";
    case ops::DType::f64: return "double";
    default: return "float";
  }
}

}  // namespace

Panel schema_code(const KernelWriting& lab) {
  const bool told = lab.mistake != Mistake::alias;
  return text_panel(
      "native_functions.yaml",
      {"- func: leaky_relu(Tensor self,", "        Scalar negative_slope=0.01) -> Tensor", "  variants: function",
       "  dispatch:", "    CPU: leaky_relu_cpu", "    CUDA: leaky_relu_cuda", "",
       told ? "- func: leaky_relu_(Tensor(a!) self," : "- func: leaky_relu_(Tensor self,",
       told ? "        Scalar negative_slope=0.01) -> Tensor(a!)" : "        Scalar negative_slope=0.01) -> Tensor",
       "  variants: function", "  dispatch:", "    CPU: leaky_relu_cpu_"},
      8);
}

Panel output_code(const KernelWriting& lab, double shown) {
  const std::vector<std::string> lines = {
      "Tensor leaky_relu_cuda(const Tensor& self,",
      "                       const Scalar& negative_slope) {",
      "  TORCH_CHECK(self.is_floating_point(),",
      "              \"leaky_relu: expected a floating-point tensor\");",
      "  Tensor result = at::empty(self.sizes(), self.options());",
      "  if (self.numel() == 0) return result;",
      fmt::format("  const int64_t stride = self.stride(0);  // {}", lab.setting.stride),
      "  launch(result, self, stride, negative_slope);",
      "  return result;",
      "}"};
  return text_panel("leaky_relu.cu", lines, reached(shown, 7));
}

Panel types_code(const KernelWriting& lab) {
  const bool missing = lab.mistake == Mistake::type_case;
  std::vector<std::string> lines = {
      missing ? "AT_DISPATCH_FLOATING_TYPES_AND(kHalf," : "AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16,",
      "    self.scalar_type(), \"leaky_relu_cuda\", [&] {",
      "  // one instance of the kernel for each type",
      "  kernel<scalar_t><<<blocks, threads, 0, stream>>>(...);",
      "});",
      "",
      fmt::format("// {}", lab.word("becomes")),
      "switch (self.scalar_type()) {"};
  std::size_t lit = 0;
  for (const auto& [dtype, name] :
       std::initializer_list<std::pair<ops::DType, std::string_view>>{{ops::DType::f64, "kDouble"},
                                                                      {ops::DType::f32, "kFloat"},
                                                                      {ops::DType::f16, "kHalf"},
                                                                      {ops::DType::bf16, "kBFloat16"}}) {
    if (missing && dtype == KernelWriting::forgotten) continue;
    lines.push_back(fmt::format("  case {}: kernel<{}>", name, argument_type(dtype)));
    if (dtype == lab.setting.dtype) lit = lines.size();
  }
  lines.emplace_back("  default: error: \"leaky_relu_cuda\" not implemented");
  if (lit == 0) lit = lines.size();
  lines.emplace_back("}");
  return text_panel("leaky_relu.cu", std::move(lines), lit);
}

Panel kernel_code(const KernelWriting& lab, double shown) {
  const bool strided = lab.setting.stride != 1, checked = lab.setting.checked;
  std::vector<std::string> lines = {"template <typename scalar_t>",
                                    "__global__ void kernel(const scalar_t* x, scalar_t* y,"};
  lines.push_back(strided ? "                       opmath_t slope, int n, int stride) {"
                          : "                       opmath_t slope, int n) {");
  lines.emplace_back("  const int i = blockIdx.x * blockDim.x + threadIdx.x;");
  if (checked) lines.emplace_back("  if (i >= n) return;");
  lines.push_back(strided ? "  const opmath_t value = x[i * stride];" : "  const opmath_t value = x[i];");
  lines.emplace_back("  y[i] = value > 0 ? value : value * slope;");
  const std::size_t last = lines.size();
  lines.emplace_back("}");
  lines.emplace_back("");
  lines.push_back(fmt::format("const int threads = {};", lab.setting.block));
  lines.push_back(fmt::format("const int blocks = (n + threads - 1) / threads;  // {}", lab.setting.blocks()));
  lines.emplace_back("kernel<scalar_t><<<blocks, threads, 0, stream>>>(");
  lines.push_back(strided ? "    x, y, slope, n, stride);" : "    x, y, slope, n);");
  lines.emplace_back("C10_CUDA_KERNEL_LAUNCH_CHECK();");
  return text_panel("leaky_relu.cu", std::move(lines), reached(shown, last));
}

Panel derivative_code(const KernelWriting& lab) {
  if (lab.mistake == Mistake::derivative)
    return text_panel("derivatives.yaml", {fmt::format("# {}", lab.word("no_entry"))}, 1);
  return text_panel("derivatives.yaml",
                    {"- name: leaky_relu(Tensor self,", "        Scalar negative_slope=0.01) -> Tensor",
                     "  self: leaky_relu_backward(grad, self,", "        negative_slope, false)", "",
                     fmt::format("// {}", lab.word("kernel_back")), "grad_self[i] =", "    self[i] > 0 ? grad[i]",
                     "                : grad[i] * slope;"},
                    3);
}

}  // namespace warpwalk::story
