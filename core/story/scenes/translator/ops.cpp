// The functions that PyTorch registers for ops that are common in traces, from its native_functions.yaml and
// autocast_mode.h. An op that is not listed here is shown without the names of its functions.
#include <algorithm>
#include <array>

#include "core/story/facts/code/dispatch_keys.h"

namespace warpwalk::story {
namespace {

constexpr OpKind backends = OpKind::backends;
constexpr OpKind composite = OpKind::composite;

constexpr OpEntry entries[] = {
    {"mm", backends, "mm_out_cuda", "mm_out_cpu", "_sparse_mm", "_sparse_mm", "_sparse_csr_mm", true},
    {"addmm", backends, "addmm_out_cuda", "addmm_out_cpu", "", "", "", true},
    {"bmm", backends, "bmm_out_cuda", "bmm_out_cpu", "", "", "", true},
    {"baddbmm", backends, "", "", "", "", "", true},
    {"relu", backends, "relu", "relu", "relu_sparse", "relu_sparse", "relu_sparse_csr", false},
    {"relu_", backends, "relu_", "relu_", "relu_sparse_", "relu_sparse_", "relu_sparse_csr_", false},
    {"clamp_min", backends, "clamp_min_out", "clamp_min_out", "", "", "", false},
    {"clamp_max", backends, "clamp_max_out", "clamp_max_out", "", "", "", false},
    {"mul", backends, "mul_out", "mul_out", "mul_sparse", "mul_sparse", "mul_sparse_csr", false},
    {"mul_", backends, "mul_out", "mul_out", "mul_sparse_", "mul_sparse_", "mul_sparse_csr_", false},
    {"div", backends, "div_out", "div_out", "div_sparse", "div_sparse", "", false},
    {"neg", backends, "neg_out", "neg_out", "neg_sparse", "neg_sparse", "neg_sparse_csr", false},
    {"sqrt", backends, "sqrt_out", "sqrt_out", "sqrt_sparse", "sqrt_sparse", "sqrt_sparse_csr", false},
    {"gelu", backends, "gelu_out_cuda", "gelu_out_cpu", "", "", "", false},
    {"silu", backends, "silu_out", "silu_out", "", "", "", false},
    {"sigmoid", backends, "sigmoid_out", "sigmoid_out", "", "", "", false},
    {"tanh", backends, "tanh_out", "tanh_out", "tanh_sparse", "tanh_sparse", "tanh_sparse_csr", false},
    {"sum", backends, "", "", "", "", "", false},
    {"mean", backends, "", "", "", "", "", false},
    {"threshold_backward", backends, "threshold_backward_out", "threshold_backward_out", "threshold_backward_sparse",
     "threshold_backward_sparse", "threshold_backward_sparse_compressed", false},
    {"_log_softmax", backends, "log_softmax_cuda_out", "log_softmax_cpu_out", "", "", "", false},
    {"_log_softmax_backward_data", backends, "log_softmax_backward_cuda_out", "log_softmax_backward_cpu_out", "", "",
     "", false},
    {"copy_", backends, "copy_", "copy_", "copy_sparse_wrapper_", "copy_sparse_wrapper_", "copy_sparse_compressed_",
     false},
    {"empty", backends, "empty_cuda", "empty_cpu", "empty_sparse", "empty_sparse", "empty_sparse_compressed", false},
    {"empty_strided", backends, "empty_strided_cuda", "empty_strided_cpu", "", "", "", false},
    {"resize_", backends, "resize_cuda_", "resize_", "", "", "resize_sparse_csr_", false},
    {"convolution", backends, "", "", "", "", "", true},
    {"matmul", composite, "matmul", "matmul", "matmul", "matmul", "matmul", true},
    {"linear", composite, "linear", "linear", "linear", "linear", "linear", true},
    {"einsum", composite, "einsum", "einsum", "einsum", "einsum", "einsum", true},
    {"conv2d", composite, "conv2d_symint", "conv2d_symint", "conv2d_symint", "conv2d_symint", "conv2d_symint", true},
    {"log_softmax", composite, "log_softmax", "log_softmax", "log_softmax", "log_softmax", "log_softmax", false},
    {"cross_entropy_loss", composite, "", "", "", "", "", false},
    {"nll_loss_nd", composite, "", "", "", "", "", false},
    {"nll_loss", composite, "", "", "", "", "", false},
    {"reshape", composite, "reshape_symint", "reshape_symint", "reshape_symint", "reshape_symint", "reshape_symint",
     false},
    {"contiguous", composite, "contiguous", "contiguous", "contiguous", "contiguous", "contiguous", false},
    {"to", composite, "to", "to", "to", "to", "to", false},
    {"item", composite, "item", "item", "item", "item", "item", false},
};

constexpr std::string_view views[] = {
    "view",     "t",     "transpose", "as_strided",     "detach",  "detach_",   "expand", "permute",
    "select",   "slice", "squeeze",   "unsqueeze",      "alias",   "t_",        "narrow", "unflatten",
    "diagonal", "split", "unbind",    "_reshape_alias", "view_as", "lift_fresh"};

constexpr std::string_view factories[] = {"empty", "empty_strided", "zeros", "ones",    "full",    "rand",
                                          "randn", "arange",        "eye",   "randint", "linspace"};

// Registered with AT_DISPATCH_FLOATING_TYPES for CUDA, cuBLAS or cuDNN ops, or ops that promote integers to a
// floating-point type.
constexpr std::string_view floating_only[] = {"mm",
                                              "addmm",
                                              "bmm",
                                              "baddbmm",
                                              "convolution",
                                              "cudnn_convolution",
                                              "convolution_backward",
                                              "gelu",
                                              "gelu_backward",
                                              "silu",
                                              "silu_backward",
                                              "sigmoid",
                                              "sigmoid_backward",
                                              "tanh",
                                              "tanh_backward",
                                              "sqrt",
                                              "rsqrt",
                                              "exp",
                                              "log",
                                              "div",
                                              "mean",
                                              "_softmax",
                                              "_softmax_backward_data",
                                              "_log_softmax",
                                              "_log_softmax_backward_data",
                                              "nll_loss_forward",
                                              "nll_loss_backward",
                                              "mse_loss",
                                              "native_layer_norm",
                                              "native_batch_norm",
                                              "native_dropout",
                                              "_scaled_dot_product_flash_attention",
                                              "_scaled_dot_product_efficient_attention"};

std::string_view base_of(std::string_view op) { return op.starts_with("aten::") ? op.substr(6) : std::string_view(); }

template <std::size_t n>
bool among(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

const OpEntry* op_entry(std::string_view op) {
  const std::string_view base = base_of(op);
  for (const OpEntry& entry : entries)
    if (!base.empty() && entry.name == base) return &entry;
  return nullptr;
}

bool is_view(std::string_view op) { return among(views, base_of(op)); }

bool in_place_or_view(std::string_view op) {
  // In place: the name ends in one underscore. Two underscores are Python's own names.
  return is_view(op) || (op.ends_with('_') && !op.ends_with("__"));
}

bool is_floating_only(std::string_view op) { return among(floating_only, base_of(op)); }

bool is_factory(std::string_view op) { return among(factories, base_of(op)); }

}  // namespace warpwalk::story
