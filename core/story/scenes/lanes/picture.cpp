#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/timing/coalescer.h"
#include "core/run/replay/number_trail.h"
#include "core/story/facts/code/source_lines.h"
#include "core/story/facts/simulated/line_values.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

using gpu::LoggedAccess;

// The legend explains what is on screen.
void keep_used_states(RasterPicture& picture) {
  std::vector<RasterState> kept;
  std::map<std::size_t, std::size_t> place;
  for (RasterGroup& group : picture.groups)
    for (RasterRow& row : group.rows)
      for (const RasterSpan& span : row.spans) place.emplace(span.state, 0);
  for (auto& [state, at] : place) {
    at = kept.size();
    kept.push_back(picture.states[state]);
  }
  picture.states = std::move(kept);
  for (RasterGroup& group : picture.groups)
    for (RasterRow& row : group.rows)
      for (RasterSpan& span : row.spans) span.state = place.at(span.state);
}

// The name and the start of the first buffer that the access touches.
std::pair<std::string, std::uint64_t> known_buffer(const LanesSubject& s) {
  for (std::uint32_t lanes = s.access->mask; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = s.access->at[static_cast<std::size_t>(std::countr_zero(lanes))];
    const auto [name, offset] = s.travel.place_of(address);
    if (!name.empty()) return {name, address - offset};
  }
  return {};
}

class LanesBuild {
 public:
  explicit LanesBuild(const LanesSubject& s)
      : input_(s.input), s_(s), told_(static_cast<std::size_t>(32 * eased(part(s.input.moment.phase, 0.1, 0.95)))) {}

  // Half of the lanes: their values, a row each.
  Panel lanes(std::size_t first) const {
    const std::vector<LaneRegister> registers = lane_registers(s_);
    TablePicture table;
    table.columns.push_back({word("lane"), 1, true, true});
    for (const LaneRegister& shown : registers)
      if (!shown.written) table.columns.push_back({shown.name, 1, true});
    const bool addressed = s_.access != nullptr;
    if (addressed) table.columns.push_back({address_head(), 1.3, true});
    for (const LaneRegister& shown : registers)
      if (shown.written) table.columns.push_back({word("after", {{"register", shown.name}}), 1, true});
    for (std::size_t lane = first; lane < first + 16; ++lane) {
      const bool active = (s_.issue->what.executing >> lane & 1) != 0;
      const bool wrong = s_.shows_error() && s_.error->lane == static_cast<int>(lane);
      const Tone tone = active ? Tone::plain : Tone::quiet;
      TableRow row;
      row.followed = wrong;
      row.cells.push_back(number_cell(static_cast<std::int64_t>(lane), wrong    ? Tone::refused
                                                                       : active ? Tone::work
                                                                                : Tone::quiet));
      const auto add = [&](std::string text, Tone of) {
        TableCell cell = word_cell(std::move(text), of);
        cell.code = true;
        row.cells.push_back(std::move(cell));
      };
      for (const LaneRegister& shown : registers)
        if (!shown.written) add(shown.values[lane], tone);
      if (addressed) {
        const bool accesses = (s_.access->mask >> lane & 1) != 0;
        add(accesses || wrong ? address_text(s_.access->at[lane]) : "", wrong ? Tone::refused : Tone::memory);
      }
      for (const LaneRegister& shown : registers)
        if (shown.written) add(active && lane < told_ ? shown.values[lane] : "", Tone::followed);
      table.rows.push_back(std::move(row));
    }
    return {"", 1, std::move(table)};
  }

  // Lines of 128 bytes in rows of four sectors.
  Panel sectors() const {
    const gpu::CoalescedAccess lines = gpu::coalesce(*s_.access);
    CellGrid grid;
    grid.columns = 4;
    std::vector<gpu::LineAccess> touched(lines.lines.begin(), lines.lines.begin() + lines.count);
    std::ranges::sort(touched, {}, &gpu::LineAccess::line);
    for (const gpu::LineAccess& line : touched)
      for (unsigned sector = 0; sector < 4; ++sector) {
        std::vector<int> lanes = lanes_in(line.line * 128 + sector * 32, 32);
        std::erase_if(lanes, [&](int lane) { return static_cast<std::size_t>(lane) >= told_; });
        grid.cells.push_back({lanes.empty() ? Tone::quiet : Tone::memory,
                              lanes.empty() ? "" : std::to_string(lanes.size()),
                              word("sector_tip", {{"line", fmt::format("{:#x}", line.line * 128)},
                                                  {"sector", std::to_string(sector)},
                                                  {"lanes", ranges_text(lanes)}})});
      }
    grid.legend = {{Tone::memory, word("fetched")}, {Tone::quiet, word("not_fetched")}};
    return {word("sectors"), 1, std::move(grid)};
  }

  // From the warp to L2 or memory and back, a row for each line.
  Panel trip() const {
    enum State : std::size_t { in_sm, l2, l2_far, memory, rest };
    RasterPicture picture;
    const auto away = [&](std::string_view source) {
      return word("trip_away", {{"where", input_.narration.text("schedulers.why", source)}});
    };
    const std::int64_t issued = s_.issue->what.cycle, back = *s_.result;
    picture.from = issued;
    picture.to = back + 1;
    picture.states = {{Tone::work, false, false, word("trip_sm")},
                      {Tone::shared, false, false, away("l2")},
                      {Tone::barrier, false, false, away("l2_far")},
                      {Tone::memory, false, false, away("memory")},
                      {Tone::quiet, false, false, word(s_.copies ? "trip_rest.copy" : "trip_rest")}};
    picture.word_cycle = input_.narration.text("schedulers.word", "cycle");
    picture.word_rows = word("trip_rows");
    RasterGroup group;
    group.name = word("trip_lines");
    std::size_t number = 0;
    for (const gpu::RequestTrip& trip : s_.trips) {
      const std::int64_t left = std::clamp(trip.left_at, issued, trip.back_at);
      const std::size_t where = l2 + static_cast<std::size_t>(trip.source);
      const auto tip = [&](std::int64_t from, std::int64_t to, std::size_t state) {
        return fmt::format("{}: {}", picture.states[state].word, count_text(input_.narration, "cycle", to - from));
      };
      RasterRow& row = group.rows.emplace_back(RasterRow{std::to_string(++number), 0, false, {}});
      row.spans.push_back({issued, left, in_sm, tip(issued, left, in_sm)});
      row.spans.push_back({left, trip.back_at, where, tip(left, trip.back_at, where)});
      row.spans.push_back({trip.back_at, back, rest, tip(trip.back_at, back, rest)});
      std::erase_if(row.spans, [](const RasterSpan& span) { return span.from >= span.to; });
    }
    picture.groups.push_back(std::move(group));
    keep_used_states(picture);
    return {word("trip"), 1, std::move(picture)};
  }

  // The stations of the line that comes last.
  Panel stations() const {
    TablePicture table;
    table.columns = {
        {word("station"), 2}, {input_.narration.text("schedulers.why", "cycle"), 1, true}, {word("takes"), 1, true}};
    const auto last = std::ranges::max_element(s_.trips, {}, &gpu::RequestTrip::back_at);
    std::int64_t before = s_.issue->what.cycle;
    const auto add = [&](std::string_view key, std::int64_t cycle) {
      TableRow row;
      row.cells = {word_cell(word(key)), number_cell(cycle),
                   word_cell(count_text(input_.narration, "cycle", cycle - before), Tone::quiet)};
      row.cycle = cycle;
      table.rows.push_back(std::move(row));
      before = cycle;
    };
    add("issued_at", before);
    add("left_at", std::max(before, last->left_at));
    add(s_.copies ? "copied_at" : "back_at", last->back_at);
    if (!s_.copies) add("register_at", *s_.result);
    return {word("last_line", {{"line", address_text(last->line * 128)}}), 1, std::move(table)};
  }

  // A matrix by the lanes that hold its elements; those of one lane are marked with their values.
  Panel matrix(std::string_view name, const gpu::MatrixTile& tile, double share) const {
    CellGrid grid;
    grid.columns = static_cast<std::size_t>(tile.columns);
    for (std::size_t i = 0; i < tile.elements.size(); ++i) {
      const gpu::MatrixTile::Element& element = tile.elements[i];
      const bool own = element.lane == s_.lane;
      const std::string value = with_marks(fmt::format("{:.3g}", element.value));
      grid.cells.push_back({own ? Tone::followed : Tone::quiet, "",
                            word("element_tip", {{"row", std::to_string(i / grid.columns)},
                                                 {"column", std::to_string(i % grid.columns)},
                                                 {"lane", std::to_string(element.lane)},
                                                 {"value", value}})});
    }
    grid.legend = {{Tone::followed, word("own_elements", {{"lane", std::to_string(s_.lane)}})},
                   {Tone::quiet, word("other_elements")}};
    return {word(name, {{"rows", std::to_string(tile.rows)}, {"columns", std::to_string(tile.columns)}}), share,
            std::move(grid)};
  }

  // The elements that one lane holds.
  Panel own_elements() const {
    TablePicture table;
    table.columns = {{word("element"), 1}, {word("value"), 1, true}};
    const auto add = [&](std::string_view name, const gpu::MatrixTile& tile, Tone tone) {
      for (std::size_t i = 0; i < tile.elements.size(); ++i) {
        if (tile.elements[i].lane != s_.lane) continue;
        const auto columns = static_cast<std::size_t>(tile.columns);
        TableCell value = word_cell(with_marks(fmt::format("{:.4g}", tile.elements[i].value)), tone);
        value.code = true;
        table.rows.push_back(
            {{word_cell(fmt::format("{} [{}, {}]", name, i / columns, i % columns), Tone::quiet), std::move(value)}});
      }
    };
    add("A", s_.product->a, Tone::plain);
    add("B", s_.product->b, Tone::plain);
    add("D", s_.product->d, Tone::followed);
    return {word("own_elements", {{"lane", std::to_string(s_.lane)}}), 7, std::move(table)};
  }

  // The lane that makes an error among the others; for a race, who else uses its bytes.
  PanelRows error() const {
    using Kind = gpu::FindingKind;
    const Kind kind = first_error(s_.history)->kind;
    const bool others = kind == Kind::shared_race || kind == Kind::global_race || kind == Kind::uninitialized;
    const std::size_t half = s_.error->lane < 16 ? 0 : 16;
    if (others) return {{1, {{word("same_bytes"), 1.7, accesses_table(s_)}, lanes(half)}}};
    return {{1, {lanes(0), lanes(16), code()}}};
  }

  // The active lanes of the instructions around this one.
  Panel masks() const {
    CellGrid grid;
    grid.columns = 32;
    bool any_off = false;
    for (std::size_t i = 0; i < s_.neighbours.size(); ++i) {
      const gpu::IssuedInstruction& what = s_.neighbours[i]->what;
      const std::string text = instruction_text(s_.travel, s_.history, what.instruction).text;
      if (s_.neighbours[i] == s_.issue) grid.followed = i * 32;
      for (int lane = 0; lane < 32; ++lane) {
        const bool active = (what.executing >> lane & 1) != 0, off = !active && (what.lanes >> lane & 1) != 0;
        any_off = any_off || off;
        const Tone tone = !active                        ? (off ? Tone::plain : Tone::quiet)
                          : s_.neighbours[i] == s_.issue ? Tone::followed
                                                         : Tone::work;
        grid.cells.push_back(
            {tone, "",
             word("mask_tip",
                  {{"cycle", with_thousands(what.cycle)}, {"lane", std::to_string(lane)}, {"instruction", text}})});
      }
    }
    grid.legend = {{Tone::work, word("active")}, {Tone::quiet, word("inactive")}, {Tone::followed, word("this_one")}};
    if (any_off) grid.legend.insert(grid.legend.begin() + 1, {Tone::plain, word("predicated_off")});
    return {word("masks"), 1, std::move(grid)};
  }

  // The instructions around this one.
  Panel code() const {
    CodePicture picture;
    CodePicture::Column column;
    column.kind = s_.travel.program().machine_code ? CodeKind::sass : CodeKind::ptx;
    column.name = word("issued_code");
    for (const gpu::Issue* const issue : s_.neighbours) {
      InstructionText text = instruction_text(s_.travel, s_.history, issue->what.instruction);
      if (issue == s_.issue) column.window.focus = column.window.lines.size();
      column.window.lines.push_back({text.number, std::move(text.text), 0, issue == s_.issue,
                                     word("code_tip", {{"cycle", with_thousands(issue->what.cycle)}})});
    }
    column.window.all_lines = static_cast<std::int64_t>(column.window.lines.size());
    column.window.lit_lines = 1;
    picture.decoded = column.kind == CodeKind::sass;
    if (s_.issue != nullptr)
      if (auto source = source_column(input_.narration, s_.travel, s_.history, s_.issue->what.instruction,
                                      std::max<std::size_t>(6, column.window.lines.size()))) {
        add_values_at(input_, *source, s_.issue->what.warp, s_.issue->what.cycle);
        picture.columns.push_back(std::move(*source));
      }
    picture.columns.push_back(std::move(column));
    const double share = picture.columns.size() > 1 ? 1.7 : 1;
    return {word("code"), share, std::move(picture)};
  }

  // The lanes: a click asks who wrote the value of one.
  Panel asked_lanes() const {
    CellGrid grid;
    grid.columns = 4;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const bool active = (s_.issue->what.executing >> lane & 1) != 0;
      const std::string name = std::to_string(lane);
      grid.cells.push_back({active ? Tone::work : Tone::quiet,
                            name,
                            word("asked_lane_tip", {{"lane", name}}),
                            {{"lanes.asked", AskedAbout::result}}});
    }
    if (s_.asked) grid.followed = static_cast<std::size_t>(s_.asked->lane);
    grid.control = "lanes.asked_lane";
    return {word("asked_lanes"), 0.4, std::move(grid)};
  }

  // The registers of one lane after the instruction; those that it wrote are lit.
  Panel registers() const {
    const auto lane = asked_lane();
    CellGrid grid;
    grid.columns = s_.asked ? 3 : 5;
    grid.fitted = true;
    bool read = false, written = false;
    for (const LaneValue& one : registers_of_lane(s_, lane)) {
      const double asked = AskedAbout::first_register + std::stoi(one.name.substr(1));
      if (s_.asked && s_.asked->kind == static_cast<int>(asked)) grid.followed = grid.cells.size();
      grid.cells.push_back({one.written ? Tone::work
                            : one.read  ? Tone::memory
                                        : Tone::quiet,
                            fmt::format("{} {}", one.name, one.value),
                            word("asked_tip", {{"name", one.name}, {"value", one.value}}),
                            {{"lanes.asked", asked}, {"lanes.asked_lane", static_cast<double>(lane)}}});
      read = read || (one.read && !one.written);
      written = written || one.written;
    }
    if (written) grid.legend.emplace_back(Tone::work, word("written"));
    if (read) grid.legend.emplace_back(Tone::memory, word("read"));
    return {word("registers_of", {{"lane", std::to_string(lane)}}), 1, std::move(grid)};
  }

 private:
  // The lane whose registers are shown.
  std::size_t asked_lane() const {
    if (s_.asked) return static_cast<std::size_t>(s_.asked->lane);
    const auto set = input_.set("lanes", "asked_lane");
    if (set) return static_cast<std::size_t>(std::clamp(*set, 0.0, 31.0));
    return static_cast<std::size_t>(number_lane(s_).value_or(s_.lane));
  }

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input_.narration.text("lanes.word", key, values);
  }

  // The name of the buffer, in place of long addresses.
  std::string address_head() const {
    if (s_.space() != LanesAccess::global) return word("offset");
    const std::string name = known_buffer(s_).first;
    return name.empty() ? word("offset") : word("in_buffer", {{"buffer", buffer_name(name)}});
  }
  std::string address_text(std::uint64_t address) const { return access_address_text(s_, address); }

  std::vector<int> lanes_in(std::uint64_t from, std::uint64_t bytes) const {
    std::vector<int> lanes;
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint64_t at = s_.access->at[static_cast<std::size_t>(lane)];
      if ((s_.access->mask >> lane & 1) != 0 && at < from + bytes && at + s_.access->bytes > from)
        lanes.push_back(lane);
    }
    return lanes;
  }

  const SceneInput& input_;
  const LanesSubject& s_;
  const std::size_t told_;  // lanes whose results are shown: the motion goes from lane to lane
};

}  // namespace

std::optional<int> number_lane(const LanesSubject& s) {
  const run::NumberTrail* const trail = s.input.history.trail;
  if (trail == nullptr || s.issue == nullptr || trail->warp.block != s.issue->what.warp.block ||
      trail->warp.warp != s.issue->what.warp.warp)
    return {};
  return trail->lane;
}

std::string buffer_name(const std::string& name) {
  const std::size_t from = name.find('`'), to = name.rfind('`');
  return from != std::string::npos && to > from ? name.substr(from + 1, to - from - 1) : name;
}

std::string access_address_text(const LanesSubject& s, std::uint64_t address) {
  if (s.space() != LanesAccess::global) return fmt::format("{:#x}", address);
  const auto [name, offset] = s.travel.place_of(address);
  if (!name.empty()) return "+" + with_thousands(static_cast<std::int64_t>(offset));
  // Outside of all buffers.
  const auto [near, start] = known_buffer(s);
  if (near.empty()) return fmt::format("{:#x}", address);
  const auto distance = static_cast<std::int64_t>(address - start);
  return (distance < 0 ? "\u2212" : "+") + with_thousands(std::abs(distance));
}

std::vector<std::uint32_t> lane_groups(const LoggedAccess& access) {
  const auto passes = [&](std::uint32_t lanes) {
    return gpu::wavefronts_of(access.at.data(), access.mask & lanes, access.bytes, access.writes).passes;
  };
  // As many lanes together as 128 bytes are enough for; two groups that one pass can serve are one.
  const std::uint32_t together = access.bytes <= 4 ? 32 : access.bytes == 8 ? 16 : 8;
  std::vector<std::uint32_t> groups;
  for (std::uint32_t first = 0; first < 32; first += together) {
    const std::uint32_t lanes = (together == 32 ? ~0U : (1U << together) - 1) << first;
    const bool second = first / together % 2 == 1;
    if (second && passes(groups.back() | lanes) < passes(groups.back()) + passes(lanes))
      groups.back() |= lanes;
    else
      groups.push_back(lanes);
  }
  return groups;
}

LanesFold fold_of(const LoggedAccess& access) {
  const gpu::CoalescedAccess lines = gpu::coalesce(access);
  LanesFold fold{lines.count, lines.sectors(), 0};
  std::set<std::uint64_t> bytes;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((access.mask >> lane & 1) != 0)
      for (std::uint64_t i = 0; i < access.bytes; ++i) bytes.insert(access.at[lane] + i);
  fold.bytes_used = static_cast<std::int64_t>(bytes.size());
  return fold;
}

namespace {

PanelRows matrix_rows(const LanesBuild& build, const gpu::MmaOperands& product) {
  const auto matrix = [&](std::string_view name, const gpu::MatrixTile& tile) {
    return build.matrix(name, tile, static_cast<double>(tile.columns));
  };
  return {{1,
           {matrix("matrix_a", product.a), matrix("matrix_b", product.b), matrix("matrix_d", product.d),
            build.own_elements()}}};
}

PanelRows mask_rows(const LanesBuild& build) { return {{1, {build.masks(), build.code()}}}; }

PanelRows warp_rows(const LanesBuild& build, const LanesSubject& s) {
  PanelRows rows = {{2.2, {{"", 1, warp_picture(s)}}}, {1, {build.code()}}};
  rows.back().panels.front().heading.clear();  // its columns have names
  rows.back().spare = true;
  return rows;
}

// The rows of a beat. A tensor-core instruction is shown by its matrices; without an instruction there is no picture.
PanelRows instruction_rows(const LanesSubject& s, PanelRows (*rows)(const LanesBuild&, const LanesSubject&)) {
  if (s.issue == nullptr) return {};
  const LanesBuild build(s);
  return s.product && !s.asked ? matrix_rows(build, *s.product) : rows(build, s);
}

}  // namespace

PanelRows lanes_panels(const LanesSubject& subject) { return instruction_rows(subject, warp_rows); }

PanelRows trip_panels(const LanesSubject& subject) {
  return instruction_rows(subject, [](const LanesBuild& build, const LanesSubject& s) -> PanelRows {
    if (!s.result || s.trips.empty()) return warp_rows(build, s);
    return {{s.trips.size() > 6 ? 1.4 : 0.7, {build.trip()}}, {1, {build.stations(), build.sectors()}}};
  });
}

PanelRows diverge_panels(const LanesSubject& s) { return s.issue == nullptr ? PanelRows() : mask_rows(LanesBuild(s)); }

PanelRows error_panels(const LanesSubject& subject) {
  return instruction_rows(subject, [](const LanesBuild& build, const LanesSubject& s) {
    if (!s.shows_error()) return warp_rows(build, s);
    return s.access == nullptr ? mask_rows(build) : build.error();
  });
}

PanelRows any_panels(const LanesSubject& subject) {
  return instruction_rows(subject, [](const LanesBuild& build, const LanesSubject& s) {
    PanelRows rows = warp_rows(build, s);
    PanelRow& below = rows.back();
    if (s.asked && s.asked->answer != nullptr) below = {1.4, {asked_table(s)}, true, false};
    Panel registers = build.registers();
    if (!std::get<CellGrid>(registers.picture).cells.empty()) below.panels.push_back(std::move(registers));
    if (s.asked) below.panels.push_back(build.asked_lanes());
    return rows;
  });
}

}  // namespace warpwalk::story
