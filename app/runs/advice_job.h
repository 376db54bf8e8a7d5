#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "app/document/document.h"
#include "core/gpu/device/device.h"

namespace warpwalk::runs {

/// Predicts in a thread what the changes would gain that a document's overview lists first.
class AdviceJob {
 public:
  AdviceJob() = default;
  AdviceJob(const AdviceJob&) = delete;
  AdviceJob& operator=(const AdviceJob&) = delete;
  ~AdviceJob() { stop(); }

  /// Starts for this document, unless it was asked for already. `known`: the descriptions of GPUs.
  void want(const std::shared_ptr<const document::Document>& document, const std::vector<gpu::Device>& known);
  bool busy() const { return thread_.joinable(); }
  /// Takes over what is ready.
  void watch();
  /// The overview of the document with the predictions; null: they are not made.
  std::shared_ptr<const analysis::Overview> overview_of(const document::Document& document) const;

 private:
  void stop();

  std::shared_ptr<const document::Document> document_;
  std::thread thread_;
  std::atomic<bool> cancel_ = false, ended_ = false;
  std::vector<analysis::AdvicePrediction> made_;  // by the thread
  std::shared_ptr<const analysis::Overview> overview_;
};

}  // namespace warpwalk::runs
