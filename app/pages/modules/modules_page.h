#pragma once

#include <optional>

#include "app/pages/modules/modules_state.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// Draws the page about the time of modules: a flame graph and a table. Up and Down choose a row, Enter or Right opens
/// it, Backspace or Left goes up; V, S, R, A, G and C change what is shown and copy the table. `state.times` must be
/// there. `gpus`: how many GPUs can be shown. Returns the kernel, copy or fill to follow.
std::optional<story::SliceId> modules(draw::Ui& ui, const trace::Trace& trace, std::size_t gpus, ModulesState& state);

/// The page that answers which parts of the program take the time.
class ModulesPage final : public Page {
 public:
  explicit ModulesPage(const Context& context) : Page(context) {}

  bool open(Action) override { return opened().document != nullptr; }
  void paint(draw::Ui& ui) override;
  bool covers() const override { return true; }
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { state_ = {}; }

 private:
  void measure();

  ModulesState state_;
};

}  // namespace warpwalk::pages
