#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/pages/page.h"
#include "app/pages/what_if/what_if_view.h"
#include "app/runs/predict_job.h"

namespace warpwalk::pages {

/// The page that answers what a change would gain: the list of what to change first with predictions, beside the usual
/// changes and those of the followed kernel and op. Several can be ticked. Enter opens the trace with the predicted
/// times; Esc there leads back.
class WhatIfPage final : public Page {
 public:
  explicit WhatIfPage(const Context& context) : Page(context) {}

  bool open(Action by) override;
  void leave() override;
  bool close() override;
  void watch() override;
  bool busy() const override { return job_.busy(); }
  std::string work() const override;
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override;
  bool take_back() override;
  void report(Report& report) const override;

 private:
  void list_changes();
  void show_made(std::shared_ptr<const document::Document> made);

  WhatIfState state_;
  runs::PredictJob job_;
  std::shared_ptr<const document::Document> listed_;  ///< whose changes are listed
  story::Walk walk_;                                  ///< that was followed then
  struct Back {
    std::shared_ptr<const document::Document> document;
    document::View view;
  };
  std::optional<Back> back_;  ///< what was open before the changed trace
};

}  // namespace warpwalk::pages
