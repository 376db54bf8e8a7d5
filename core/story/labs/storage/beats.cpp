// Lab: a file from NVMe drives into GPU memory, through the CPU's memory or past it.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"
#include "core/story/labs/storage/storage.h"

namespace warpwalk::story {
namespace {

const StorageTotals& totals_of(const Storage& lab, Route route) { return lab.totals[static_cast<std::size_t>(route)]; }

std::vector<Task> tasks_of(const Storage& lab) {
  const StorageTotals &buffered = totals_of(lab, Route::buffered), &direct = totals_of(lab, Route::direct),
                      &gds = totals_of(lab, Route::gds);
  return {
      {"equal", lab.route() == Route::buffered && buffered.total <= 1.05 * gds.total},
      {"twice", lab.route() == Route::gds && 2 * gds.total <= direct.total},
      {"queue", lab.setup.chunk <= 64 << 10 && lab.rate(lab.now()) >= 0.8 * std::min(lab.setup.drives, lab.setup.link)},
      {"memory", lab.route() == Route::buffered && lab.setup.memory / crossings(Route::buffered) < lab.setup.copy},
      {"amplified", lab.now().read >= 2 * static_cast<double>(lab.setup.file)}};
}

void set_picture(const Storage& lab, std::string_view beat, double shown, Stage& stage) {
  Panels panels;
  if (beat == "routes")
    panels.rows = {{2.5, {places_panel(lab, 0, shown), places_panel(lab, lab.chosen == 0 ? 2 : lab.chosen, shown)}},
                   {1, {routes_table(lab)}, true}};
  else if (beat == "schedule")
    panels.rows = {{3, {schedule_panel(lab, shown)}}, {1, {parts_table(lab)}, true}};
  else if (beat == "calls")
    panels.rows = {{1, {code_panel(lab), call_table(lab)}}};
  else if (beat == "blocks")
    panels.rows = {{1, {blocks_panel(lab)}}, {1, {blocks_table(lab)}, true}};
  else if (beat == "pays")
    panels.rows = {{1, {chunks_panel(lab), copy_panel(lab)}}};
  else
    panels.rows = {{1, {tasks_panel(lab.input, Storage::name, tasks_of(lab))}, true},
                   {1, {routes_table(lab)}, true, true}};
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

std::string limit_text(const Storage& lab) {
  return lab.word(fmt::format("limit_{}", Storage::part_keys[static_cast<std::size_t>(lab.now().limit)].substr(5)));
}

// The parts that a question offers, and the one that is the limit.
Options limit_options(const Storage& lab) {
  Options options;
  for (std::size_t part = 0; part < part_count; ++part) {
    if (static_cast<Part>(part) == Part::copy && lab.route() != Route::buffered) continue;
    if (static_cast<Part>(part) == Part::link && lab.route() == Route::gds) continue;
    if (static_cast<Part>(part) == lab.now().limit) options.right = options.words.size();
    options.words.push_back(lab.word(fmt::format("limit_{}", Storage::part_keys[part].substr(5))));
    options.keys.emplace_back(Storage::part_keys[part].substr(5));
  }
  return options;
}

Narration::Values values_of(const Storage& lab) {
  const StorageTotals& now = lab.now();
  return {
      {"route", lab.route_text(lab.chosen)},
      {"total", time_text(now.total)},
      {"rate", lab.rate_text(lab.rate(now))},
      {"file", binary_text(static_cast<double>(lab.setup.file))},
      {"chunk", binary_text(static_cast<double>(lab.setup.chunk))},
      {"chunks", with_thousands(now.chunks)},
      {"limit", limit_text(lab)},
      {"cpu", time_text(now.cpu)},
      {"traffic", bytes_text(now.traffic)},
      {"crossings", fmt::format("{:g}", crossings(lab.route()))},
      {"drives_rate", lab.rate_text(lab.setup.drives)},
      {"copy_rate", lab.rate_text(lab.setup.copy)},
      {"link_rate", lab.rate_text(lab.setup.link)},
      {"threads", lab.word(lab.setup.threads == 1 ? "thread" : "threads", {{"n", fmt::to_string(lab.setup.threads)}})},
      {"depth", lab.word(lab.setup.depth == 1 ? "one_buffer" : "buffers", {{"n", fmt::to_string(lab.setup.depth)}})},
      {"calls", with_thousands(now.chunks * calls_per_chunk(lab.route()))},
      {"more", fmt::format("{:.3g} %", 100 * (now.read / static_cast<double>(lab.setup.file) - 1))},
      {"gain", fmt::format("{:.3g}", totals_of(lab, Route::buffered).total / totals_of(lab, Route::gds).total)}};
}

void add_facts(const Storage& lab, std::string_view beat, FactWriter& facts) {
  const StorageTotals& now = lab.now();
  facts.derived("total", now.total, Unit::nanoseconds);
  facts.derived("rate", lab.rate_text(lab.rate(now)));
  facts.derived("cpu", now.cpu, Unit::nanoseconds);
  facts.derived("traffic", now.traffic, Unit::bytes);
  if (beat == "schedule") {
    facts.derived("limit", limit_text(lab));
    facts.derived("buffers", values_of(lab).at("depth"));
    if (lab.route() == Route::buffered) facts.derived("threads", values_of(lab).at("threads"));
  }
  if (beat == "calls") facts.counted("calls", static_cast<std::size_t>(now.chunks * calls_per_chunk(lab.route())));
  if (beat == "blocks") {
    facts.derived("read", now.read, Unit::bytes);
    facts.derived("aligned", lab.word(lab.aligned()               ? "aligned"
                                      : lab.route() == Route::gds ? "unaligned_gds"
                                                                  : "unaligned"));
  }
}

void keep(std::string_view beat, Stage& stage) {
  if (beat == "routes") keep_controls(stage, {"route", "gds"});
  if (beat == "schedule") keep_controls(stage, {"route", "chunk", "depth", "threads", "drives", "copy"});
  if (beat == "calls") keep_controls(stage, {"route", "gds", "file", "chunk", "request"});
  if (beat == "blocks") keep_controls(stage, {"route", "chunk", "offset"});
  if (beat == "pays") keep_controls(stage, {"drive", "drives", "link", "memory", "depth", "latency"});
  if (beat == "tasks")
    keep_controls(stage, {"route", "chunk", "depth", "threads", "drives", "copy", "memory", "offset"});
}

}  // namespace

std::vector<Beat> storage_beats(const Trace&, const Walk&) {
  return {{"routes", 0}, {"schedule", 0}, {"calls", 0}, {"blocks", 0}, {"pays", 0}, {"tasks", 0}};
}

Stage storage(const SceneInput& input) {
  Storage lab(input);
  std::vector<Beat> beats = storage_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  if (beat == "blocks" && !lab.aligned()) here.key = "unaligned";
  const Narration::Values values = values_of(lab);
  Stage stage = common_stage(input, Storage::name, beats, values, "memory");
  FactWriter facts(input, values, stage);
  add_facts(lab, beat, facts);
  set_picture(lab, beat, part(input.moment.phase, 0.05, 0.9), stage);
  stage.controls = lab.controls.take();
  keep(beat, stage);
  if (beat == "schedule") {
    const StorageSetup& setup = lab.setup;
    ask(input, values,
        {"limit",
         fmt::format("{} {} {} {} {} {} {} {}", static_cast<int>(lab.route()), setup.file, setup.chunk, setup.depth,
                     setup.threads, setup.drives, setup.copy, setup.link),
         limit_options(lab),
         {}},
        stage);
  }
  return stage;
}

}  // namespace warpwalk::story
