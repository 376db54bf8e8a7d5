#include "app/runs/run_outcome.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ops/tensor/geometry.h"

namespace warpwalk::runs {

std::string run_summary(const story::Narration& words, const std::string& expression, const ops::Variable& result,
                        const std::vector<run::OpCheck>& checks) {
  const auto wrong = std::ranges::count_if(checks, [](const run::OpCheck& check) { return check.mismatches > 0; });
  return words.text("run",
                    checks.empty() ? "summary"
                    : wrong == 0   ? "summary.checked"
                                   : "summary.failed",
                    {{"expression", expression},
                     {"result", fmt::format("{} {}", ops::shape_text(result.sizes), name_of(result.dtype))},
                     {"failed", fmt::format("{}", wrong)},
                     {"checks", fmt::format("{}", checks.size())}});
}

std::shared_ptr<const document::Document> unsaved_document(trace::ReadResult read, const std::filesystem::path& name) {
  auto document = std::make_shared<document::Document>();
  document->file = name;
  document->unsaved = true;
  document->read = std::move(read);
  document->outline = analysis::outline_of(document->trace());
  document->overview = analysis::overview_of(document->trace(), document->file.filename().string());
  document->work = analysis::work_profile(document->trace(), document->overview.summary.file);
  document->tracks = analysis::track_activities(document->trace());
  return document;
}

}  // namespace warpwalk::runs
