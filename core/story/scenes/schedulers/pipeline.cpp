// The picture of a block whose warps hand data over through shared memory: groups of warps, phases of mbarriers,
// stages.
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/story/facts/simulated/pipeline_words.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

using gpu::BlockPipeline;

// Indices into the states of the legend.
enum PipelineState : std::size_t { even, even_bytes, odd, odd_bytes, waiting, filling, full, empty, meeting };
constexpr std::int64_t most_cycles = 12288;  // of a block's life that a picture shows by itself

std::string pipeline_word(const SchedulersSubject& s, std::string_view key, const Narration::Values& values = {}) {
  return s.input.narration.text("schedulers.pipeline_word", key, values);
}

std::vector<RasterState> states_of_pipeline(const SchedulersSubject& s) {
  std::vector<RasterState> states = {
      {Tone::work, false, false, {}},   {Tone::work, true, false, {}},    {Tone::barrier, false, false, {}},
      {Tone::barrier, true, false, {}}, {Tone::refused, false, true, {}}, {Tone::memory, true, false, {}},
      {Tone::memory, false, false, {}}, {Tone::plain, true, false, {}},   {Tone::host, false, true, {}}};
  const char* const keys[] = {"even",    "even_bytes", "odd",   "odd_bytes", "waiting",
                              "filling", "full",       "empty", "meeting"};
  for (std::size_t i = 0; i < states.size(); ++i) states[i].word = pipeline_word(s, keys[i]);
  return states;
}

// A stretch, as far as it lies in the picture.
void add_span(const RasterPicture& picture, RasterRow& row, std::int64_t from, std::int64_t to, std::size_t state,
              const std::string& tip) {
  from = std::max(from, picture.from);
  to = std::min(to, picture.to);
  if (from < to) row.spans.push_back({from, to, state, tip});
}

RasterGroup rows_of_groups(const SchedulersSubject& s, const RasterPicture& picture) {
  const Narration& n = s.input.narration;
  const BlockPipeline& p = *s.pipeline;
  RasterGroup group{pipeline_word(s, "groups"), {}, 1, {}};
  for (const gpu::WarpGroup& warps : p.groups) {
    RasterRow& row = group.rows.emplace_back();
    row.label = warps.count == 1 ? std::to_string(warps.first)
                                 : fmt::format("{}-{}", warps.first, warps.first + warps.count - 1);
    row.note = role_text(n, warps.role);
    // The waits of the group's warps for one phase, from the first to the last.
    std::map<std::int64_t, RasterSpan> spans;
    for (std::size_t i = 0; i < p.mbarriers.size(); ++i)
      for (const gpu::MbarrierPhase& phase : p.mbarriers[i].phases) {
        std::int64_t from = p.log.to, to = p.log.from;
        for (const gpu::PhaseWaiter& waiter : phase.waiters) {
          if (waiter.warp < warps.first || waiter.warp >= warps.first + warps.count) continue;
          from = std::min(from, waiter.from);
          to = std::max(to, waiter.to.value_or(p.log.to));
        }
        if (from >= to) continue;
        spans[from] = {from, to, waiting,
                       pipeline_word(s, "wait_tip",
                                     {{"phase", std::to_string(phase.number)},
                                      {"mbarrier", mbarrier_text(n, i)},
                                      {"from", with_thousands(from)},
                                      {"to", with_thousands(to)}})};
      }
    std::int64_t at = picture.from;
    for (const auto& [from, span] : spans) {
      add_span(picture, row, std::max(from, at), span.to, waiting, span.tip);
      at = std::max(at, span.to);
    }
  }
  return group;
}

RasterGroup rows_of_mbarriers(const SchedulersSubject& s, const RasterPicture& picture) {
  const Narration& n = s.input.narration;
  RasterGroup group{pipeline_word(s, "mbarriers"), {}, 1, {}};
  for (std::size_t i = 0; i < s.pipeline->mbarriers.size(); ++i) {
    const gpu::MbarrierLife& life = s.pipeline->mbarriers[i];
    RasterRow& row = group.rows.emplace_back();
    row.label = std::to_string(i + 1);
    for (const gpu::MbarrierPhase& phase : life.phases) {
      const std::int64_t end = phase.completed.value_or(s.pipeline->log.to);
      std::string tip = pipeline_word(s, phase.completed ? "phase_tip" : "phase_open",
                                      {{"phase", std::to_string(phase.number)},
                                       {"from", with_thousands(phase.from)},
                                       {"to", with_thousands(end)},
                                       {"expected", count_text(n, "arrival", phase.expected)},
                                       {"bytes", with_thousands(static_cast<std::int64_t>(phase.announced))}});
      if (phase.completed) tip += "\n" + pipeline_word(s, phase.by_bytes ? "by_bytes" : "by_arrival");
      for (std::size_t k = 0; k < phase.counts.size();) {
        // Neighbouring stretches that look the same become one.
        const bool bytes_alone = phase.counts[k].arrivals == 0;
        const std::int64_t from = phase.counts[k].cycle;
        while (k < phase.counts.size() && (phase.counts[k].arrivals == 0) == bytes_alone) ++k;
        const std::int64_t to = k < phase.counts.size() ? phase.counts[k].cycle : end;
        const bool is_odd = (phase.number & 1) != 0;
        const std::size_t state = is_odd ? (bytes_alone ? odd_bytes : odd) : (bytes_alone ? even_bytes : even);
        add_span(picture, row, from, to, state, tip);
      }
    }
  }
  return group;
}

// The index of the mbarrier at an offset.
std::size_t mbarrier_index(const BlockPipeline& pipeline, std::uint32_t offset) {
  const auto found = std::ranges::find(pipeline.mbarriers, offset, &gpu::MbarrierLife::offset);
  return static_cast<std::size_t>(found - pipeline.mbarriers.begin());
}

RasterGroup rows_of_stages(const SchedulersSubject& s, const RasterPicture& picture) {
  RasterGroup group{pipeline_word(s, "stages"), {}, 1, {}};
  for (const gpu::PipelineStage& stage : s.pipeline->stages) {
    RasterRow& row = group.rows.emplace_back();
    row.label = std::to_string(group.rows.size());
    Narration::Values through = {{"full", std::to_string(mbarrier_index(*s.pipeline, stage.full) + 1)}};
    if (stage.empty) through["empty"] = std::to_string(mbarrier_index(*s.pipeline, *stage.empty) + 1);
    row.note = pipeline_word(s, stage.empty ? "stage_note" : "stage_note_full", through);
    const std::string tip = pipeline_word(s, stage.empty ? "given_back" : "not_given_back", through);
    for (const gpu::StageSpan& span : stage.spans) {
      const std::size_t state = span.state == gpu::StageState::empty     ? empty
                                : span.state == gpu::StageState::filling ? filling
                                                                         : full;
      add_span(picture, row, span.from, span.to, state,
               pipeline_word(s, "round_tip",
                             {{"round", std::to_string(span.round)},
                              {"from", with_thousands(span.from)},
                              {"to", with_thousands(span.to)}}) +
                   "\n" + tip);
    }
  }
  return group;
}

RasterGroup rows_of_barriers(const SchedulersSubject& s, const RasterPicture& picture) {
  RasterGroup group{pipeline_word(s, "barriers"), {}, 1, {}};
  for (std::uint32_t number = 0; number < gpu::BlockState::barrier_count; ++number) {
    const auto uses = gpu::uses_of_named_barrier(s.pipeline->log, number);
    if (uses.empty()) continue;
    RasterRow& row = group.rows.emplace_back();
    row.label = std::to_string(number);
    for (const gpu::NamedBarrierUse& use : uses)
      add_span(picture, row, use.from, use.to.value_or(s.pipeline->log.to), meeting, {});
  }
  return group;
}

// The legend explains what is on screen.
void keep_states_of_rows(RasterPicture& picture) {
  std::vector<bool> used(picture.states.size());
  const auto for_each_span = [&](auto visit) {
    for (RasterGroup& group : picture.groups)
      for (RasterRow& row : group.rows)
        for (RasterSpan& span : row.spans) visit(span);
  };
  for_each_span([&](const RasterSpan& span) { used[span.state] = true; });
  std::vector<std::size_t> place(used.size());
  std::vector<RasterState> shown;
  for (std::size_t i = 0; i < used.size(); ++i) {
    place[i] = shown.size();
    if (used[i]) shown.push_back(std::move(picture.states[i]));
  }
  for_each_span([&](RasterSpan& span) { span.state = place[span.state]; });
  picture.states = std::move(shown);
}

RasterPicture pipeline_raster(const SchedulersSubject& s) {
  const gpu::BlockLog& log = s.pipeline->log;
  RasterPicture picture;
  picture.from = log.from;
  picture.to = std::max(log.to, log.from + 1);
  if (picture.to - picture.from > most_cycles) {
    picture.from = std::clamp(s.cycle - most_cycles / 2, log.from, log.to - most_cycles);
    picture.to = picture.from + most_cycles;
  }
  picture.states = states_of_pipeline(s);
  picture.now = s.cycle;
  picture.word_cycle = s.input.narration.text("schedulers.word", "cycle");
  picture.word_rows = pipeline_word(s, "rows");
  picture.picks_cycle = true;
  for (RasterGroup group : {rows_of_groups(s, picture), rows_of_mbarriers(s, picture), rows_of_stages(s, picture),
                            rows_of_barriers(s, picture)})
    if (!group.rows.empty()) picture.groups.push_back(std::move(group));
  keep_states_of_rows(picture);
  return picture;
}

TablePicture table_of_groups(const SchedulersSubject& s) {
  const Narration& n = s.input.narration;
  TablePicture table;
  table.columns = {{pipeline_word(s, "column.warps"), 1, false, true},
                   {pipeline_word(s, "column.role"), 1, false, true},
                   {pipeline_word(s, "column.issues"), 2, false, false, true},
                   {pipeline_word(s, "column.now"), 1, false, false, true}};
  for (const gpu::WarpGroup& group : s.pipeline->groups) {
    const std::string now = group_phase_text(n, *s.pipeline, group, s.cycle);
    table.rows.push_back(
        {{word_cell(group.count == 1 ? std::to_string(group.first)
                                     : fmt::format("{}-{}", group.first, group.first + group.count - 1)),
          word_cell(role_text(n, group.role)), word_cell(tasks_text(n, group.tasks)),
          word_cell(now.empty() ? pipeline_word(s, "never") : now)}});
  }
  return table;
}

TablePicture table_of_mbarriers(const SchedulersSubject& s) {
  const Narration& n = s.input.narration;
  TablePicture table;
  table.least_rows = 3;
  table.columns = {{pipeline_word(s, "column.mbarrier"), 1, false, true},
                   {pipeline_word(s, "column.place"), 1, false, true},
                   {pipeline_word(s, "column.phase"), 1, true, true},
                   {pipeline_word(s, "column.arrivals"), 1, true, true},
                   {pipeline_word(s, "column.bytes"), 1, true, true},
                   {pipeline_word(s, "column.completed"), 1, true, true},
                   {pipeline_word(s, "column.waiting"), 1}};
  // Those that warps wait for come first: there may be no room for all.
  std::vector<std::size_t> order(s.pipeline->mbarriers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t i) { return !s.pipeline->waiting_for(i, s.cycle).empty(); });
  for (const std::size_t i : order) {
    const gpu::MbarrierLife& life = s.pipeline->mbarriers[i];
    TableRow& row = table.rows.emplace_back();
    row.cells = {code_cell(std::to_string(i + 1)), word_cell(mbarrier_place(s.travel, life))};
    const gpu::MbarrierPhase* const phase = life.at(s.cycle);
    if (phase == nullptr) {
      row.cells.push_back(word_cell(pipeline_word(s, "never")));
      row.cells.push_back(word_cell(pipeline_word(s, "before"), Tone::quiet));
      for (int k = 0; k < 3; ++k) row.cells.push_back(word_cell(pipeline_word(s, "never")));
      continue;
    }
    const gpu::MbarrierCount& count = phase->at(s.cycle);
    row.cells.push_back(number_cell(phase->number));
    TableCell arrivals = code_cell(pipeline_word(
        s, "of", {{"lacking", with_thousands(count.arrivals)}, {"expected", with_thousands(phase->expected)}}));
    row.cells.push_back(std::move(arrivals));
    row.cells.push_back(number_cell(count.bytes));
    const bool first = phase == &life.phases.front() || (phase - 1)->completed != phase->from;
    row.cells.push_back(first ? word_cell(pipeline_word(s, "never")) : number_cell(phase->from));
    if (!first) row.cycle = phase->from;
    const std::vector<std::uint32_t> warps = s.pipeline->waiting_for(i, s.cycle);
    row.cells.push_back(word_cell(warps.empty() ? pipeline_word(s, "never") : warps_text(n, warps)));
  }
  return table;
}

// The groups of a role, as words.
std::string groups_with(const SchedulersSubject& s, gpu::WarpRole role) {
  std::vector<std::uint32_t> warps;
  for (const gpu::WarpGroup& group : s.pipeline->groups)
    if (group.role == role)
      for (std::uint32_t i = 0; i < group.count; ++i) warps.push_back(group.first + i);
  return warps_text(s.input.narration, warps);
}

std::string with_capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

bool fills_shared(const gpu::WarpGroup& group) {
  return group.role == gpu::WarpRole::producer || group.role == gpu::WarpRole::both;
}

// What the groups that fill shared memory have done before this cycle.
std::string started_text(const SchedulersSubject& s) {
  const Narration& n = s.input.narration;
  std::string text;
  for (const gpu::WarpGroup& group : s.pipeline->groups) {
    if (!fills_shared(group)) continue;
    if (!text.empty()) text += " ";
    const std::string who = with_capital(warps_text(n, group.first, group.count));
    if (gpu::count_of(group.tasks, gpu::PipelineTask::bulk_load) == 0) {
      text += n.text("pipeline.word", "issued", {{"Who", who}, {"tasks", tasks_text(n, group.tasks)}});
      continue;
    }
    const BlockPipeline::Copies copies = s.pipeline->copies_of(group, s.cycle);
    text += n.text("pipeline.word", copies.count == 0 ? "started_none" : "started",
                   {{"Who", who},
                    {"copies", count_text(n, "bulk_load", static_cast<std::int64_t>(copies.count))},
                    {"bytes", with_thousands(static_cast<std::int64_t>(copies.bytes))}});
  }
  return text;
}

}  // namespace

std::string pipeline_section(const SchedulersSubject& s) {
  if (s.pipeline == nullptr || !s.pipeline->is_asynchronous()) return "pipeline.none";
  return s.pipeline->is_specialized() ? "pipeline" : "pipeline.same";
}

void add_pipeline_values(const SchedulersSubject& s, Narration::Values& values) {
  if (s.pipeline == nullptr) return;
  const Narration& n = s.input.narration;
  values["producers"] = groups_with(s, gpu::WarpRole::producer);
  values["consumers"] = groups_with(s, gpu::WarpRole::consumer);
  values["groups"] = std::to_string(s.pipeline->groups.size());
  std::vector<std::uint32_t> all;
  for (const gpu::WarpGroup& group : s.pipeline->groups)
    for (std::uint32_t i = 0; fills_shared(group) && i < group.count; ++i) all.push_back(group.first + i);
  values["Warps"] = with_capital(warps_text(n, all));
  values["started"] = started_text(s);
  std::string now;
  for (const gpu::WarpGroup& group : s.pipeline->groups) {
    const std::string wait = group_wait_text(n, *s.pipeline, group, s.cycle);
    if (!wait.empty()) now += (now.empty() ? "" : "; ") + wait;
  }
  values["now"] = now.empty() ? n.text("pipeline.word", "no_wait") : now;
}

PanelRows pipeline_panels(const SchedulersSubject& s) {
  if (s.pipeline == nullptr) return cycles_panels(s);
  PanelRows rows;
  rows.push_back({1.5, {{"", 1, pipeline_raster(s)}}});
  TablePicture groups = table_of_groups(s);
  groups.least_rows = 2;
  rows.push_back({1, {{pipeline_word(s, "groups_heading"), 1, std::move(groups)}}});
  if (!s.pipeline->mbarriers.empty())
    rows.back().panels.push_back({pipeline_word(s, "mbarriers_heading"), 1, table_of_mbarriers(s)});
  return rows;
}

std::optional<Ask> pipeline_question(const SchedulersSubject& s) {
  if (s.pipeline == nullptr || !s.pipeline->is_asynchronous() || !s.pipeline->is_specialized()) return {};
  Options options;
  std::size_t producers = 0;
  for (const gpu::WarpGroup& group : s.pipeline->groups) {
    if (group.role == gpu::WarpRole::producer) {
      options.right = options.words.size();
      ++producers;
    }
    options.words.push_back(warps_text(s.input.narration, group.first, group.count));
    options.keys.emplace_back("group");
    options.values.push_back({{"issues", tasks_text(s.input.narration, group.tasks)}});
  }
  // With several producers, more than one answer would be right.
  if (producers != 1) return {};
  Ask asked{"pipeline", fmt::format("sm {} block {}", s.sm, s.pipeline->log.block), std::move(options), {"cycle"}};
  asked.before = [&s](Stage& stage) {
    // The phases and the stages, without the roles.
    RasterPicture raster = pipeline_raster(s);
    raster.groups.erase(raster.groups.begin());
    stage.picture = only(std::move(raster));
  };
  return asked;
}

void follow_pipeline(SchedulersSubject& s, std::uint64_t block) {
  s.pipeline = s.travel.pipeline(s.sm, block);
  if (s.pipeline == nullptr || s.input.cycle) return;
  const BlockPipeline::Wait wait = s.pipeline->longest_wait();
  if (wait.phase == nullptr) return;
  // Through the first half of the longest wait.
  const std::int64_t length = wait.waiter->to.value_or(s.pipeline->log.to) - wait.waiter->from;
  s.cycle =
      wait.waiter->from + 1 + static_cast<std::int64_t>(eased(s.input.moment.phase) * static_cast<double>(length / 2));
  s.cycle = std::clamp<std::int64_t>(s.cycle, 0, s.end);
}

}  // namespace warpwalk::story
