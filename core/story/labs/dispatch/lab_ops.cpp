// The ops of the lab, from PyTorch 2.11's native_functions.yaml and derivatives.yaml, its Python bindings and its
// dispatch tables. tests/story/dispatch compares them with a recording.
#include "core/story/labs/dispatch/lab_ops.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view relu_signatures[] = {"relu(Tensor input)"};
constexpr std::string_view relu_in_place_signatures[] = {"relu_(Tensor input)"};
constexpr std::string_view add_signatures[] = {
    "add(Tensor input, Tensor other, *, Number alpha=1, Tensor out=None)",
    "add(Tensor input, Number alpha, Tensor other, *, Tensor out=None) | deprecated"};
constexpr std::string_view mm_signatures[] = {
    "mm(Tensor input, Tensor mat2, *, Tensor out=None)",
    "mm(Tensor input, Tensor mat2, torch.dtype out_dtype, *, Tensor out=None)"};
constexpr std::string_view matmul_signatures[] = {"matmul(Tensor input, Tensor other, *, Tensor out=None)"};
constexpr std::string_view linear_signatures[] = {
    "linear(Tensor input, Tensor weight, Tensor bias=None, *, Tensor out=None)"};
constexpr std::string_view transpose_signatures[] = {"t(Tensor input)"};
constexpr std::string_view mean_signatures[] = {
    "mean(Tensor input, *, torch.dtype dtype=None, Tensor out=None)",
    "mean(Tensor input, tuple of ints dim, bool keepdim=False, *, torch.dtype dtype=None, Tensor out=None)",
    "mean(Tensor input, tuple of names dim, bool keepdim=False, *, torch.dtype dtype=None, Tensor out=None)"};
constexpr std::string_view zeros_signatures[] = {
    "zeros(tuple of ints size, *, tuple of names names, torch.dtype dtype=None, torch.device device=None)",
    "zeros(tuple of ints size, *, Tensor out=None, torch.dtype dtype=None, torch.device device=None)"};

constexpr LabOp table[] = {
    {"relu",
     "aten::relu",
     "THPVariable_relu",
     "python_torch_functions",
     "relu(Tensor self) -> Tensor",
     "function, method",
     "CPU, CUDA: relu",
     "ReluBackward0",
     "kkkkkkffrrff",
     "clamp_cuda",
     true,
     {"torch.relu(a)", "torch.relu(input=a)", "torch.relu(2.0)", "torch.relu(a, b)"},
     relu_signatures},
    {"relu_",
     "aten::relu_",
     "THPVariable_relu_",
     "python_torch_functions",
     "relu_(Tensor(a!) self) -> Tensor(a!)",
     "function, method",
     "CPU, CUDA: relu_",
     "ReluBackward0",
     "kkkkkkfrrrff",
     "clamp_cuda",
     true,
     {"torch.relu_(a)", "torch.relu_(input=a)", "torch.relu_(2.0)", "torch.relu_(a, b)"},
     relu_in_place_signatures},
    {"add",
     "aten::add.Tensor",
     "THPVariable_add",
     "python_torch_functions",
     "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
     "function, method",
     "structured_delegate: add.out",
     "AddBackward0",
     "kkkkkkffrrff",
     "add_cuda",
     true,
     {"torch.add(a, b)", "torch.add(a, other=b)", "torch.add(a, 2)", "torch.add(a, 'b')"},
     add_signatures},
    {"mm",
     "aten::mm",
     "THPVariable_mm",
     "python_torch_functions",
     "mm(Tensor self, Tensor mat2) -> Tensor",
     "function, method",
     "structured_delegate: mm.out",
     "MmBackward0",
     "kkkkkkffrrrr",
     "addmm_cuda",
     false,
     {"torch.mm(a, b)", "torch.mm(a, mat2=b)", "torch.mm(a, 2)", "torch.mm(a)"},
     mm_signatures},
    {"matmul",
     "aten::matmul",
     "THPVariable_matmul",
     "python_torch_functions",
     "matmul(Tensor self, Tensor other) -> Tensor",
     "function, method",
     "CompositeImplicitAutograd: matmul",
     "",
     "ccccccffccrr",
     "addmm_cuda",
     false,
     {"torch.matmul(a, b)", "torch.matmul(a, other=b)", "torch.matmul(a, 2)", "torch.matmul(a)"},
     matmul_signatures},
    {"linear",
     "aten::linear",
     "THPVariable_linear",
     "python_nn_functions",
     "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
     "",
     "CompositeImplicitAutograd: linear",
     "",
     "ccccccffccrr",
     "addmm_cuda",
     false,
     {"F.linear(a, b, c)", "F.linear(a, b, bias=c)", "F.linear(a, 2)", "F.linear(a)"},
     linear_signatures},
    {"mean",
     "aten::mean",
     "THPVariable_mean",
     "python_torch_functions",
     "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor",
     "function, method",
     "CompositeExplicitAutograd: mean",
     "MeanBackward0",
     "eeeeeeffrrff",
     "mean_cuda",
     false,
     {"torch.mean(a)", "torch.mean(a, dim=1)", "torch.mean(a, 1.5)", "torch.mean(2.0)"},
     mean_signatures},
    {"t",
     "aten::t",
     "THPVariable_t",
     "python_torch_functions",
     "t(Tensor(a) self) -> Tensor(a)",
     "function, method",
     "CompositeExplicitAutograd: t",
     "TBackward0",
     "eeeeeefrrrff",
     "",
     false,
     {"torch.t(a)", "torch.t(input=a)", "torch.t(2.0)", "torch.t(a, 1)"},
     transpose_signatures},
    {"zeros",
     "aten::zeros",
     "THPVariable_zeros",
     "python_torch_functions_manual",
     "zeros(SymInt[] size, *, ScalarType? dtype=None, Device? device=None ...) -> Tensor",
     "",
     "CompositeExplicitAutograd: zeros",
     "",
     "eeeeeerfrrff",
     "fill_cuda",
     true,
     {"torch.zeros(2, 3)", "torch.zeros((2, 3))", "torch.zeros(2.5)", "torch.zeros('2')"},
     zeros_signatures},
};

}  // namespace

std::span<const LabOp> lab_ops() { return table; }

bool refused_on_gpu(const LabOp& op, ops::DType dtype) {
  return !op.type_switch.empty() && !op.integers && !ops::is_float(dtype);
}

}  // namespace warpwalk::story
