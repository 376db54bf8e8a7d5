#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/pages/page.h"
#include "core/story/facts/analysis/idle.h"

namespace warpwalk::pages {

/// The sheet's state between frames.
struct IdleState {
  std::size_t device = 0;  ///< which of the reports is shown
  std::size_t cursor = 0;  ///< the row that Enter goes to
};

/// The sheet that answers why the GPU is idle: a verdict in one sentence, the span divided by activity of the GPU, and
/// the longest gaps with their cause, op and line of Python. Keys: Up, Down, Page Up, Page Down, Home and End choose a
/// gap, Left and Right a GPU, Enter goes to the gap. Rows can be clicked. Returns the gap that was chosen.
std::optional<story::IdleGap> idle(draw::Ui& ui, const trace::Trace& trace,
                                   const std::vector<story::IdleReport>& reports, IdleState& state);

/// The sheet about idle times. The gap that is chosen is shown with the launch that ended it.
class IdlePage final : public Page {
 public:
  explicit IdlePage(const Context& context) : Page(context) {}

  bool open(Action) override { return opened().document != nullptr; }
  void paint(draw::Ui& ui) override;
  void document_changed() override { state_ = {}; }

 private:
  void go_to(const story::IdleGap& gap);

  IdleState state_;
};

}  // namespace warpwalk::pages
