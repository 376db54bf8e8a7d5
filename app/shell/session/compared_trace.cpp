#include "app/shell/session/compared_trace.h"

#include <memory>

namespace warpwalk::shell {

void ComparedTrace::watch() {
  if (std::shared_ptr<const document::Document> ready = loader_.poll()) {
    if (ready->read.error) {
      messages_.error(*ready->read.error);
      opened_.view.compare.clear();
    } else {
      opened_.compared = std::make_shared<const analysis::TraceSummary>(ready->overview.summary);
      opened_.comparison = std::make_shared<const analysis::TraceComparison>(
          analysis::compare_profiles(opened_.document->work, ready->work));
    }
  }
  if (opened_.view.compare == file_) return;
  loader_.cancel();
  opened_.compared.reset();
  opened_.comparison.reset();
  file_ = opened_.view.compare;
  if (!opened_.view.compare.empty()) loader_.open(opened_.view.compare);
}

void ComparedTrace::stop() {
  loader_.cancel();
  opened_.view.compare.clear();
  file_.clear();
}

}  // namespace warpwalk::shell
