// Which expressions the lab plays, with which inputs.
#include <algorithm>
#include <array>

#include "core/run/launch/generate.h"
#include "core/story/labs/autograd/tape.h"
#include "core/story/labs/autograd/tape_session.h"

namespace warpwalk::story {
namespace {

const std::array<ops::Sizes, 7>& candidates() {
  static const std::array<ops::Sizes, 7> list = {ops::Sizes{2, 3}, ops::Sizes{3, 2}, ops::Sizes{2, 2}, ops::Sizes{3},
                                                 ops::Sizes{2},    ops::Sizes{3, 3}, ops::Sizes{}};
  return list;
}

// Hints of the library are about options of the command line, which the lab does not have.
ops::ExpressionError without_options(ops::ExpressionError error) {
  if (error.hint.find("--") != std::string::npos) error.hint.clear();
  return error;
}

}  // namespace

std::variant<TapeProgram, TapeFault> tape_program(std::string_view text) {
  auto parsed = ops::Expression::parse(text);
  if (auto* const error = std::get_if<ops::ExpressionError>(&parsed)) return TapeFault{"", without_options(*error)};
  TapeProgram program{std::get<ops::Expression>(std::move(parsed)), {}};
  const std::vector<std::string> names = program.expression.names();
  if (names.size() > TapeLimits::names) {
    const std::string& first_too_many = names[TapeLimits::names];
    const std::size_t at = program.expression.text().find(first_too_many);
    return TapeFault{"names", {at == std::string::npos ? 0 : at, first_too_many.size(), "", ""}};
  }
  for (const std::string& name : names) program.inputs.push_back({name, ops::DType::f64, {}});
  // All combinations, the last name varies first. The error that is furthest to the right is the most telling one.
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < names.size(); ++i) combinations *= candidates().size();
  std::optional<ops::ExpressionError> furthest;
  bool fits = false;
  for (std::size_t c = 0; c < combinations && !fits; ++c) {
    std::size_t rest = c;
    for (std::size_t i = names.size(); i-- > 0; rest /= candidates().size())
      program.inputs[i].sizes = candidates()[rest % candidates().size()];
    auto checked = ops::check(program.expression, program.inputs);
    fits = std::holds_alternative<ops::Variable>(checked);
    if (auto* const error = std::get_if<ops::ExpressionError>(&checked);
        error != nullptr && (!furthest || error->position > furthest->position))
      furthest = std::move(*error);
  }
  if (!fits) return TapeFault{"", without_options(furthest.value_or(ops::ExpressionError{}))};
  const ops::ExpressionError whole = {0, std::max<std::size_t>(1, text.size()), "", ""};
  if (ops::largest_made(program.expression, program.inputs).elements > static_cast<double>(TapeLimits::elements))
    return TapeFault{"elements", whole};
  try {
    TapeSession session(program);
    session.make_leaves({});
    const ops::Tensor result = session.forward(false);
    if (result.sizes().size() > 2) return TapeFault{"elements", whole};
    if (session.ops().size() + names.size() > TapeLimits::nodes) return TapeFault{"nodes", whole};
  } catch (const ops::OpError& error) {
    ops::ExpressionError said = whole;
    said.message = error.what();
    return TapeFault{"", std::move(said)};
  }
  return program;
}

TapeTensor tape_input(std::size_t index, const ops::Sizes& sizes) {
  TapeTensor tensor{sizes, {}};
  for (std::int64_t i = 0; i < ops::count_of(sizes); ++i) {
    const auto step = static_cast<int>(run::splitmix64(index + 24, static_cast<std::uint64_t>(i)) % 38);
    tensor.values.push_back((step < 19 ? step - 19 : step - 18) / 10.0);
  }
  return tensor;
}

}  // namespace warpwalk::story
