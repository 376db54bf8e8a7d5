// The Kernel lab in the window: its page, the check and the run in the background, and the walk of a run.
#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/run/compile_child.h"
#include "app/shell/shell.h"
#include "core/run/kernel_lab/examples.h"

namespace warpwalk::shell {
namespace {

constexpr auto rest_before_check = std::chrono::milliseconds(600);  // after the last key

/// A name whose files do not exist in the folder yet, so that nothing is overwritten.
std::string unused_name(const run::KernelDraft& draft, const std::filesystem::path& folder) {
  std::error_code ignored;
  for (int n = 1;; ++n) {
    run::KernelDraft named = draft;
    if (n > 1) named.name = fmt::format("{}-{}", draft.name, n);
    if (!std::filesystem::exists(folder / named.file_name(), ignored) &&
        !std::filesystem::exists(folder / (named.name + ".json"), ignored))
      return named.name;
  }
}

}  // namespace

/// The followed kernel, or its stand-in, as a draft. `second`: why there is none.
std::pair<std::optional<run::KernelDraft>, std::string> Shell::followed_draft() const {
  if (!document_ || walk_.kernel == story::no_slice) return {{}, narration_.text("kernel_lab", "nothing_followed")};
  auto own = run::draft_of_kernel(document_->trace(), walk_.kernel);
  if (auto* const draft = std::get_if<run::KernelDraft>(&own)) return {std::move(*draft), ""};
  const story::HistoryView history = histories_.view();
  if (history.stand_in()) {
    auto stand_in = run::draft_of_history(*history.history);
    if (auto* const draft = std::get_if<run::KernelDraft>(&stand_in)) return {std::move(*draft), ""};
  }
  return {{}, std::get<std::string>(own)};
}

void Shell::open_lab() {
  set_presenting(false);
  sheet_ = Sheet::kernel;
  lab_.note.clear();
  lab_.listing = false;
  // Text that somebody typed stays; anything else makes room for the kernel that is followed now.
  const bool typed = std::ranges::any_of(lab_.versions, [](const pages::LabVersion& version) {
    return version.source.text() != version.opened.source || version.launch.text() != version.opened.launch;
  });
  if (typed || lab_job_.busy()) return;
  auto [draft, reason] = followed_draft();
  if (draft && lab_.versions[0].opened.source == draft->source) return;
  if (draft) {
    lab_.active = 0;
    for (pages::LabVersion& version : lab_.versions) version.open(*draft);
  } else if (lab_.versions[0].source.text().empty()) {
    open_lab_example(0);
  }
}

void Shell::open_lab_example(std::size_t number) {
  const run::LabExample& example = run::lab_examples()[number];
  const std::array<std::string_view, 2> names = {example.name, example.beside};
  for (std::size_t v = 0; v < names.size(); ++v) {
    auto opened = run::open_example(host_.assets, names[v]);
    if (const auto* const error = std::get_if<std::string>(&opened)) {
      lab_.note = *error;
      return;
    }
    lab_.versions[v].open(std::get<run::KernelDraft>(opened));
  }
  lab_.active = 0;
  lab_.first_row = 0;
  lab_.memory.focus = "lab.source.0";
}

std::vector<pages::LabEntry> Shell::lab_entries() const {
  std::vector<pages::LabEntry> entries;
  auto [draft, reason] = followed_draft();
  entries.push_back({narration_.text("kernel_lab", "followed"),
                     draft ? narration_.text("kernel_lab", "followed.look", {{"file", draft->file_name()}})
                           : narration_.text("kernel_lab", "followed.none", {{"reason", reason}})});
  for (const run::LabExample& example : run::lab_examples()) {
    const std::string section = fmt::format("lab/kernel.example.{}", example.name);
    entries.push_back({narration_.text(section, "title"), narration_.text(section, "look")});
  }
  return entries;
}

void Shell::choose_lab_entry(std::size_t entry) {
  if (lab_job_.busy() && !lab_job_.checking()) return;
  lab_.listing = false;
  lab_.note.clear();
  if (entry > 0) {
    open_lab_example(entry - 1);
    return;
  }
  auto [draft, reason] = followed_draft();
  if (!draft) {
    lab_.note = reason;
    return;
  }
  for (pages::LabVersion& version : lab_.versions) version.open(*draft);
  lab_.active = 0;
  lab_.memory.focus = "lab.source.0";
}

std::optional<gpu::Device> Shell::lab_device() const {
  if (document_ && walk_.kernel != story::no_slice)
    if (auto device = story::simulated_device(document_->trace(), walk_, hardware_)) return device;
  const gpu::Device* const h200 = hardware_.find("h200");
  return h200 == nullptr ? std::nullopt : std::optional(*h200);
}

void Shell::start_lab(bool check) {
  auto device = lab_device();
  if (!device) {
    lab_.note = narration_.text("note", "no_device");
    return;
  }
  run::DraftOptions options;
  options.device = std::move(*device);
  if (!host_.program.empty()) options.compile_cuda = runs::compiler_in_child(host_.program);
  options.sanitize = lab_.sanitize;
  if (host_.histories) options.threads = host_.histories->threads;
  std::vector<runs::LabJob::Task> tasks;
  for (std::size_t v = 0; v < lab_.versions.size(); ++v)
    if (v == lab_.active || (lab_.compare && !check)) tasks.push_back({v, lab_.versions[v].draft()});
  lab_job_.start(std::move(tasks), std::move(options), check);
}

void Shell::run_lab() {
  lab_.note.clear();
  lab_.listing = false;
  lab_.first_row = 0;
  if (lab_job_.checking()) {  // the run compiles anyway
    lab_job_.cancel();
    lab_wants_run_ = true;
  } else if (!lab_job_.busy()) {
    start_lab(false);
  }
}

void Shell::watch_lab() {
  if (auto outcomes = lab_job_.poll()) {
    for (runs::LabOutcome& outcome : *outcomes) {
      pages::LabVersion& version = lab_.versions[outcome.version];
      if (outcome.cancelled) {
        if (!outcome.checked_only) lab_.note = narration_.text("kernel_lab", "cancelled");
        continue;
      }
      if (version.draft() == outcome.draft) version.messages = std::move(outcome.messages);
      if (outcome.checked_only) continue;
      version.run = std::move(outcome.run);
      version.ran = std::move(outcome.draft);
    }
    if (std::exchange(lab_wants_run_, false)) start_lab(false);
  }
  // The text is checked once typing pauses.
  const pages::LabVersion& version = lab_.versions[lab_.active];
  const std::uint64_t revision = version.source.revision() + version.launch.revision() + (lab_.active << 32);
  const auto now = std::chrono::steady_clock::now();
  if (revision != lab_revision_) lab_changed_ = now;
  lab_revision_ = revision;
  if (sheet_ != Sheet::kernel || lab_checked_ == revision || lab_job_.busy()) return;
  if (now - lab_changed_ < rest_before_check) return;
  lab_checked_ = revision;
  if (!version.source.text().empty()) start_lab(true);
}

bool Shell::lab_busy() const { return lab_job_.busy() || (sheet_ == Sheet::kernel && lab_checked_ != lab_revision_); }

void Shell::walk_lab() {
  const std::shared_ptr<const run::DraftRun> ran = lab_.version().run;
  if (ran == nullptr) return;
  trace::ReadResult read;
  read.trace = ran->trace();
  LabReturn back = lab_back_ ? *lab_back_ : LabReturn{document_, view_};
  View view;
  view.file = narration_.text("kernel_lab", "walk_name", {{"file", lab_.version().opened.file_name()}});
  view.scene = "schedulers";
  view.naming = view_.naming;
  loader_.cancel();
  lesson_.reset();
  wanted_ = view;
  take_document(runs::unsaved_document(std::move(read), view.file));
  lab_back_ = std::move(back);
  sheet_ = Sheet::none;
  note_ = {narration_.text("kernel_lab", "back")};
}

void Shell::return_to_lab() {
  const LabReturn back = *std::exchange(lab_back_, {});
  if (back.document) {
    document_ = back.document;
    predictions_.clear();
    outline_ = {};
    outline_.tab = panels::first_tab(document_->trace(), document_->outline);
    strip_ = {};
    take_view(back.view);
  }
  note_ = {};
  sheet_ = Sheet::kernel;
}

void Shell::save_lab() {
  run::KernelDraft draft = lab_.version().draft();
  draft.name = unused_name(draft, host_.drafts);
  if (const auto error = run::save_draft(draft, host_.drafts)) {
    lab_.note = *error;
    return;
  }
  lab_.note = narration_.text("kernel_lab", "saved", {{"launch", draft.name + ".json"}, {"source", draft.file_name()}});
}

void Shell::paint_lab(draw::Ui& ui) {
  pages::LabProgress progress;
  progress.running = (lab_job_.busy() && !lab_job_.checking()) || lab_wants_run_;
  if (progress.running) {
    runs::LabStage stage = lab_job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  }
  const auto device = lab_device();
  const std::vector<pages::LabEntry> entries = lab_.listing ? lab_entries() : std::vector<pages::LabEntry>();
  const pages::LabChoice chosen = pages::kernel_lab(ui, lab_, entries, progress, device ? device->name : "");
  using Kind = pages::LabChoice::Kind;
  switch (chosen.kind) {
    case Kind::none: break;
    case Kind::run: run_lab(); break;
    case Kind::cancel: lab_job_.cancel(); break;
    case Kind::walk: walk_lab(); break;
    case Kind::save: save_lab(); break;
    case Kind::as_ptx:
      if (const auto ptx = lab_.version().ptx_draft()) lab_.version().open(*ptx);
      break;
    case Kind::entry: choose_lab_entry(chosen.entry); break;
  }
}

// Esc closes the list, cancels a run, and then leaves the lab.
void Shell::close_lab() {
  if (lab_.listing) {
    lab_.listing = false;
    lab_.memory.focus = fmt::format("lab.source.{}", lab_.active);
  } else if (lab_job_.busy() && !lab_job_.checking()) {
    lab_job_.cancel();
  } else {
    sheet_ = Sheet::none;
  }
}

}  // namespace warpwalk::shell
