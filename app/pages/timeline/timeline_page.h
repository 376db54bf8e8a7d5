#pragma once

#include "app/pages/page.h"
#include "app/pages/timeline/timeline.h"

namespace warpwalk::pages {

/// The whole trace over the whole canvas.
class TimelinePage final : public Page {
 public:
  explicit TimelinePage(const Context& context) : Page(context) {}

  bool open(Action) override { return opened().document != nullptr; }
  void paint(draw::Ui& ui) override;
  bool covers() const override { return true; }
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { state_ = {}; }

 private:
  TimelineState state_;
};

}  // namespace warpwalk::pages
