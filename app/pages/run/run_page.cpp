#include "app/pages/run/run_page.h"

#include <optional>
#include <utility>

namespace warpwalk::pages {

RunPage::RunPage(const Context& context)
    : Page(context),
      job_(context.environment.program, context.environment.words),
      cuda_(context.environment.program, context.environment.words) {}

bool RunPage::open(Action) {
  panel_ = {};
  cuda_.start();
  return true;
}

bool RunPage::close() {
  if (!job_.busy()) return true;
  job_.cancel();
  return false;
}

RunProgress RunPage::progress() const {
  RunProgress progress;
  progress.running = job_.busy();
  if (progress.running) {
    runs::RunStage stage = job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  } else {
    progress.summary = outcome_.summary;
    progress.place = outcome_.place;
    progress.checks = outcome_.checks;
    progress.values = outcome_.values;
    progress.walk = outcome_.document != nullptr && outcome_.document == opened().document;
  }
  return progress;
}

void RunPage::paint(draw::Ui& ui) {
  const RunForm before = form_;
  const RunChoice chosen = run_panel(ui, panel_, form_, cuda_.found(), progress());
  if (form_ != before) outcome_ = {};  // it belongs to the old form
  if (chosen == RunChoice::cancel) job_.cancel();
  if (chosen == RunChoice::run && !job_.busy()) start();
  if (chosen == RunChoice::walk) program().close_page();
}

void RunPage::start() {
  outcome_ = {};
  const Environment& environment = context().environment;
  const gpu::Device* const device = environment.hardware.find("h200");
  if (device == nullptr) {
    outcome_.summary = words().text("note", "no_device");
    return;
  }
  run::RunRequest request = request_of(form_);
  request.device = *device;
  request.assets = environment.assets;
  request.threads = environment.threads;
  asked_ = request.expression;
  job_.start(std::move(request), words().text("note", "unsaved_walk"));
}

void RunPage::watch() {
  cuda_.poll();
  std::optional<runs::RunOutcome> outcome = job_.poll();
  if (!outcome) return;
  outcome_ = std::move(*outcome);
  if (form_.expression.text != asked_) outcome_.place.reset();
  if (outcome_.document == nullptr) {
    context().messages.error(outcome_.summary);
    return;
  }
  document::View view;
  view.file = outcome_.document->file;
  view.naming = opened().view.naming;
  view.first_route = opened().view.first_route;
  program().take(outcome_.document, view);
  context().messages.confirm("ran", {{"summary", outcome_.summary}});
  if (!shown()) return;
  // Enter goes to the walk next.
  panel_.memory.focus = "run.walk";
  panel_.memory.focus_shown = true;
}

void RunPage::report(Report& report) const {
  report.text("run", form_.expression.text);
  report.text("run_on", run_place_name(form_.on));
  report.text("run_said", outcome_.summary);
  report.text("no_cuda", cuda_.found().why);
}

}  // namespace warpwalk::pages
