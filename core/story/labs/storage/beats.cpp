// Lab: a file from NVMe drives into GPU memory, through the CPU's memory or past it.
#include <algorithm>

#include <fmt/format.h>

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

using StorageBeat = BeatOf<Storage>;

// How much of a motion has been shown, 0 to 1.
double shown_of(const Storage& lab) { return part(lab.input.moment.phase, 0.05, 0.9); }

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

std::int64_t calls_of(const Storage& lab) { return lab.now().chunks * calls_per_chunk(lab.route()); }

std::string threads_text(const Storage& lab) {
  return lab.word(lab.setup.threads == 1 ? "thread" : "threads", {{"n", fmt::to_string(lab.setup.threads)}});
}

std::string depth_text(const Storage& lab) {
  return lab.word(lab.setup.depth == 1 ? "one_buffer" : "buffers", {{"n", fmt::to_string(lab.setup.depth)}});
}

Narration::Values values_of(const Storage& lab) {
  const StorageTotals& now = lab.now();
  return {{"route", lab.route_text(lab.chosen)},
          {"total", time_text(now.total)},
          {"rate", lab.rate_text(lab.rate(now))},
          {"file", bytes_text(static_cast<double>(lab.setup.file))},
          {"chunk", bytes_text(static_cast<double>(lab.setup.chunk))},
          {"chunks", with_thousands(now.chunks)},
          {"limit", limit_text(lab)},
          {"cpu", time_text(now.cpu)},
          {"traffic", bytes_text(now.traffic)},
          {"crossings", with_marks(fmt::format("{:g}", crossings(lab.route())))},
          {"drives_rate", lab.rate_text(lab.setup.drives)},
          {"copy_rate", lab.rate_text(lab.setup.copy)},
          {"link_rate", lab.rate_text(lab.setup.link)},
          {"threads", threads_text(lab)},
          {"depth", depth_text(lab)},
          {"calls", with_thousands(calls_of(lab))},
          {"more", with_marks(fmt::format("{:.3g} %", 100 * (now.read / static_cast<double>(lab.setup.file) - 1)))},
          {"gain", with_marks(fmt::format("{:.3g}",
                                          totals_of(lab, Route::buffered).total / totals_of(lab, Route::gds).total))}};
}

void time_facts(const Storage& lab, FactWriter& facts) {
  const StorageTotals& now = lab.now();
  facts.derived("total", now.total, Unit::nanoseconds);
  facts.derived("rate", lab.rate_text(lab.rate(now)));
  facts.derived("cpu", now.cpu, Unit::nanoseconds);
  facts.derived("traffic", now.traffic, Unit::bytes);
}

void schedule_facts(const Storage& lab, FactWriter& facts) {
  facts.derived("limit", limit_text(lab));
  facts.derived("buffers", depth_text(lab));
  if (lab.route() == Route::buffered) facts.derived("threads", threads_text(lab));
}

void block_facts(const Storage& lab, FactWriter& facts) {
  facts.derived("read", lab.now().read, Unit::bytes);
  facts.derived("aligned", lab.word(lab.aligned()               ? "aligned"
                                    : lab.route() == Route::gds ? "unaligned_gds"
                                                                : "unaligned"));
}

std::optional<Ask> storage_limit_question(const Storage& lab) {
  const StorageSetup& setup = lab.setup;
  return Ask{"limit",
             fmt::format("{} {} {} {} {} {} {} {}", static_cast<int>(lab.route()), setup.file, setup.chunk, setup.depth,
                         setup.threads, setup.drives, setup.copy, setup.link),
             limit_options(lab),
             {}};
}

constexpr Frame<Storage> storage_frame = {.subject = [](const Here& here) { return Storage(here.input); },
                                          .stop = "memory",
                                          .values = values_of,
                                          .facts = time_facts,
                                          .complete = take_controls};

constexpr StorageBeat storage_beats[] = {
    {.key = "routes",
     .panels = [](const Storage& lab) -> PanelRows {
       const double shown = shown_of(lab);
       return {{2.5, {places_panel(lab, 0, shown), places_panel(lab, lab.chosen == 0 ? 2 : lab.chosen, shown)}},
               {1, {routes_table(lab)}, true}};
     },
     .controls = [](const Storage&) -> ControlNames {
       return {"route", "gds"};
     }},
    {.key = "schedule",
     .facts = schedule_facts,
     .panels = [](const Storage& lab) -> PanelRows {
       return {{3, {schedule_panel(lab, shown_of(lab))}}, {1, {parts_table(lab)}, true}};
     },
     .controls = [](const Storage&) -> ControlNames {
       return {"route", "chunk", "depth", "threads", "drives", "copy"};
     },
     .question = storage_limit_question},
    {.key = "calls",
     .facts = [](const Storage& lab,
                 FactWriter& facts) { facts.counted("calls", static_cast<std::size_t>(calls_of(lab))); },
     .panels = [](const Storage& lab) -> PanelRows {
       return {{1, {code_panel(lab), call_table(lab)}}};
     },
     .controls = [](const Storage&) -> ControlNames {
       return {"route", "gds", "file", "chunk", "request"};
     }},
    {.key = "blocks",
     .section = [](const Storage& lab) -> std::string { return lab.aligned() ? "blocks" : "unaligned"; },
     .facts = block_facts,
     .panels = [](const Storage& lab) -> PanelRows {
       return {{1, {blocks_panel(lab)}}, {1, {blocks_table(lab)}, true}};
     },
     .controls = [](const Storage&) -> ControlNames {
       return {"route", "chunk", "offset"};
     }},
    {.key = "pays",
     .panels = [](const Storage& lab) -> PanelRows {
       return {{1, {chunks_panel(lab), copy_panel(lab)}}};
     },
     .controls = [](const Storage&) -> ControlNames {
       return {"drive", "drives", "link", "memory", "depth", "latency"};
     }},
    {.key = "tasks",
     .panels = [](const Storage& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, Storage::name, tasks_of(lab))}, true}, {1, {routes_table(lab)}, true, true}};
     },
     .controls = [](const Storage&) -> ControlNames {
       return {"route", "chunk", "depth", "threads", "drives", "copy", "memory", "offset"};
     }}};

}  // namespace

const Contents& storage_lab() {
  static const BeatTable table(Storage::name, storage_frame, storage_beats);
  return table;
}

}  // namespace warpwalk::story
