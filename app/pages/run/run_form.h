#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/text/text_field.h"
#include "core/ops/expression/expression.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::pages {

/// One input of the expression, as written in the panel. It is kept while its name is not used, so that it comes back
/// with the name.
struct RunInput {
  std::string name;
  draw::TextField shape;
  ops::DType dtype = ops::DType::f32;
  friend bool operator==(const RunInput&, const RunInput&) = default;
};

/// The form of the run panel.
struct RunForm {
  draw::TextField expression{"relu(a @ b)"};
  std::vector<RunInput> inputs{{"a", {"256x128"}}, {"b", {"128x64"}}};
  draw::TextField seed{"1"};
  run::Target on = run::Target::sim;
  bool gradients = false;
  /// Rows of `inputs` that the last valid expression uses, in the order of their first use.
  std::vector<std::size_t> used{0, 1};
  friend bool operator==(const RunForm&, const RunForm&) = default;
};

/// The element types that a tensor can have, in the order of the panel.
const std::vector<ops::DType>& run_dtypes();

/// The places where an expression can run, in the order of the panel. `name` is the option of `run --on` and the key in
/// [run_place] of the narration.
struct RunPlace {
  run::Target on;
  std::string_view name;
};
inline constexpr std::array run_places = {RunPlace{run::Target::sim, "sim"}, RunPlace{run::Target::cpu, "cpu"},
                                          RunPlace{run::Target::cuda, "cuda"}};
std::string_view run_place_name(run::Target on);

/// Whether the form can be run, and what is wrong with it. It reports the same errors as the run itself.
struct RunJudgement {
  std::optional<ops::ExpressionError> error;  ///< in the expression
  std::vector<bool> wrong_shapes;             ///< by RunForm::used: the shape cannot be read
  bool wrong_seed = false;                    ///< the seed cannot be read
  std::string on;                             ///< why it cannot be run on the chosen target; empty: it can
  std::optional<ops::Variable> result;        ///< type and shape of the result
  bool good() const { return result.has_value() && !wrong_seed && on.empty(); }
};

/// Checks the form. New names get a row. `no_cuda`: why nothing can be run on a real GPU; empty: it can.
RunJudgement judge(RunForm& form, const std::string& no_cuda);

/// The form as a request without device, assets and threads. The form must be good.
run::RunRequest request_of(const RunForm& form);

}  // namespace warpwalk::pages
