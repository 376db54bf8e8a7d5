// Running an expression in the window: the sheet, the run in the background, and the walk that it makes.
#include <utility>

#include "app/shell/shell.h"

namespace warpwalk::shell {

void Shell::paint_run(draw::Ui& ui) {
  pages::RunProgress progress;
  progress.running = run_job_.busy();
  if (progress.running) {
    runs::RunStage stage = run_job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  } else {
    progress.summary = run_outcome_.summary;
    progress.place = run_outcome_.place;
    progress.checks = run_outcome_.checks;
    progress.values = run_outcome_.values;
    progress.walk = run_outcome_.document != nullptr && run_outcome_.document == document_;
  }
  const pages::RunForm before = run_form_;
  const pages::RunChoice chosen = pages::run_panel(ui, run_panel_, run_form_, cuda_.found(), progress);
  if (run_form_ != before) run_outcome_ = {};  // it belongs to the old form
  if (chosen == pages::RunChoice::cancel) run_job_.cancel();
  if (chosen == pages::RunChoice::run && !run_job_.busy()) start_run();
  if (chosen == pages::RunChoice::walk) sheet_ = Sheet::none;
}

void Shell::start_run() {
  run_outcome_ = {};
  const gpu::Device* const device = hardware_.find("h200");
  if (device == nullptr) {
    run_outcome_.summary = narration_.text("note", "no_device");
    return;
  }
  run::RunRequest request = pages::request_of(run_form_);
  request.device = *device;
  request.assets = host_.assets;
  if (host_.histories) request.threads = host_.histories->threads;
  run_asked_ = request.expression;
  run_job_.start(std::move(request), narration_.text("note", "unsaved_walk"));
}

void Shell::watch_run() {
  cuda_.poll();
  std::optional<runs::RunOutcome> outcome = run_job_.poll();
  if (!outcome) return;
  run_outcome_ = std::move(*outcome);
  if (run_form_.expression.text != run_asked_) run_outcome_.place.reset();
  if (run_outcome_.document == nullptr) {
    report_error(run_outcome_.summary);
    return;
  }
  loader_.cancel();
  lesson_.reset();
  View view;
  view.file = run_outcome_.document->file;
  view.naming = view_.naming;
  wanted_ = view;
  take_document(run_outcome_.document);
  confirm("ran", {{"summary", run_outcome_.summary}});
  if (sheet_ != Sheet::run) return;
  // Enter goes to the walk next.
  run_panel_.memory.focus = "run.walk";
  run_panel_.memory.focus_shown = true;
}

void Shell::save_walk() {
  if (!document_->unsaved) {
    confirm("saved_already", {{"file", document_->file.string()}});
    return;
  }
  const auto [file, error] = host_.save_walk(document_->trace());
  if (!error.empty()) {
    report_error(error);
    return;
  }
  View view = view_;
  view.file = file;
  open(view);
  confirm_saved(file);
}

}  // namespace warpwalk::shell
