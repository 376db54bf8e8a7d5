#pragma once

#include <memory>

#include "app/pages/observe/observe_panel.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// What the machine's GPUs do now. They are sampled while the page is shown.
class ObservePage final : public Page {
 public:
  explicit ObservePage(const Context& context) : Page(context), sampler_(context.environment.nvml) {}

  std::shared_ptr<const instrumentation::GpuSnapshot> gpus() const { return sampler_.snapshot(); }

  bool open(Action by) override;
  void leave() override { sampler_.stop(); }
  bool live() const override { return sampler_.sampling(); }
  void paint(draw::Ui& ui) override;

 private:
  ObserveState state_;
  instrumentation::NvmlSampler sampler_;
  WalkMemory memory_;  // of memory_of_
  std::shared_ptr<const document::Document> memory_of_;
};

}  // namespace warpwalk::pages
