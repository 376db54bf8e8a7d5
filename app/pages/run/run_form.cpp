#include "app/pages/run/run_form.h"

#include <algorithm>
#include <charconv>

namespace warpwalk::pages {
namespace {

constexpr std::string_view usual_shape = "256x256";

std::optional<std::uint64_t> seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (text.empty() || error != std::errc{} || rest != end) return {};
  return seed;
}

std::size_t row_of(RunForm& form, const std::string& name) {
  const auto found = std::ranges::find(form.inputs, name, &RunInput::name);
  if (found != form.inputs.end()) return static_cast<std::size_t>(found - form.inputs.begin());
  form.inputs.push_back({name, {std::string(usual_shape)}});
  return form.inputs.size() - 1;
}

void list_inputs(RunForm& form, const std::vector<std::string>& names) {
  form.used.clear();
  for (const std::string& name : names) form.used.push_back(row_of(form, name));
}

}  // namespace

const std::vector<ops::DType>& run_dtypes() {
  using ops::DType;
  static const std::vector<DType> all = {DType::f32, DType::f16, DType::bf16, DType::f64, DType::i32, DType::i64};
  return all;
}

std::string_view run_place_name(run::Target on) { return std::ranges::find(run_places, on, &RunPlace::on)->name; }

RunJudgement judge(RunForm& form, const std::string& no_cuda) {
  RunJudgement judgement;
  judgement.wrong_seed = !seed_of(form.seed.text);
  if (form.on == run::Target::cuda) judgement.on = no_cuda;
  auto parsed = ops::Expression::parse(form.expression.text);
  const auto* const expression = std::get_if<ops::Expression>(&parsed);
  if (expression == nullptr) {
    judgement.error = std::get<ops::ExpressionError>(parsed);
    // While it is being typed, the list follows what the text names: not "fo" on the way to "foo(b)".
    if (const auto named = ops::names_in(form.expression.text)) list_inputs(form, *named);
  } else {
    list_inputs(form, expression->names());
  }
  std::vector<ops::Variable> variables;
  for (const std::size_t row : form.used) {
    const RunInput& input = form.inputs[row];
    const auto sizes = ops::parse_shape(input.shape.text);
    judgement.wrong_shapes.push_back(!sizes);
    if (sizes) variables.push_back({input.name, input.dtype, *sizes});
  }
  if (expression == nullptr || variables.size() < form.used.size()) return judgement;
  auto checked = ops::check(*expression, variables);
  if (auto* const error = std::get_if<ops::ExpressionError>(&checked))
    judgement.error = std::move(*error);
  else
    judgement.result = std::move(std::get<ops::Variable>(checked));
  return judgement;
}

run::RunRequest request_of(const RunForm& form) {
  run::RunRequest request;
  request.expression = form.expression.text;
  for (const std::size_t row : form.used)
    request.inputs.push_back(
        {form.inputs[row].name, form.inputs[row].dtype, ops::parse_shape(form.inputs[row].shape.text).value()});
  request.seed = seed_of(form.seed.text).value();
  request.gradients = form.gradients;
  request.on = form.on;
  return request;
}

}  // namespace warpwalk::pages
