// Work of scaled_dot_product_attention and of the ops that it calls.
#include <algorithm>
#include <array>

#include "core/analysis/kernels/op_rules.h"

namespace warpwalk::analysis {
namespace {

// The places of an op's arguments.
struct AttentionSchema {
  std::string_view op;
  bool heads_first;  // the tensors are batch × heads × length × width; else batch × length × heads × width
  bool backward;
  int mask;    // a tensor that is added to the products; -1: none
  int causal;  // is_causal, or custom_mask_type, where 0 means none
};

// The schemas are those of PyTorch 2.11 (native_functions.yaml) and of the package flash-attn.
constexpr std::array attention_schemas = {
    AttentionSchema{"aten::scaled_dot_product_attention", true, false, 3, 5},
    AttentionSchema{"aten::_scaled_dot_product_flash_attention", true, false, -1, 4},
    AttentionSchema{"aten::_scaled_dot_product_efficient_attention", true, false, 3, 6},
    AttentionSchema{"aten::_scaled_dot_product_cudnn_attention", true, false, 3, 6},
    AttentionSchema{"aten::_cudnn_attention_forward", true, false, 3, 10},
    AttentionSchema{"aten::_flash_attention_forward", false, false, -1, 8},
    AttentionSchema{"aten::_efficient_attention_forward", false, false, 3, 9},
    AttentionSchema{"flash_attn::_flash_attn_forward", false, false, -1, 5},
    AttentionSchema{"aten::_scaled_dot_product_flash_attention_backward", true, true, -1, 11},
    AttentionSchema{"aten::_scaled_dot_product_efficient_attention_backward", true, true, 4, 11},
    AttentionSchema{"aten::_scaled_dot_product_cudnn_attention_backward", true, true, 8, 14},
    AttentionSchema{"aten::_cudnn_attention_backward", true, true, 8, 14},
    AttentionSchema{"aten::_flash_attention_backward", false, true, -1, 11},
    AttentionSchema{"aten::_efficient_attention_backward", false, true, 4, 14},
    AttentionSchema{"flash_attn::_flash_attn_backward", false, true, -1, 11},
};

bool is_causal(const OpArguments& arguments, const AttentionSchema& schema) {
  const auto place = static_cast<std::size_t>(schema.causal);
  if (const std::optional<bool> flag = arguments.flag(place)) return *flag;
  return arguments.number(place).value_or(0) > 0;
}

// Row i of the causal mask leaves the first i + 1 columns, as documented for scaled_dot_product_attention.
double causal_pairs(double queries, double keys) {
  const double short_rows = std::min(queries, keys);  // rows that are cut by the diagonal
  return short_rows * (short_rows + 1) / 2 + (queries - short_rows) * keys;
}

OpWork attention_work(const OpArguments& arguments, const AttentionSchema& schema) {
  const std::size_t first = schema.backward ? 1 : 0;
  const OpArgument *const q = arguments.tensor(first), *const k = arguments.tensor(first + 1),
                          *const v = arguments.tensor(first + 2);
  if (q == nullptr || k == nullptr || v == nullptr || math_type(q->type) == MathType::unknown) return {};
  // Sequences of several lengths, packed into one, have three dimensions: their lengths are not recorded.
  if (q->sizes.size() != 4 || k->sizes.size() != 4 || v->sizes.size() != 4) return {};
  if (q->sizes[3] != k->sizes[3]) return {};
  const std::size_t along = schema.heads_first ? 2 : 1, heads = schema.heads_first ? 1 : 2;
  const auto size = [](const OpArgument& tensor, std::size_t d) { return static_cast<double>(tensor.sizes[d]); };
  const double queries = size(*q, along), keys = size(*k, along), width = size(*q, 3), value_width = size(*v, 3);
  const bool causal = is_causal(arguments, schema);
  const double pairs = size(*q, 0) * size(*q, heads) * (causal ? causal_pairs(queries, keys) : queries * keys);

  OpWork work;
  work.math = math_type(q->type);
  const double result = size(*q, 0) * size(*q, heads) * queries * value_width * static_cast<double>(q->element);
  double bytes = q->bytes() + k->bytes() + v->bytes();
  if (schema.mask >= 0)
    if (const OpArgument* const mask = arguments.tensor(static_cast<std::size_t>(schema.mask))) bytes += mask->bytes();
  if (schema.backward) {
    // Five products: the scores again, and the gradients of values, scores, queries and keys.
    work.rule = causal ? WorkRule::attention_backward_causal : WorkRule::attention_backward;
    work.flops = 2 * pairs * (3 * width + 2 * value_width);
    // Reads the gradient of the result and the result, writes the gradients of the three inputs.
    const double gradients = q->count() + k->count() + v->count();
    work.bytes = bytes + 2 * result + gradients * static_cast<double>(q->element);
  } else {
    work.rule = causal ? WorkRule::attention_causal : WorkRule::attention;
    work.flops = 2 * pairs * (width + value_width);
    work.bytes = bytes + result;
  }
  return work;
}

}  // namespace

WorkFunction attention_rule(std::string_view op) {
  for (const AttentionSchema& schema : attention_schemas)
    if (schema.op == op) return [&schema](const OpArguments& arguments) { return attention_work(arguments, schema); };
  return {};
}

}  // namespace warpwalk::analysis
