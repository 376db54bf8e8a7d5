#include "app/runs/advice_job.h"

#include <utility>

#include "core/analysis/predict/suggest.h"

namespace warpwalk::runs {

void AdviceJob::want(const std::shared_ptr<const document::Document>& document, const std::vector<gpu::Device>& known) {
  if (document == document_) return;
  stop();
  document_ = document;
  overview_.reset();
  cancel_ = false;
  ended_ = false;
  thread_ = std::thread([this, known] {
    made_ = analysis::predict_advice(document_->trace(), document_->overview.advice, known, &cancel_);
    ended_ = true;
  });
}

void AdviceJob::watch() {
  if (!busy() || !ended_) return;
  thread_.join();
  auto overview = std::make_shared<analysis::Overview>(document_->overview);
  overview->predicted = std::move(made_);
  overview_ = std::move(overview);
}

std::shared_ptr<const analysis::Overview> AdviceJob::overview_of(const document::Document& document) const {
  return document_.get() == &document ? overview_ : nullptr;
}

void AdviceJob::stop() {
  cancel_ = true;
  if (busy()) thread_.join();
}

}  // namespace warpwalk::runs
