// Running an expression in the window: its sheet, the run beside it, and the walk that comes of it.
#include <utility>

#include <fmt/format.h>

#include "app/shell/shell.h"

namespace warpwalk::shell {
namespace {

// What the walk is called until it is saved.
constexpr std::string_view unsaved_walk = "unsaved walk";

}  // namespace

void Shell::paint_run(draw::Ui& ui) {
  panels::RunProgress progress;
  progress.running = run_job_.busy();
  if (progress.running) {
    runs::RunStage stage = run_job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  } else {
    progress.said = run_said_;
    progress.place = run_place_;
    progress.checks = run_checks_;
  }
  const panels::RunForm before = run_form_;
  const panels::RunChoice chosen = panels::run_panel(ui, run_memory_, run_form_, cuda_.found(), progress);
  if (run_form_ != before) forget_run();  // what was said is of another run
  if (chosen == panels::RunChoice::cancel) run_job_.cancel();
  if (chosen == panels::RunChoice::run && !run_job_.busy()) start_run();
}

void Shell::forget_run() {
  run_said_.clear();
  run_place_.reset();
  run_checks_.clear();
}

void Shell::start_run() {
  const gpu::Device* const device = hardware_.find("h200");
  if (device == nullptr) {
    run_said_ = "the description of the H200 is missing in the program's assets";
    return;
  }
  run::RunRequest request = panels::request_of(run_form_);
  request.device = *device;
  request.assets = host_.assets;
  if (host_.histories) request.threads = host_.histories->threads;
  forget_run();
  run_asked_ = request.expression;
  run_job_.start(std::move(request), unsaved_walk);
}

void Shell::watch_run() {
  cuda_.poll();
  std::optional<runs::RunOutcome> outcome = run_job_.poll();
  if (!outcome) return;
  run_said_ = outcome->said;
  if (run_form_.expression.text == run_asked_) run_place_ = std::move(outcome->place);
  run_checks_ = std::move(outcome->checks);
  if (outcome->document == nullptr) {
    note_ = run_said_;
    return;
  }
  loader_.cancel();
  lesson_.reset();
  View view;
  view.file = outcome->document->file;
  view.naming = view_.naming;
  wanted_ = view;
  note_ = run_said_ + " · Ctrl+S saves the walk";
  take_document(std::move(outcome->document));
}

void Shell::save_walk() {
  if (!document_->unsaved) {
    say_here(fmt::format("{} is saved already", document_->file.string()));
    return;
  }
  const auto [file, error] = host_.save_walk(document_->trace());
  if (!error.empty()) {
    say_here(error);
    return;
  }
  View view = view_;
  view.file = file;
  open(view);
}

}  // namespace warpwalk::shell
