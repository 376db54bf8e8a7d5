#include "app/pages/kernel_lab/kernel_lab_page.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/runs/compile_child.h"
#include "app/runs/run_outcome.h"
#include "core/base/quantity_text.h"
#include "core/base/result.h"
#include "core/run/kernel_lab/examples.h"
#include "core/run/kernel_lab/kernel_stages.h"
#include "core/run/kernel_lab/launch_statement.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/cycles.h"
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

/// The followed kernel, the examples, and the sources in the folder of drafts.
std::vector<LabEntry> draft_entries(const Context& context, const std::vector<std::filesystem::path>& files) {
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

std::vector<LabEntry> gpu_entries(const Environment& environment) {
  std::vector<LabEntry> entries;
  for (const gpu::Device& device : environment.hardware.devices) {
    const std::string compared =
        environment.words.text("kernel_lab", device.compared ? "gpu.compared" : "gpu.not_compared");
    entries.push_back({fmt::format("{}: {}", device.id, device.name),
                       environment.words.text("kernel_lab", "gpu.look",
                                              {{"sms", fmt::to_string(*device.sm_count)},
                                               {"capability", *device.compute_capability.value},
                                               {"compared", compared}})});
  }
  return entries;
}

std::string launch_shape(const std::array<std::int32_t, 3>& shape) {
  if (shape[2] > 1) return fmt::format("{} x {} x {}", shape[0], shape[1], shape[2]);
  return shape[1] > 1 ? fmt::format("{} x {}", shape[0], shape[1]) : fmt::to_string(shape[0]);
}

std::vector<LabEntry> launch_entries(const story::Narration& words, const std::vector<run::ProgramLaunch>& launches) {
  std::vector<LabEntry> entries;
  for (std::size_t i = 0; i < launches.size(); ++i)
    entries.push_back({fmt::format("{}: {}", i + 1, launches[i].kernel),
                       words.text("kernel_lab", "launch.look",
                                  {{"grid", launch_shape(launches[i].grid)},
                                   {"block", launch_shape(launches[i].block)},
                                   {"shared", base::with_thousands(launches[i].shared_bytes)}})});
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

run::KernelDraft KernelLabPage::with_wishes(run::KernelDraft draft) const {
  const Environment& environment = context().environment;
  for (const auto& [word, value] : {std::pair{"gpu", &environment.lab_gpu}, {"caches", &environment.lab_caches}})
    if (!value->empty()) draft.launch = run::with_statement(draft.launch, word, *value);
  return draft;
}

void KernelLabPage::open_draft(const run::KernelDraft& draft) {
  const run::KernelDraft wished = with_wishes(draft);
  state_.active = 0;
  state_.stages.open(nullptr);
  for (LabVersion& version : state_.versions) version.open(wished);
}

void KernelLabPage::open_example(std::size_t number) {
  const run::LabExample& example = run::lab_examples()[number];
  const std::array<std::string_view, 2> names = {example.name, example.beside};
  state_.stages.open(nullptr);
  for (std::size_t v = 0; v < names.size(); ++v) {
    const auto read = run::open_example(context().environment.assets, names[v]);
    if (!read) {
      state_.note = read.error();
      return;
    }
    state_.versions[v].open(with_wishes(*read));
  }
  state_.active = 0;
  state_.first_row = 0;
  state_.memory.focus = "lab.source.0";
}

bool KernelLabPage::open(Action) {
  program().end_presenting();
  state_.note.clear();
  state_.list = LabList::none;
  // Text that somebody typed stays; anything else makes room for the kernel that is followed now.
  const bool typed = std::ranges::any_of(state_.versions, [](const LabVersion& version) {
    return version.source.text() != version.opened.source || version.launch.text() != version.opened.launch;
  });
  if (typed || job_.busy() || program_job_.busy()) return true;
  const auto draft = followed_draft(context());
  if (draft && state_.versions[0].opened.source == draft->source) return true;
  if (draft)
    open_draft(*draft);
  else if (state_.versions[0].source.text().empty())
    open_example(0);
  return true;
}

std::vector<LabEntry> KernelLabPage::entries() const {
  switch (state_.list) {
    case LabList::none: break;
    case LabList::drafts: return draft_entries(context(), files_);
    case LabList::gpus: return gpu_entries(context().environment);
    case LabList::launches: return launch_entries(words(), listed_.launches);
  }
  return {};
}

void KernelLabPage::choose_entry(std::size_t entry) {
  if (running()) return;
  const LabList list = std::exchange(state_.list, LabList::none);
  state_.note.clear();
  switch (list) {
    case LabList::none: break;
    case LabList::drafts: choose_draft(entry); break;
    case LabList::gpus: choose_gpu(entry); break;
    case LabList::launches: start_program(entry + 1); break;
  }
}

/// The focus is on the launch then, so that Ctrl+Z undoes it.
void KernelLabPage::choose_gpu(std::size_t entry) {
  const std::vector<gpu::Device>& devices = context().environment.hardware.devices;
  if (entry < devices.size()) state_.version().set_statement("gpu", devices[entry].id);
  state_.memory.focus = fmt::format("lab.launch.{}", state_.active);
}

void KernelLabPage::choose_draft(std::size_t entry) {
  const std::size_t examples = run::lab_examples().size();
  if (entry > examples) {
    if (entry - examples <= files_.size()) open_file(files_[entry - examples - 1]);
    return;
  }
  if (entry > 0) {
    open_example(entry - 1);
    return;
  }
  const auto draft = followed_draft(context());
  if (!draft) {
    state_.note = draft.error();
    return;
  }
  open_draft(*draft);
  state_.memory.focus = "lab.source.0";
}

std::optional<gpu::Device> KernelLabPage::device() const {
  const std::string named = run::statement_value(state_.versions[state_.active].launch.text(), "gpu");
  if (const gpu::Device* const found = context().environment.hardware.find(named)) return *found;
  return lab_device(context());
}

/// Lists the launches of the program in the version that was edited last, which runs if it has changed.
void KernelLabPage::list_launches() {
  const LabVersion& version = state_.version();
  if (!run::has_main(version.source.text())) {
    state_.note = words().text("kernel_lab", "no_program");
    return;
  }
  const auto simulated = device();
  if (simulated && !listed_.launches.empty() && listed_.source == version.source.text() &&
      listed_.gpu == simulated->id) {
    state_.list = LabList::launches;
    state_.listed = 0;
    state_.memory.focus = "lab.list";
    return;
  }
  start_program(0);
}

void KernelLabPage::start_program(std::size_t launch) {
  const Environment& environment = context().environment;
  const auto simulated = device();
  if (environment.program.empty() || !simulated) {
    state_.note = simulated ? words().text("kernel_lab", "program.no_children") : words().text("note", "no_device");
    return;
  }
  if (program_job_.busy()) {
    wants_program_ = launch;
    return;
  }
  if (job_.checking()) job_.cancel();
  state_.note.clear();
  state_.list = LabList::none;
  runs::ProgramRequest request;
  request.name = state_.version().opened.name;
  request.source = state_.version().source.text();
  request.folder = folder_.empty() ? environment.drafts : folder_;
  request.gpu = simulated->id;
  request.compute_capability = *simulated->compute_capability.value;
  request.threads = environment.threads;
  request.launch = launch;
  program_job_.start(environment.program, std::move(request));
}

void KernelLabPage::take_program(runs::ProgramOutcome outcome) {
  if (outcome.cancelled) {
    state_.note = words().text("kernel_lab", "cancelled");
    return;
  }
  state_.note = outcome.error;
  for (LabVersion& version : state_.versions)
    if (!outcome.messages.empty() && version.source.text() == outcome.request.source)
      version.messages = outcome.messages;
  if (outcome.draft) {
    take_launch(*outcome.draft, outcome.request.launch);
  } else if (!outcome.launches.empty()) {
    listed_ = {std::move(outcome.request.source), std::move(outcome.request.gpu), std::move(outcome.launches)};
    if (listed_.launches.size() == 1)
      start_program(1);
    else
      list_launches();
  }
}

/// Shows a launch of the program in both versions, or with two versions shown in the one that was edited last. What is
/// typed in the other version's source stays.
void KernelLabPage::take_launch(const run::KernelDraft& draft, std::size_t number) {
  const std::string gpu = run::statement_value(state_.version().launch.text(), "gpu");
  for (std::size_t v = 0; v < state_.versions.size(); ++v) {
    LabVersion& version = state_.versions[v];
    if (v != state_.active && state_.compare) continue;
    run::KernelDraft own = draft;
    if (v != state_.active && version.opened.file_name() == draft.file_name()) own.source = version.source.text();
    own = with_wishes(std::move(own));
    if (!gpu.empty()) own.launch = run::with_statement(own.launch, "gpu", gpu);
    version.open(own);
  }
  state_.first_row = 0;
  state_.memory.focus = fmt::format("lab.source.{}", state_.active);
  state_.note = words().text("kernel_lab", "launch_chosen", {{"n", fmt::to_string(number)}});
}

void KernelLabPage::cancel() {
  wants_program_.reset();
  job_.cancel();
  program_job_.cancel();
}

bool KernelLabPage::take_file(const std::filesystem::path& file) {
  if (!run::is_for_lab(file)) return false;
  program().end_presenting();
  open_file(file);
  return true;
}

std::string KernelLabPage::open_file(const std::filesystem::path& file) {
  const auto draft = run::open_source_file(file);
  if (!draft) return state_.note = draft.error();
  if (running()) cancel();
  state_.note.clear();
  state_.list = LabList::none;
  state_.first_row = 0;
  open_draft(*draft);
  state_.stages.open(run::read_kernel_stages(file));
  folder_ = file.parent_path();
  state_.memory.focus = "lab.source.0";
  const bool made_up = draft->launch == run::launch_for(draft->source, draft->language);
  if (draft->language == run::DraftLanguage::cuda && made_up && run::has_main(draft->source)) {
    listed_ = {};
    start_program(0);
  }
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
  options.gpus = environment.hardware.devices;
  options.compile_cuda = environment.compile_cuda;
  if (!environment.program.empty()) options.compile_cuda = runs::compiler_in_child(environment.program, folder_);
  options.sanitize = state_.sanitize;
  options.threads = environment.threads;
  std::vector<runs::LabJob::Task> tasks;
  for (std::size_t v = 0; v < state_.versions.size(); ++v)
    if (v == state_.active || (state_.compare && !check)) tasks.push_back({v, state_.versions[v].draft()});
  job_.start(std::move(tasks), std::move(options), check);
}

void KernelLabPage::run_drafts() {
  state_.note.clear();
  state_.list = LabList::none;
  state_.first_row = 0;
  if (program_job_.busy()) return;
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
  if (auto outcome = program_job_.poll()) {
    if (const auto wanted = std::exchange(wants_program_, {}))
      start_program(*wanted);
    else
      take_program(*std::move(outcome));
  }
  // The text is checked once typing pauses.
  LabVersion& version = state_.versions[state_.active];
  const std::uint64_t revision =
      version.source.revision() + version.launch.revision() + (std::uint64_t{state_.active} << 32);
  const auto now = std::chrono::steady_clock::now();
  if (revision != typed_.revision) {
    typed_ = {revision, typed_.checked, now};
    version.program = version.opened.language == run::DraftLanguage::cuda && run::has_main(version.source.text());
  }
  if (!shown() || typed_.is_checked() || job_.busy() || program_job_.busy()) return;
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
  // The PTX of the run is that of this text, for its GPU.
  const LabVersion& version = state_.version();
  if (run::has_main(draft.source) && version.up_to_date() && draft.language == run::DraftLanguage::cuda)
    draft.precompiled = {draft.source, version.run->loaded.ptx, "", ""};
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

LabProgress KernelLabPage::progress() const {
  LabProgress progress;
  progress.running = running() || wants_run_;
  if (progress.running) {
    runs::LabStage stage = program_job_.busy() ? program_job_.stage() : job_.stage();
    progress.what = std::move(stage.what);
    progress.share = stage.share;
    progress.seconds = stage.seconds;
  }
  return progress;
}

void KernelLabPage::paint(draw::Ui& ui) {
  if (state_.list == LabList::drafts && was_list_ != LabList::drafts)
    files_ = run::source_files_in(context().environment.drafts);
  was_list_ = state_.list;
  const auto standard = lab_device(context()), chosen_gpu = device();
  const LabChoice chosen =
      kernel_lab(ui, state_, entries(), progress(), {standard ? standard->id : "", chosen_gpu ? chosen_gpu->name : ""});
  using Kind = LabChoice::Kind;
  switch (chosen.kind) {
    case Kind::none: break;
    case Kind::run: run_drafts(); break;
    case Kind::cancel: cancel(); break;
    case Kind::launches: list_launches(); break;
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

// Esc closes the list or the stages, cancels a run, and then leaves the lab.
bool KernelLabPage::close() {
  if (state_.list != LabList::none) {
    state_.list = LabList::none;
    state_.memory.focus = fmt::format("lab.source.{}", state_.active);
    return false;
  }
  if (state_.stages.shown) {
    state_.stages.shown = false;
    state_.memory.focus = fmt::format("lab.source.{}", state_.active);
    return false;
  }
  if (!running()) return true;
  cancel();
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
  std::string stages;
  if (state_.stages.shown)
    for (const LabStages::Side& side : state_.stages.sides)
      stages += fmt::format("{}{}:{}", stages.empty() ? "" : " ",
                            run::text_stage_names[static_cast<std::size_t>(side.stage)], side.line + 1);
  report.text("lab_stages", stages);
  report.flag("lab_compare", state_.compare);
  report.text("lab_gpu", version.run == nullptr ? "" : version.run->device.id);
  report.text("lab_caches", version.run == nullptr ? "" : run::name_of(version.run->caches()));
  report.count("lab_launches", static_cast<std::int64_t>(listed_.launches.size()));
  report.count("lab_listed", state_.list == LabList::none ? -1 : static_cast<std::int64_t>(state_.listed));
}

}  // namespace warpwalk::pages
