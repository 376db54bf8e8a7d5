// Memory that kernels only read: constant memory, which serves one address at a time, and textures, which keep what is
// near in two dimensions near in memory.
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/timing/coalescer.h"
#include "core/story/labs/memory_hierarchy/memory_hierarchy.h"
#include "core/story/labs/warp/access_code.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view load_kinds[] = {"constant", "global", "shared"};
constexpr std::string_view image_kinds[] = {"plain", "texture"};
constexpr std::string_view lane_ways[] = {"row", "column"};
constexpr int most_addresses = 32;

const records::ReadOnlyTimes& times_of(const MemoryLab& lab) { return lab.input.hardware.read_only; }

double cycles_of(const MemoryLab& lab, std::string_view memory, int addresses) {
  return times_of(lab).cycles(memory, addresses).value_or(0);
}
double rate_of(const MemoryLab& lab, std::string_view memory, std::string_view along) {
  return times_of(lab).rate(memory, along).value_or(0);
}

// Cycles that each further address adds to a constant load.
double cycles_per_address(const MemoryLab& lab) {
  return (cycles_of(lab, "constant", most_addresses) - cycles_of(lab, "constant", 1)) / (most_addresses - 1);
}

// Sectors of a load from a plain image of floats with long rows.
std::int64_t plain_sectors(bool columns) {
  constexpr std::int64_t long_row = 16384;  // as in the measured image
  const LanePattern pattern = global_pattern({.stride = columns ? long_row : 1});
  gpu::LoggedAccess logged;
  logged.bytes = static_cast<std::uint8_t>(pattern.bytes);
  logged.mask = 0xffffffff;
  logged.at = pattern.at;
  return gpu::coalesce(logged).sectors();
}

std::string addresses_text(const MemoryLab& lab, int n) {
  return n == 1 ? lab.word("one_address") : lab.word("some_addresses", {{"n", fmt::to_string(n)}});
}

Panel constant_code(const MemoryLab& lab) {
  const int lane = 5;
  const std::string index = lab.addresses == 1 ? "0" : fmt::format("lane % {}", lab.addresses);
  return lab_code_panel(
      lab.word("constant_code"),
      {{"__constant__ float table[1024];", "int lane = threadIdx.x % 32;",
        fmt::format("float value = table[{}];", index)},
       {2}},
      {lab.word("constant_value", {{"lane", fmt::to_string(lane)}, {"index", fmt::to_string(lane % lab.addresses)}})},
      1);
}

// The lanes, with an arrow to the turn in which the address of each is served.
Panel turns_panel(const MemoryLab& lab) {
  LinkPicture picture;
  picture.from_name = lab.word("lane_row");
  picture.to_name = lab.word("turn_row");
  picture.group_name = lab.word("byte_row");
  for (int i = 0; i < lab.addresses; ++i) {
    picture.to.push_back({Tone::memory, fmt::to_string(i + 1), "",
                          lab.word("turn_tip", {{"turn", fmt::to_string(i + 1)}, {"address", fmt::to_string(4 * i)}})});
    picture.groups.push_back(fmt::to_string(4 * i));
  }
  for (int lane = 0; lane < 32; ++lane) {
    const int word = lane % lab.addresses;
    picture.from.push_back(
        {Tone::plain, fmt::to_string(lane), "",
         lab.word("constant_value", {{"lane", fmt::to_string(lane)}, {"index", fmt::to_string(word)}})});
    picture.links.push_back({static_cast<std::size_t>(lane), static_cast<std::size_t>(word)});
  }
  return {"", 1, std::move(picture)};
}

// Cycles by the number of addresses: constant memory, beside L1 and shared memory.
Panel addresses_panel(const MemoryLab& lab) {
  ScatterPicture picture;
  picture.across = {lab.word("addresses_axis"), 0, most_addresses, false, {}};
  for (int at = 0; at <= most_addresses; at += 8) picture.across.ticks.emplace_back(at, fmt::to_string(at));
  constexpr double top = 400;
  picture.up = {lab.word("per_load"), 0, top, false, {}};
  for (double at = 0; at <= top; at += 100) picture.up.ticks.emplace_back(at, fmt::format("{:g}", at));
  constexpr Tone tones[] = {Tone::memory, Tone::work, Tone::shared};
  for (std::size_t kind = 0; kind < std::size(load_kinds); ++kind) {
    picture.groups.emplace_back(lab.word(fmt::format("{}_short", load_kinds[kind])), tones[kind]);
    for (int n = 1; n <= most_addresses; ++n) {
      const bool chosen = kind == 0 && n == lab.addresses;
      const double cycles = cycles_of(lab, load_kinds[kind], n);
      picture.points.push_back({static_cast<double>(n), cycles, chosen ? std::size(load_kinds) : kind,
                                addresses_text(lab, n), fmt::format("{:.0f}", cycles), chosen});
    }
  }
  picture.groups.emplace_back(lab.word("chosen_load"), Tone::followed);
  return {"", 1.6, std::move(picture)};
}

// The measured image, by the way that the lanes lie.
Panel image_panel(const MemoryLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("image_head"), 3}};
  for (const std::string_view along : lane_ways)
    table.columns.push_back({lab.word(fmt::format("{}_rate", along)), 2, true});
  for (const std::string_view along : lane_ways)
    table.columns.push_back({lab.word(fmt::format("{}_sectors", along)), 2, true});
  for (const std::string_view kind : image_kinds) {
    TableRow& row = table.rows.emplace_back();
    row.cells.push_back(word_cell(lab.word(fmt::format("{}_image", kind))));
    for (const std::string_view along : lane_ways)
      row.cells.push_back(figure_cell(Figure::recorded(
          fmt::format("{} GB/s", with_thousands(std::llround(rate_of(lab, kind, along)))), Origin::measured)));
    for (const bool columns : {false, true})
      row.cells.push_back(kind == "plain" ? figure_cell(Figure::derived(static_cast<double>(plain_sectors(columns)),
                                                                        Unit::count, lab.word("sectors_formula")))
                                          : word_cell(lab.word("not_published"), Tone::quiet));
  }
  return {lab.word("image"), 1, std::move(table)};
}

}  // namespace

std::optional<MissingData> read_only_missing(const MemoryLab& lab) {
  const records::ReadOnlyTimes& times = times_of(lab);
  for (const std::string_view kind : load_kinds)
    for (int n = 1; n <= most_addresses; ++n)
      if (!times.cycles(kind, n)) return MissingData{"read_only"};
  for (const std::string_view kind : image_kinds)
    for (const std::string_view along : lane_ways)
      if (!times.rate(kind, along)) return MissingData{"read_only"};
  return {};
}

PanelRows constant_panels(const MemoryLab& lab) {
  return {{1.6, {constant_code(lab), addresses_panel(lab)}}, {1, {turns_panel(lab)}}};
}

void constant_values(const MemoryLab& lab, Narration::Values& values) {
  values["addresses"] = addresses_text(lab, lab.addresses);
  values["cycles"] = fmt::format("{:.0f}", cycles_of(lab, "constant", lab.addresses));
  values["each"] = fmt::format("{:.0f}", cycles_per_address(lab));
}

void constant_facts(const MemoryLab& lab, FactWriter& facts) {
  for (const std::string_view kind : load_kinds)
    facts.named(lab.word(fmt::format("{}_load", kind)),
                Figure::recorded(
                    lab.word("loads", {{"n", with_marks(fmt::format("{:.1f}", cycles_of(lab, kind, lab.addresses)))}}),
                    Origin::measured));
  facts.derived("per_address",
                lab.word("cycles_each", {{"n", with_marks(fmt::format("{:.1f}", cycles_per_address(lab)))}}));
}

PanelRows texture_panels(const MemoryLab& lab) {
  return {{1, {image_panel(lab)}, true},
          {1,
           {words_table(lab, "kind", {"global_path", "constant_path", "texture_path"}, {"path", "holds", "serves"})},
           true}};
}

void texture_values(const MemoryLab& lab, Narration::Values& values) {
  const auto ratio = [&](std::string_view kind) { return rate_of(lab, kind, "row") / rate_of(lab, kind, "column"); };
  for (const std::string_view kind : image_kinds)
    values[std::string(kind)] = with_marks(fmt::format("{:.1f}", ratio(kind)));
}

void texture_facts(const MemoryLab& lab, FactWriter& facts) {
  for (const std::string_view kind : image_kinds)
    for (const std::string_view along : lane_ways)
      facts.named(lab.word(fmt::format("{}_{}", kind, along)),
                  Figure::recorded(fmt::format("{} GB/s", with_thousands(std::llround(rate_of(lab, kind, along)))),
                                   Origin::measured));
}

}  // namespace warpwalk::story
