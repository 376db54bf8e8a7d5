#pragma once

#include <string>

#include "app/pages/page.h"
#include "app/pages/run/run_panel.h"
#include "app/runs/run_job.h"

namespace warpwalk::pages {

/// Running an expression: the sheet, the run in the background, and the walk that it makes.
class RunPage final : public Page {
 public:
  explicit RunPage(const Context& context);

  bool open(Action by) override;
  bool close() override;
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  void watch() override;
  bool busy() const override { return job_.busy() || (shown() && cuda_.busy()); }
  std::string work() const override { return job_.busy() ? form_.expression.text : std::string(); }
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &panel_.memory; }
  void report(Report& report) const override;

 private:
  RunProgress progress() const;
  void start();

  RunForm form_;
  RunPanelState panel_;
  runs::RunJob job_;
  runs::CudaAvailability cuda_;
  std::string asked_;         // the expression of the last run
  runs::RunOutcome outcome_;  // of the last run, as long as the form is unchanged
};

}  // namespace warpwalk::pages
