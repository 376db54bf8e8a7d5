// Observing the machine's GPUs: the sheet, and the sampling while it is open.
#include "app/shell/shell.h"

namespace warpwalk::shell {

void Shell::watch_gpus() {
  if (sheet_ == Sheet::observe)
    sampler_.start();
  else
    sampler_.stop();
}

void Shell::paint_observe(draw::Ui& ui) {
  if (document_ && memory_of_ != document_) {
    const std::string& expression = document_->trace().records.expression;
    walk_memory_ = pages::walk_memory(narration_, document_->trace(),
                                       expression.empty() ? document_->file.filename().string() : expression);
    memory_of_ = document_;
  }
  pages::observe_panel(ui, observe_, *sampler_.snapshot(), host_.nvml, walk_memory_, transport_.reduced_motion);
}

}  // namespace warpwalk::shell
