// Fuzzes the expression parser with arbitrary text. The parser must either reject the text, with a position and a
// printable message, or return an expression. The shape check must either reject the expression in the same way, or
// evaluating it must give a tensor of the predicted sizes and type. Called by libFuzzer or driver.cpp.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ops/cpu/memory.h"
#include "core/ops/expression/expression.h"
#include "core/ops/expression/parsing.h"
#include "core/ops/library/library.h"
#include "core/ops/tensor/geometry.h"
#include "tests/fuzz/require.h"

namespace warpwalk::ops {
namespace {

using fuzz::require;

/// Longer expressions are not evaluated: the time grows with the number of operations.
constexpr std::size_t longest_computed = 120;

/// Checks that the text is printable and has the given number of lines.
void require_lines(std::string_view text, std::ptrdiff_t lines) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text, at);
    require(bytes != 0, "what is shown is UTF-8");
    require(bytes > 1 || text[at] == '\n' || (text[at] >= ' ' && text[at] <= '~'), "what is shown can be shown");
    at += bytes;
  }
  require(std::ranges::count(text, '\n') + 1 == lines, "so many lines");
}

void require_good(const ExpressionError& error, std::string_view text) {
  require(error.position <= text.size() && error.length >= 1, "the place is in the text");
  require(!error.message.empty(), "an error says what is wrong");
  require_lines(error.message, 1);
  require_lines(error.hint, 1);
  require_lines(error.text(text), error.hint.empty() ? 3 : 4);
}

const std::vector<Variable>& variables() {
  static const std::vector<Variable> all = {
      {"a", DType::f32, {2, 3}},    {"b", DType::f32, {3, 2}}, {"c", DType::f32, {2, 2}},
      {"d", DType::f64, {2, 3, 2}}, {"h", DType::f16, {3}},    {"i", DType::i32, {2, 3}},
      {"v", DType::f32, {2}},       {"s", DType::i64, {}},     {"e", DType::bf16, {0, 2}}};
  return all;
}

void compute(const Expression& expression, const Variable& promised) {
  CpuMemory memory(nullptr);
  Dispatcher dispatcher;
  register_library(dispatcher);
  register_cpu(dispatcher);
  register_autograd(dispatcher);
  dispatcher.set_memory(memory);
  std::vector<Tensor> tensors;
  for (const std::string& name : expression.names()) {
    const Variable& variable = *std::ranges::find(variables(), name, &Variable::name);
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count_of(variable.sizes)) * bytes_of(variable.dtype),
                                          1);
    tensors.push_back(tensor_from(memory, variable.dtype, variable.sizes, bytes));
  }
  const Tensor result = evaluate(expression, dispatcher, tensors);
  require(result.sizes() == promised.sizes, "the sizes are those that the check promised");
  require(result.dtype() == promised.dtype, "and the type");
}

void try_text(std::string_view text) {
  const auto parsed = Expression::parse(text);
  if (const auto* const error = std::get_if<ExpressionError>(&parsed)) return require_good(*error, text);
  const auto& expression = std::get<Expression>(parsed);
  const auto checked = check(expression, variables());
  if (const auto* const error = std::get_if<ExpressionError>(&checked)) return require_good(*error, text);
  if (text.size() <= longest_computed) compute(expression, std::get<Variable>(checked));
}

}  // namespace
}  // namespace warpwalk::ops

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::ops::try_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
