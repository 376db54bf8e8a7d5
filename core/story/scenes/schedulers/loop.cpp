// A loop of the followed warp, folded: its passes aligned at their first instruction.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {
namespace {

// Cycles of an SM that a launch of warpwalk's kernels seldom exceeds; they are replayed in a tenth of a second.
constexpr std::int64_t looked_at = 50'000;
constexpr std::size_t most_pass_rows = 9;

std::optional<std::size_t> pass_at(const gpu::LoopVisit& visit, std::int64_t cycle) {
  if (cycle < visit.starts.front() || cycle >= visit.end) return {};
  return static_cast<std::size_t>(std::ranges::upper_bound(visit.starts, cycle) - visit.starts.begin()) - 1;
}

// How long the passes of a row are.
std::string note_of(const SceneInput& input, const gpu::PassGroup& passes) {
  const std::string count = std::to_string(passes.count);
  if (passes.shortest != passes.longest)
    return input.narration.text(
        "schedulers.loop_word", "folded_between",
        {{"count", count}, {"from", with_thousands(passes.shortest)}, {"to", with_thousands(passes.longest)}});
  std::string cycles = count_text(input.narration, "cycle", passes.shortest);
  if (passes.count == 1) return cycles;
  return input.narration.text("schedulers.loop_word", "folded", {{"count", count}, {"cycles", std::move(cycles)}});
}

}  // namespace

std::shared_ptr<const FollowedLoop> loop_near(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpPlace& warp,
                                              std::int64_t cycle) {
  // In steps, so that stepping through cycles replays the SM seldom.
  const std::int64_t end = travel.end(sm), step = looked_at / 2;
  const std::int64_t from = end <= looked_at ? 0 : std::max<std::int64_t>(0, cycle / step * step - step);
  const auto life = travel.life(sm, warp, from, from + 2 * looked_at);
  const std::vector<gpu::LoopVisit> visits = gpu::find_visits(gpu::loops_of(travel.program()), life->issues);
  const gpu::LoopVisit* best = gpu::innermost(visits, cycle);
  if (best == nullptr && !visits.empty()) best = &*std::ranges::max_element(visits, {}, &gpu::LoopVisit::passes);
  return best != nullptr ? std::make_shared<const FollowedLoop>(FollowedLoop{*best, life}) : nullptr;
}

RasterPicture loop_raster(const SchedulersSubject& s) {
  const Narration& n = s.input.narration;
  const gpu::LoopVisit& visit = s.loop->visit;
  const std::vector<gpu::WarpSpan>& spans = s.loop->life->row.spans;
  const std::optional<std::size_t> here = pass_at(visit, s.cycle);
  RasterPicture picture;
  picture.states = raster_states(n);
  picture.word_cycle = n.text("schedulers.loop_word", "cycle");
  picture.word_rows = n.text("schedulers.loop_word", "pass");
  RasterGroup& group = picture.groups.emplace_back();
  std::int64_t longest = 1;
  for (const gpu::PassGroup& folded : gpu::fold_passes(visit, here, most_pass_rows)) {
    RasterRow& row = group.rows.emplace_back();
    const std::size_t last = folded.first + folded.count;
    row.label = folded.count == 1 ? std::to_string(last) : fmt::format("{}-{}", folded.first + 1, last);
    row.note = note_of(s.input, folded);
    const std::size_t shown = folded.first == here ? *here : folded.typical;
    const std::int64_t start = visit.starts[shown], end = start + visit.cycles(shown);
    row.cycle = start;
    row.followed = folded.first == here;
    if (row.followed) picture.now = s.cycle - start;
    longest = std::max(longest, end - start);
    for (const gpu::WarpSpan& span : spans) {
      const std::int64_t from = std::max(span.from, start), to = std::min(span.to, end);
      if (from >= to) continue;
      std::string tip =
          stall_sentence(n, span.reason) + "\n" + instruction_text(s.travel, s.history, span.instruction).text;
      row.spans.push_back({from - start, to - start, raster_state(span.reason), std::move(tip)});
    }
  }
  picture.to = longest;
  keep_shown_states(picture);
  return picture;
}

TablePicture loop_table(const SchedulersSubject& s) {
  const Narration& n = s.input.narration;
  const gpu::LoopVisit& visit = s.loop->visit;
  const std::vector<RasterState> states = raster_states(n);
  std::vector<std::int64_t> cycles(states.size());
  const std::int64_t start = visit.starts.front();
  for (const gpu::WarpSpan& span : s.loop->life->row.spans) {
    const std::int64_t from = std::max(span.from, start), to = std::min(span.to, visit.end);
    if (from < to) cycles[raster_state(span.reason)] += to - from;
  }
  const auto word = [&](std::string_view key) { return n.text("schedulers.loop_word", key); };
  TablePicture table;
  table.columns = {{word("what"), 1.6}, {word("per_pass"), 1, true}, {word("share"), 1, true}};
  std::vector<std::size_t> order(states.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t state) { return cycles[state]; });
  for (const std::size_t state : order) {
    if (cycles[state] == 0) continue;
    const auto spent = static_cast<double>(cycles[state]);
    table.rows.push_back({{word_cell(states[state].word, states[state].tone),
                           figure_cell(Figure::derived(spent / static_cast<double>(visit.passes()), Unit::count,
                                                       word("formula_per_pass"))),
                           figure_cell(Figure::derived(100 * spent / static_cast<double>(visit.end - start),
                                                       Unit::percent, word("formula_share")))}});
  }
  return table;
}

void add_loop_values(const SchedulersSubject& s, Narration::Values& values) {
  if (s.warp != nullptr) values["warp"] = warp_name(s.input.narration, s.warp->place);
  if (!s.loop) return;
  const gpu::LoopVisit& visit = s.loop->visit;
  values["warp"] = warp_name(s.input.narration, s.loop->life->row.place);
  values["passes"] = with_thousands(static_cast<std::int64_t>(visit.passes()));
  const std::int64_t start = visit.starts.front();
  const auto within = [&](const gpu::IssuedInstruction& issue) {
    return issue.cycle >= start && issue.cycle < visit.end;
  };
  const auto issued = std::ranges::count_if(s.loop->life->issues, within);
  const auto passes = static_cast<double>(visit.passes());
  const auto mean = [&](auto sum) { return with_thousands(std::llround(static_cast<double>(sum) / passes)); };
  values["per_pass"] = mean(visit.end - start);
  values["instructions"] = mean(issued);
  values["loop_from"] = with_thousands(start);
  values["loop_to"] = with_thousands(visit.end);
}

}  // namespace warpwalk::story
