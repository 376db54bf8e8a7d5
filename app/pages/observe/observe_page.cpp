#include "app/pages/observe/observe_page.h"

namespace warpwalk::pages {

bool ObservePage::open(Action) {
  state_ = {};
  sampler_.start();
  return true;
}

void ObservePage::paint(draw::Ui& ui) {
  const std::shared_ptr<const document::Document>& document = opened().document;
  if (document && memory_of_ != document) {
    const std::string& expression = document->trace().records.expression;
    memory_ =
        walk_memory(words(), document->trace(), expression.empty() ? document->file.filename().string() : expression);
    memory_of_ = document;
  }
  observe_panel(ui, state_, *sampler_.snapshot(), context().environment.nvml, memory_,
                context().transport.reduced_motion);
}

}  // namespace warpwalk::pages
