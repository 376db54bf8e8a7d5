#pragma once

#include <filesystem>
#include <map>

#include "app/pages/page.h"
#include "app/pages/timeline/timeline.h"

namespace warpwalk::pages {

/// The whole trace over the whole canvas.
class TimelinePage final : public Page {
 public:
  explicit TimelinePage(const Context& context) : Page(context) {}

  bool open(Action) override { return opened().document != nullptr; }
  bool close() override;
  void leave() override { state_.typing = TimelineTyping::none; }
  void paint(draw::Ui& ui) override;
  bool covers() const override { return true; }
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override;

 private:
  void prepare();
  void keep_notes();

  TimelineState state_;
  PointedSlice pointed_;                               // Opened::pointed, once it is chosen
  std::map<std::filesystem::path, TrackMarks> marks_;  // of the traces that were open before
};

}  // namespace warpwalk::pages
