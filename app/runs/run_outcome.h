#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/runs/run_values.h"
#include "core/ops/expression/expression.h"
#include "core/run/expression/run_expression.h"
#include "core/story/elements/narration.h"

namespace warpwalk::runs {

/// The result of a run: the walk as a document and what the panel shows, or why there is none.
struct RunOutcome {
  std::shared_ptr<const document::Document> document;  ///< null if the run failed
  std::string summary;                                 ///< one line: a summary, or what went wrong
  std::optional<ops::ExpressionError> place;           ///< the place in the expression that `said` is about
  std::vector<run::OpCheck> checks;
  RunValues values;  ///< of the result; empty if they are not known
};

/// For example "relu(a @ b): 256x64 f32, checked against the cpu".
std::string run_summary(const story::Narration& words, const std::string& expression, const ops::Variable& result,
                        const std::vector<run::OpCheck>& checks);

/// A document for a walk that is not in a file yet; `name` is used as its file name.
std::shared_ptr<const document::Document> unsaved_document(trace::ReadResult read, const std::filesystem::path& name);

}  // namespace warpwalk::runs
