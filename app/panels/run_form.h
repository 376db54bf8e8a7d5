#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/text_field.h"
#include "core/ops/expression/expression.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::panels {

/// One input of the expression, as it is written in the panel. Kept while its name is not used, so that it is there
/// again when it is.
struct RunInput {
  std::string name;
  TextField shape;
  ops::DType dtype = ops::DType::f32;
  friend bool operator==(const RunInput&, const RunInput&) = default;
};

/// What a person has filled in to run an expression.
struct RunForm {
  TextField expression{"relu(a @ b)"};
  std::vector<RunInput> inputs{{"a", {"256x128"}}, {"b", {"128x64"}}};
  TextField seed{"1"};
  run::Target on = run::Target::sim;
  bool gradients = false;
  /// Rows of `inputs` in the order of their first use, of the last expression that could be read.
  std::vector<std::size_t> used{0, 1};
  friend bool operator==(const RunForm&, const RunForm&) = default;
};

/// The element types that a tensor can have, in the order of the panel.
const std::vector<ops::DType>& run_dtypes();

/// Where an expression can be run, by name, in the order of the panel.
struct RunPlace {
  run::Target on;
  std::string_view name;
};
inline constexpr std::array run_places = {RunPlace{run::Target::sim, "simulated GPU"},
                                          RunPlace{run::Target::cpu, "cpu"}, RunPlace{run::Target::cuda, "cuda"}};
std::string_view run_place_name(run::Target on);

/// Whether it can be run, and what is wrong where: nothing is said that Run would not say too.
struct RunJudgement {
  std::optional<ops::ExpressionError> error;  ///< in the expression
  std::vector<std::string> inputs;            ///< by RunForm::used: what is wrong with the shape; empty: nothing
  std::string seed;                           ///< the same
  std::string on;                             ///< why it cannot be run there
  std::optional<ops::Variable> result;        ///< what comes out
  bool good() const { return result.has_value() && seed.empty() && on.empty(); }
};

/// Reads the form. Names that are new get a row; `no_cuda`: why it cannot be run on a real GPU, empty: it can.
RunJudgement judge(RunForm& form, const std::string& no_cuda);

/// The form as a request, all but where and how: only of one that is good.
run::RunRequest request_of(const RunForm& form);

}  // namespace warpwalk::panels
