#pragma once

#include "app/pages/kernels/kernels_state.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// All kernels of the trace as a table over the whole canvas, with the launches of each and a roofline.
class KernelsPage final : public Page {
 public:
  explicit KernelsPage(const Context& context) : Page(context) {}

  bool open(Action by) override;
  /// Leaves the filter, the launches and the roofline before the page.
  bool close() override;
  bool takes(const draw::KeyPress&, bool own) const override { return state_.typing || !own; }
  void paint(draw::Ui& ui) override;
  bool covers() const override { return true; }
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { state_ = {}; }
  void report(Report& report) const override;

 private:
  void make_table();
  void take_keys(draw::Ui& ui);
  /// Returns the box below it.
  draw::Box paint_head(draw::Ui& ui);
  KernelsChoice paint_view(draw::Ui& ui, const draw::Box& box);
  void open_launches();
  void save();

  KernelsState state_;
};

}  // namespace warpwalk::pages
