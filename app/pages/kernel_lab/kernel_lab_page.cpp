#include "app/pages/kernel_lab/kernel_lab_page.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/runs/compile_child.h"
#include "app/runs/run_outcome.h"
#include "core/base/result.h"
#include "core/run/kernel_lab/examples.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/lanes/asked_control.h"

namespace warpwalk::pages {
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

/// The followed kernel, or its stand-in, as a draft. On failure: why there is none.
base::Result<run::KernelDraft> followed_draft(const Context& context) {
  const Opened& opened = context.opened;
  const story::SliceId kernel = opened.walk.kernel;
  if (!opened.document || kernel == story::no_slice)
    return base::Error{context.environment.words.text("kernel_lab", "nothing_followed")};
  auto own = run::draft_of_kernel(opened.document->trace(), kernel);
  if (own) return own;
  const story::HistoryView history = context.histories.view();
  if (history.stand_in()) {
    auto stand_in = run::draft_of_history(*history.history);
    if (stand_in) return stand_in;
  }
  return own;
}

void open_draft(KernelLabState& state, const run::KernelDraft& draft) {
  state.active = 0;
  for (LabVersion& version : state.versions) version.open(draft);
}

void open_lab_example(KernelLabState& state, const std::filesystem::path& assets, std::size_t number) {
  const run::LabExample& example = run::lab_examples()[number];
  const std::array<std::string_view, 2> names = {example.name, example.beside};
  for (std::size_t v = 0; v < names.size(); ++v) {
    auto read = run::open_example(assets, names[v]);
    if (!read) {
      state.note = read.error();
      return;
    }
    state.versions[v].open(*read);
  }
  state.active = 0;
  state.first_row = 0;
  state.memory.focus = "lab.source.0";
}

/// The followed kernel, the examples, and the sources in the folder of drafts.
std::vector<LabEntry> lab_entries(const Context& context, const std::vector<std::filesystem::path>& files) {
  const story::Narration& words = context.environment.words;
  std::vector<LabEntry> entries;
  const auto draft = followed_draft(context);
  entries.push_back({words.text("kernel_lab", "followed"),
                     draft ? words.text("kernel_lab", "followed.look", {{"file", draft->file_name()}})
                           : words.text("kernel_lab", "followed.none", {{"reason", draft.error()}})});
  for (const run::LabExample& example : run::lab_examples()) {
    const std::string section = fmt::format("lab/kernel.example.{}", example.name);
    entries.push_back({words.text(section, "title"), words.text(section, "look")});
  }
  for (const std::filesystem::path& file : files)
    entries.push_back({file.filename().string(), words.text("kernel_lab", "file.look", {{"file", file.string()}})});
  return entries;
}

/// The GPU of the followed kernel, else the H200.
std::optional<gpu::Device> lab_device(const Context& context) {
  const Opened& opened = context.opened;
  const records::Hardware& hardware = context.environment.hardware;
  if (opened.document && opened.walk.kernel != story::no_slice)
    if (auto device = story::simulated_device(opened.document->trace(), opened.walk, hardware)) return device;
  const gpu::Device* const h200 = hardware.find("h200");
  return h200 == nullptr ? std::nullopt : std::optional(*h200);
}

}  // namespace

bool KernelLabPage::open(Action) {
  program().end_presenting();
  state_.note.clear();
  state_.listing = false;
  // Text that somebody typed stays; anything else makes room for the kernel that is followed now.
  const bool typed = std::ranges::any_of(state_.versions, [](const LabVersion& version) {
    return version.source.text() != version.opened.source || version.launch.text() != version.opened.launch;
  });
  if (typed || job_.busy()) return true;
  const auto draft = followed_draft(context());
  if (draft && state_.versions[0].opened.source == draft->source) return true;
  if (draft)
    open_draft(state_, *draft);
  else if (state_.versions[0].source.text().empty())
    open_lab_example(state_, context().environment.assets, 0);
  return true;
}

void KernelLabPage::choose_entry(std::size_t entry) {
  if (running()) return;
  state_.listing = false;
  state_.note.clear();
  const std::size_t examples = run::lab_examples().size();
  if (entry > examples) {
    if (entry - examples <= files_.size()) open_file(files_[entry - examples - 1]);
    return;
  }
  if (entry > 0) {
    open_lab_example(state_, context().environment.assets, entry - 1);
    return;
  }
  const auto draft = followed_draft(context());
  if (!draft) {
    state_.note = draft.error();
    return;
  }
  open_draft(state_, *draft);
  state_.memory.focus = "lab.source.0";
}

bool KernelLabPage::take_file(const std::filesystem::path& file) {
  if (file.extension() != ".cu" && file.extension() != ".ptx" && !run::is_launch_file(file)) return false;
  program().end_presenting();
  open_file(file);
  return true;
}

std::string KernelLabPage::open_file(const std::filesystem::path& file) {
  const auto draft = run::open_source_file(file);
  if (!draft) return state_.note = draft.error();
  if (running()) job_.cancel();
  state_.note.clear();
  state_.listing = false;
  state_.first_row = 0;
  open_draft(state_, *draft);
  state_.memory.focus = "lab.source.0";
  return {};
}

void KernelLabPage::start(bool check) {
  auto simulated = lab_device(context());
  if (!simulated) {
    state_.note = words().text("note", "no_device");
    return;
  }
  const Environment& environment = context().environment;
  run::DraftOptions options;
  options.device = std::move(*simulated);
  options.compile_cuda = environment.compile_cuda;
  if (!environment.program.empty()) options.compile_cuda = runs::compiler_in_child(environment.program);
  options.sanitize = state_.sanitize;
  options.threads = environment.threads;
  std::vector<runs::LabJob::Task> tasks;
  for (std::size_t v = 0; v < state_.versions.size(); ++v)
    if (v == state_.active || (state_.compare && !check)) tasks.push_back({v, state_.versions[v].draft()});
  job_.start(std::move(tasks), std::move(options), check);
}

void KernelLabPage::run_drafts() {
  state_.note.clear();
  state_.listing = false;
  state_.first_row = 0;
  if (job_.checking()) {  // the run compiles anyway
    job_.cancel();
    wants_run_ = true;
  } else if (!job_.busy()) {
    start(false);
  }
}

void KernelLabPage::watch() {
  if (auto outcomes = job_.poll()) {
    for (runs::LabOutcome& outcome : *outcomes) {
      LabVersion& version = state_.versions[outcome.version];
      if (outcome.cancelled) {
        if (!outcome.checked_only) state_.note = words().text("kernel_lab", "cancelled");
        continue;
      }
      if (version.draft() == outcome.draft) version.messages = std::move(outcome.messages);
      if (outcome.checked_only) continue;
      version.run = std::move(outcome.run);
      version.ran = std::move(outcome.draft);
      version.checks.clear();
      if (version.run != nullptr) version.checks = run::check_results(*version.run, version.ran.expected);
    }
    if (std::exchange(wants_run_, false)) start(false);
  }
  // The text is checked once typing pauses.
  const LabVersion& version = state_.versions[state_.active];
  const std::uint64_t revision =
      version.source.revision() + version.launch.revision() + (std::uint64_t{state_.active} << 32);
  const auto now = std::chrono::steady_clock::now();
  if (revision != typed_.revision) typed_ = {revision, typed_.checked, now};
  if (!shown() || typed_.is_checked() || job_.busy()) return;
  if (now - typed_.changed < rest_before_check) return;
  typed_.checked = revision;
  if (!version.source.text().empty()) start(true);
}

std::string KernelLabPage::work() const {
  return running() ? state_.versions[state_.active].opened.file_name() : std::string();
}

void KernelLabPage::walk_run() {
  const std::shared_ptr<const run::DraftRun> ran = state_.version().run;
  if (ran == nullptr) return;
  trace::ReadResult read;
  read.trace = ran->trace();
  Back back = back_ ? *back_ : Back{opened().document, opened().view};
  document::View view;
  view.file = words().text("kernel_lab", "walk_name", {{"file", state_.version().opened.file_name()}});
  view.scene = "schedulers";
  if (const auto asked = std::exchange(state_.asked, {})) {
    // The beat about any cycle is the last one.
    view.scene = "lanes";
    view.moment.value = static_cast<std::int64_t>(
        story::find_scene("lanes")->beats(read.trace, story::default_walk(read.trace)).size());
    view.controls.set("lanes.asked", story::AskedAbout::buffer);
    view.controls.set("lanes.asked_buffer", static_cast<double>(asked->buffer));
    view.controls.set("lanes.asked_byte", static_cast<double>(asked->byte));
    view.controls.set("lanes.asked_bytes", static_cast<double>(asked->bytes));
  }
  view.naming = opened().view.naming;
  view.first_route = opened().view.first_route;
  program().take(runs::unsaved_document(std::move(read), view.file), view);
  back_ = std::move(back);
  program().close_page();
  context().messages.hint(words().text("kernel_lab", "back"));
}

bool KernelLabPage::take_back() {
  if (!back_) return false;
  const Back back = *std::exchange(back_, {});
  if (back.document) program().restore(back.document, back.view);
  context().messages.clear();
  return true;
}

void KernelLabPage::save() {
  const std::filesystem::path& folder = context().environment.drafts;
  run::KernelDraft draft = state_.version().draft();
  draft.name = unused_name(draft, folder);
  std::error_code ignored;
  if (const auto done = run::save_draft(draft, folder); !done) {
    state_.note = done.error();
    return;
  }
  state_.note = words().text("kernel_lab", "saved",
                             {{"launch", draft.name + ".json"},
                              {"source", draft.file_name()},
                              {"folder", std::filesystem::absolute(folder, ignored).string()}});
}

void KernelLabPage::paint(draw::Ui& ui) {
  LabProgress progress;
  progress.running = running() || wants_run_;
  if (progress.running) {
    runs::LabStage stage = job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  }
  const auto simulated = lab_device(context());
  if (state_.listing && !was_listing_) files_ = run::source_files_in(context().environment.drafts);
  was_listing_ = state_.listing;
  const LabChoice chosen =
      kernel_lab(ui, state_, state_.listing ? lab_entries(context(), files_) : std::vector<LabEntry>(), progress,
                 simulated ? simulated->name : "");
  using Kind = LabChoice::Kind;
  switch (chosen.kind) {
    case Kind::none: break;
    case Kind::run: run_drafts(); break;
    case Kind::cancel: job_.cancel(); break;
    case Kind::walk: walk_run(); break;
    case Kind::save: save(); break;
    case Kind::trust:
      state_.version().trust();
      state_.note = words().text("kernel_lab", "trusted");
      break;
    case Kind::as_ptx:
      if (const auto ptx = state_.version().ptx_draft()) state_.version().open(*ptx);
      break;
    case Kind::entry: choose_entry(chosen.entry); break;
  }
}

// Esc closes the list, cancels a run, and then leaves the lab.
bool KernelLabPage::close() {
  if (state_.listing) {
    state_.listing = false;
    state_.memory.focus = fmt::format("lab.source.{}", state_.active);
    return false;
  }
  if (!running()) return true;
  job_.cancel();
  return false;
}

void KernelLabPage::report(Report& report) const {
  const LabVersion& version = state_.versions[state_.active];
  report.text("lab_file", version.opened.source.empty() ? "" : version.opened.file_name());
  report.text("lab_focus", shown() ? state_.memory.focus : "");
  report.text("lab_note", state_.note);
  report.text("lab_said", version.messages.empty() ? "" : version.messages.front().with_place());
  report.count("lab_bytes", static_cast<std::int64_t>(version.source.text().size()));
  report.count("lab_findings", version.up_to_date() ? static_cast<std::int64_t>(version.run->findings.size()) : -1);
  report.flag("lab_compare", state_.compare);
}

}  // namespace warpwalk::pages
