#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "core/ops/expression/expression.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::runs {

/// What came of a run: the walk as a document, and what the panel shows; or why there is none.
struct RunOutcome {
  std::shared_ptr<const document::Document> document;  ///< null where there is none
  std::string said;                                    ///< one line
  std::optional<ops::ExpressionError> place;           ///< in the expression, that `said` is about
  std::vector<run::OpCheck> checks;
};

/// "relu(a @ b): 256x64 f32, checked against the cpu".
std::string run_summary(const std::string& expression, const ops::Variable& result,
                        const std::vector<run::OpCheck>& checks);

/// A walk that is no file yet, under this name.
std::shared_ptr<const document::Document> unsaved_document(trace::ReadResult read, const std::filesystem::path& name);

}  // namespace warpwalk::runs
