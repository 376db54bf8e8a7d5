// The followed number as it grows: the sum after each product, and the way of the two numbers that are multiplied.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/run/replay/history.h"
#include "core/run/replay/time_travel.h"
#include "core/story/beats/with_cycles.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/code/source_lines.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/simulated/line_values.h"
#include "core/story/facts/simulated/operand_places.h"
#include "core/story/scenes/lanes/lanes.h"
#include "core/story/stage/control_set.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t shown_sums = 6;
constexpr std::uint32_t code_around = 3;  // instructions before and after the one that adds
constexpr double sum_seconds = 6;

/// The steps that a step is computed by or from, those of `without` and before left out, ascending.
std::vector<std::uint32_t> steps_behind(const gpu::Origin& origin, std::uint32_t step,
                                        std::optional<std::uint32_t> without) {
  std::set<std::uint32_t> found{step};
  std::vector<std::uint32_t> open{step};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (const std::uint32_t from : origin.steps[at].from)
      if (from != without && found.insert(from).second) open.push_back(from);
  }
  return {found.begin(), found.end()};
}

class SumBuild {
 public:
  SumBuild(const SceneInput& input, const FollowedNumber& number, std::vector<PartialSum> sums)
      : input_(input), trail_(*input.history.trail), number_(number), places_(number, trail_), sums_(std::move(sums)) {}

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input_.narration.text("lanes.sum_word", key, values);
  }

  /// The last sums up to the kth product.
  Panel sums(std::int64_t k) const {
    TablePicture table;
    table.columns = {{"k", 0.6, true, true},
                     {fmt::format("a[{}, k]", number_.at.row), 1, true},
                     {fmt::format("b[k, {}]", number_.at.column), 1, true},
                     {word("sum"), 1.1, true},
                     {word("cycle"), 1, true}};
    const auto count = static_cast<std::int64_t>(sums_.size());
    const std::int64_t first =
        std::clamp(k - shown_sums + 2, std::int64_t{0}, std::max<std::int64_t>(0, count - shown_sums));
    for (std::int64_t i = first; i < std::min(count, first + shown_sums); ++i) {
      const PartialSum& sum = sums_[static_cast<std::size_t>(i)];
      TableRow& row = table.rows.emplace_back();
      row.followed = i == k;
      const bool told = i <= k;
      row.cells = {number_cell(i), code(element_text(sum.a), Tone::memory), code(element_text(sum.b), Tone::memory),
                   code(told ? element_text(sum.sum) : "", i == k ? Tone::followed : Tone::plain),
                   code(told && sum.cycle >= 0 ? with_thousands(sum.cycle) : "", Tone::quiet)};
      if (sum.cycle >= 0) row.cycle = sum.cycle;
    }
    return {word("sums", {{"c", number_.name()}}), 1, std::move(table)};
  }

  /// The ways of the two numbers of the kth product from memory to the lane that multiplies them, and the sum.
  Panel way(std::int64_t k) const {
    const PartialSum& sum = sums_[static_cast<std::size_t>(k)];
    std::optional<std::uint32_t> before;
    if (k > 0) before = sums_[static_cast<std::size_t>(k - 1)].step;
    const std::vector<std::uint32_t> behind = steps_behind(trail_.origin, sum.step, before);
    const std::array names = {fmt::format("a[{}, {}]", number_.at.row, k),
                              fmt::format("b[{}, {}]", k, number_.at.column)};
    const std::array values = {sum.a, sum.b};
    GraphPicture graph;
    std::array<std::vector<Station>, 2> ways;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const auto address = places_.factor(i, k)) ways[i] = way_of(behind, *address);
      longest = std::max(longest, ways[i].size());
    }
    // The product and the sum stand between both ways.
    const std::size_t product = graph.nodes.size();
    graph.nodes.push_back(node(Station{sum.step, trail_.lane_of(sum.step), "adds"}, "", longest, 0));
    graph.nodes.back().followed = true;
    graph.nodes.back().below = fmt::format("{} = {}", word("sum"), element_text(sum.sum));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string value = element_text(values[i]);
      for (std::size_t at = 0; at < ways[i].size(); ++at) {
        const std::size_t to = graph.nodes.size() + 1;
        graph.nodes.push_back(node(ways[i][at], fmt::format("{} = {}", names[i], value), at, i));
        graph.edges.push_back({to - 1, at + 1 < ways[i].size() ? to : product, "", {}, Tone::followed});
      }
    }
    return {word("way", {{"k", std::to_string(k)}}), 1, std::move(graph)};
  }

  /// The instructions around the one that adds the kth product, and their line of the source.
  Panel code(std::int64_t k) const {
    const std::uint32_t adds = trail_.origin.steps[sums_[static_cast<std::size_t>(k)].step].instruction;
    CodePicture picture;
    CodePicture::Column column;
    const run::TimeTravel& travel = *input_.history.travel;
    column.kind = travel.program().machine_code ? CodeKind::sass : CodeKind::ptx;
    column.name = word(travel.program().machine_code ? "machine_code" : "ptx");
    const std::uint32_t first = adds > code_around ? adds - code_around : 0;
    const std::uint32_t end = std::min(instruction_count(travel), adds + code_around + 1);
    for (std::uint32_t i = first; i < end; ++i) {
      InstructionText text = instruction_text(travel, *input_.history.history, i);
      if (i == adds) column.window.focus = column.window.lines.size();
      column.window.lines.push_back({text.number, std::move(text.text), 0, i == adds});
    }
    column.window.all_lines = static_cast<std::int64_t>(column.window.lines.size());
    column.window.lit_lines = 1;
    picture.decoded = column.kind == CodeKind::sass;
    if (auto source = source_column(input_.narration, travel, *input_.history.history, adds, 2 * code_around + 1)) {
      add_values(input_.narration, *source, sums_, static_cast<std::size_t>(k));
      picture.columns.push_back(std::move(*source));
    }
    picture.columns.push_back(std::move(column));
    return {word("code"), 1.6, std::move(picture)};
  }

  /// The last instructions that made the number, if its sums are not known.
  Panel last_steps() const {
    std::vector<std::uint32_t> steps;
    const auto count = static_cast<std::uint32_t>(trail_.origin.steps.size());
    for (std::uint32_t i = count > 12 ? count - 12 : 0; i < count; ++i) steps.push_back(i);
    TablePicture table = empty_table();
    for (const std::uint32_t step : steps)
      add_row(step, trail_.lane_of(step), memory_text(trail_.origin.steps[step]), value_of(step), table);
    return {word("last_steps"), 1, std::move(table)};
  }

 private:
  static TableCell code(std::string text, Tone tone) {
    TableCell cell = word_cell(std::move(text), tone);
    cell.code = true;
    return cell;
  }

  TablePicture empty_table() const {
    TablePicture table;
    table.columns = {{word("cycle"), 0.8, true, true},
                     {word("lane"), 0.8, true},
                     {word("instruction"), 3},
                     {word("memory"), 1.7},
                     {word("value"), 0.9, true}};
    return table;
  }

  void add_row(std::uint32_t index, int lane, std::string memory, std::string value, TablePicture& table) const {
    const gpu::OriginStep& step = trail_.origin.steps[index];
    const std::int64_t cycle = trail_.cycles[index];
    TableRow& row = table.rows.emplace_back();
    row.cells = {
        code(cycle >= 0 ? with_thousands(cycle) : "", Tone::quiet),
        code(fmt::format("{}.{}", step.warp.warp, lane), Tone::plain),
        code(instruction_text(*input_.history.travel, *input_.history.history, step.instruction).text, Tone::plain),
        code(std::move(memory), Tone::memory), code(std::move(value), Tone::followed)};
    if (cycle >= 0) row.cycle = cycle;
  }

  std::string value_of(std::uint32_t index) const {
    const gpu::OriginStep& step = trail_.origin.steps[index];
    return step.value_bytes == number_.result.element ? value_text(number_, step.value) : "";
  }

  std::string shared_text(std::uint64_t offset) const {
    return word("shared", {{"offset", fmt::format("{:#x}", offset)}});
  }

  std::string memory_text(const gpu::OriginStep& step) const {
    if (step.accesses.empty()) return {};
    const gpu::OriginAccess& access = step.accesses.front();
    if (step.space == gpu::OriginStep::Space::shared) return shared_text(access.address);
    if (step.space == gpu::OriginStep::Space::local) return word("local");
    return access.address == trail_.address ? number_.name() : fmt::format("{:#x}", access.address);
  }

  /// An instruction that has a number, for a lane.
  struct Station {
    std::uint32_t step = 0;
    int lane = 0;
    std::string_view does;     ///< key of the words for it
    std::uint64_t shared = 0;  ///< the address in shared memory, if it is there
  };

  GraphNode node(const Station& station, const std::string& number, std::size_t column, std::size_t row) const {
    const gpu::OriginStep& step = trail_.origin.steps[station.step];
    const std::int64_t cycle = trail_.cycles[station.step];
    const std::string text = instruction_text(*input_.history.travel, *input_.history.history, step.instruction).text;
    GraphNode node;
    node.name = word(station.does, {{"offset", fmt::format("{:#x}", station.shared)}, {"number", number}});
    // The operation and the register that it writes or stores; all of it is at the pointer.
    node.text = without_guard(text.substr(0, text.find(',')));
    node.below = word("warp_lane", {{"warp", std::to_string(step.warp.warp)}, {"lane", std::to_string(station.lane)}});
    node.tip = text;
    if (cycle >= 0) {
      node.tip += "\n" + word("in_cycle", {{"cycle", with_thousands(cycle)}});
      node.below += " · " + word("in_cycle", {{"cycle", with_thousands(cycle)}});
    }
    node.tone = station.does == "loads" ? Tone::memory : station.does == "adds" ? Tone::work : Tone::shared;
    node.column = column;
    node.row = row;
    return node;
  }

  static std::string without_guard(const std::string& text) {
    const std::size_t guard = text.starts_with('@') ? text.find(' ') : std::string::npos;
    return guard == std::string::npos ? text : text.substr(guard + 1);
  }

  /// Follows the number at an address of global memory from its load, from lane to lane and through shared memory.
  std::vector<Station> way_of(const std::vector<std::uint32_t>& steps, std::uint64_t address) const {
    using Kind = gpu::OriginStep::Kind;
    using Space = gpu::OriginStep::Space;
    const auto covers = [](std::uint64_t begin, std::uint32_t bytes, std::uint64_t at) {
      return at >= begin && at - begin < bytes;
    };
    std::vector<Station> way;
    std::optional<std::uint32_t> loaded;  // the step after which a lane has the number in a register
    int lane = 0;
    std::optional<std::uint64_t> shared;
    for (const std::uint32_t index : steps) {
      const gpu::OriginStep& step = trail_.origin.steps[index];
      for (const gpu::OriginAccess& access : step.accesses) {
        if (step.kind == Kind::load && step.space == Space::global && !loaded &&
            covers(access.address, access.bytes, address)) {
          loaded = index;
          lane = access.lane;
          way.push_back({index, lane, "loads"});
        } else if (step.kind == Kind::copy && access.source != 0 && covers(access.source, access.bytes, address)) {
          shared = access.address + address - access.source;
          way.push_back({index, access.lane, "copies", *shared});
        } else if (step.kind == Kind::store && step.space == Space::shared && loaded && access.lane == lane &&
                   step.warp == trail_.origin.steps[*loaded].warp && std::ranges::count(step.from, *loaded) != 0) {
          shared = access.address;
          way.push_back({index, lane, "shares", *shared});
        } else if (step.kind == Kind::load && step.space == Space::shared && shared &&
                   covers(access.address, access.bytes, *shared)) {
          way.push_back({index, access.lane, "gets", *shared});
        }
      }
    }
    return way;
  }

  const SceneInput& input_;
  const run::NumberTrail& trail_;
  const FollowedNumber& number_;
  const OperandPlaces places_;
  const std::vector<PartialSum> sums_;
};

struct NumberSum {
  const SceneInput& input;
  FollowedNumber number;
  std::vector<PartialSum> sums;
  Narration::Values values;
  ControlSet controls{input, "lanes"};
  std::int64_t k = 0;  ///< the product that is shown, if any is known
};

// The product that the motion has come to. It begins slowly, so that the first sums can be followed.
std::int64_t moved_to(std::size_t products, double phase) {
  const double share = part(phase, 0.05, 0.95);
  return static_cast<std::int64_t>(share * share * static_cast<double>(products - 1) + 0.5);
}

NumberSum sum_subject(const Here& here) {
  const SceneInput& input = here.input;
  const run::NumberTrail& trail = *input.history.trail;
  FollowedNumber number = *followed_number(input.trace, input.walk, input.controls);
  std::vector<PartialSum> sums = partial_sums(number, trail);
  NumberSum s{input, std::move(number), std::move(sums), common_values(input)};
  s.values["c"] = s.number.name();
  s.values["row"] = with_thousands(s.number.at.row);
  s.values["column"] = with_thousands(s.number.at.column);
  s.values["lane"] = std::to_string(trail.lane);
  s.values["warp"] = warp_name(input.narration, trail.warp);
  s.values["register"] = register_of(*input.history.travel, trail.store());
  s.values["value"] = value_text(s.number, trail.bits);
  s.values["k"] = with_thousands(static_cast<std::int64_t>(s.sums.size()));
  if (s.sums.empty()) return s;
  s.k = s.controls.slider("product", steps_by(0, static_cast<double>(s.sums.size()) - 1, 1),
                          moved_to(s.sums.size(), input.moment.phase), "motion");
  s.controls.last().stepped = true;
  return s;
}

// Without cycles, or while the number is looked for.
std::string without_trail(const Here& here, Narration::Values& values) {
  if (std::string missing = without_cycles(here, values); !missing.empty()) return missing;
  const HistoryView& history = here.input.history;
  if (history.trail != nullptr) return "";
  values["reason"] = history.no_trail;
  return history.no_trail.empty() ? "sum.building" : "sum.none";
}

void sum_facts(const NumberSum& s, FactWriter& facts) {
  const auto simulated = [&](std::string_view key, std::string text) {
    facts.fact(key, Figure::recorded(std::move(text), Origin::simulated));
  };
  simulated("number", fmt::format("{} = {}", s.values.at("c"), s.values.at("value")));
  simulated("warp", s.values.at("warp"));
  simulated("number_lane", s.values.at("lane"));
  if (!s.values.at("register").empty()) simulated("number_register", s.values.at("register"));
  if (s.input.history.stand_in()) simulated("stand_in", stand_in_text(s.input.narration, *s.input.history.history));
  if (s.sums.empty()) return;
  const PartialSum& at = s.sums[static_cast<std::size_t>(s.k)];
  simulated("number_sum", element_text(at.sum));
  if (at.cycle >= 0) simulated("cycle", with_thousands(at.cycle));
}

PanelRows sum_panels(const NumberSum& s) {
  const SumBuild build(s.input, s.number, s.sums);
  if (s.sums.empty()) return {{1, {build.last_steps()}}};
  return {{1, {build.way(s.k)}}, {1, {build.sums(s.k), build.code(s.k)}}};
}

constexpr Frame<NumberSum> of_number = {
    .subject = sum_subject,
    .stop = "registers",
    .instead = without_trail,
    .values = [](const NumberSum& s) { return s.values; },
    .facts = sum_facts,
    .complete = [](NumberSum& s, const Narration::Values&, Stage& stage) { stage.controls = s.controls.take(); }};

}  // namespace

std::optional<AskedPlace> asked_place_of_sum(const SceneInput& input) {
  const auto number = followed_number(input.trace, input.walk, input.controls);
  if (!number || input.history.trail == nullptr || input.history.travel == nullptr) return {};
  const run::NumberTrail& trail = *input.history.trail;
  const std::vector<PartialSum> sums = partial_sums(*number, trail);
  auto step = static_cast<std::uint32_t>(trail.cycles.size() - 1);
  if (!sums.empty()) {
    const auto last = static_cast<double>(sums.size() - 1);
    const double k =
        input.set("lanes", "product").value_or(static_cast<double>(moved_to(sums.size(), input.moment.phase)));
    auto shown = static_cast<std::size_t>(std::clamp(k, 0.0, last));
    // Of a long launch, only the first cycles are simulated.
    while (shown > 0 && sums[shown].cycle < 0) --shown;
    step = sums[shown].step;
  }
  if (step >= trail.cycles.size() || trail.cycles[step] < 0) return {};
  const std::int64_t cycle = trail.cycles[step];
  const gpu::OriginWarp& warp = trail.origin.steps[step].warp;
  for (const gpu::Issue& issue : input.history.travel->window(trail.sm, cycle, cycle + 1)->issues)
    if (issue.what.warp.block == warp.block && issue.what.warp.warp == warp.warp)
      return AskedPlace{cycle, trail.sm, issue.what.warp.slot, trail.lane_of(step)};
  return {};
}

std::shared_ptr<const AnyBeat> sum_beat() {
  return framed(
      of_number,
      {
          .key = sum_beat_key,
          .anchor =
              [](const WalkTimes& t) { return followed_number(t.trace, t.walk, {}) ? kernel_anchor(t) : std::nullopt; },
          .needs = Needs::cycles,
          .first_route = true,
          .motion_seconds = sum_seconds,
          .section = [](const NumberSum& s) { return std::string(s.sums.empty() ? "sum.other" : "sum"); },
          .panels = sum_panels,
      });
}

}  // namespace warpwalk::story
