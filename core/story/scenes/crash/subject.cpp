// The settings of the scene, and words that its pictures share.
#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/names/kernel_name.h"
#include "core/story/scenes/crash/crash.h"
#include "core/words/crash/crash_sentence.h"

namespace warpwalk::story {
namespace {

using crash::DumpBlock;
using crash::DumpLane;
using crash::DumpWarp;

constexpr unsigned dump_lanes = 32;

/// Whole numbers below `count`; one at least.
std::vector<double> numbers_below(std::size_t count) {
  return steps_by(0, static_cast<double>(std::max<std::size_t>(count, 1) - 1), 1);
}

std::size_t index_of(const std::vector<ResidentBlock>& residents, const DumpBlock* block) {
  const auto found = std::ranges::find(residents, block, &ResidentBlock::block);
  return found == residents.end() ? 0 : static_cast<std::size_t>(found - residents.begin());
}

template <class Row>
std::size_t index_in(const std::vector<Row>& rows, const Row* row) {
  return row >= rows.data() && row < rows.data() + rows.size() ? static_cast<std::size_t>(row - rows.data()) : 0;
}

/// The thread that a dump is about: the one that failed, or the first that waits.
crash::DumpThread first_dump_thread(const words::DumpReport& report) {
  if (report.crash) return report.crash->thread;
  if (!report.waits.empty()) return report.waits.front().thread;
  return {};
}

unsigned first_lane_of(const DumpWarp& warp) {
  if (warp.active_lanes != 0) return static_cast<unsigned>(std::countr_zero(warp.active_lanes));
  return warp.lanes.empty() ? 0 : warp.lanes.front().lane;
}

}  // namespace

std::vector<ResidentBlock> resident_blocks(const crash::CoreDump& dump) {
  std::vector<ResidentBlock> residents;
  for (const crash::DumpDevice& device : dump.devices)
    for (const crash::DumpSm& sm : device.sms)
      for (const DumpBlock& block : sm.blocks)
        if (!block.warps.empty()) residents.push_back({&device, &sm, &block});
  return residents;
}

CrashScene::CrashScene(const SceneInput& in)
    : input(in),
      open(*in.dump),
      lock(open.mutex),
      report(open.report),
      dump(open.dump),
      residents(resident_blocks(open.dump)) {
  const crash::DumpThread first = first_dump_thread(report);
  const std::size_t first_block = index_of(residents, first.block);
  // A block that was chosen decides on the SM; without one, it is the first block of the chosen SM.
  std::size_t on_sm = first_block;
  if (const auto set = in.set(name, "block"))
    on_sm = static_cast<std::size_t>(std::clamp(*set, 0.0, static_cast<double>(residents.size() - 1)));
  std::vector<double> sms;
  for (const ResidentBlock& one : residents) sms.push_back(one.sm->sm);
  std::ranges::sort(sms);
  sms.erase(std::unique(sms.begin(), sms.end()), sms.end());
  const std::int64_t sm = controls.slider("sm", std::move(sms), residents[on_sm].sm->sm, "first");
  controls.last().resets = {"block", "warp", "lane"};
  if (residents[on_sm].sm->sm != static_cast<std::uint32_t>(sm))
    on_sm = static_cast<std::size_t>(
        std::ranges::find_if(residents, [&](const ResidentBlock& one) { return one.sm->sm == sm; }) -
        residents.begin());
  chosen = static_cast<std::size_t>(
      controls.slider("block", numbers_below(residents.size()), static_cast<std::int64_t>(on_sm), "first"));
  controls.last().shown = words::extent_text(resident().block->block);
  controls.last().resets = {"sm", "warp", "lane"};
  controls.last().stepped = true;
  grid = grid_of(resident());

  const std::vector<DumpWarp>& warps = resident().block->warps;
  const std::size_t first_warp = index_in(warps, first.warp);
  warp = &warps[static_cast<std::size_t>(
      controls.slider("warp", numbers_below(warps.size()), static_cast<std::int64_t>(first_warp), "first"))];
  controls.last().shown = std::to_string(warp_number());
  controls.last().resets = {"lane"};

  const bool is_first = first.warp == warp && first.lane != nullptr;
  const unsigned usual_lane = is_first ? first.lane->lane : first_lane_of(*warp);
  lane_number = static_cast<unsigned>(controls.slider("lane", numbers_below(dump_lanes), usual_lane, "first"));
  for (const DumpLane& one : warp->lanes)
    if (one.lane == lane_number) lane = &one;
  waits = crash::waits_of_block(dump, report.codes, *resident().device, *resident().sm, *resident().block);
}

const crash::Crash* CrashScene::failure() const {
  return report.crash && report.crash->thread.warp == warp ? &*report.crash : nullptr;
}

const crash::Wait* CrashScene::first_wait() const {
  return report.crash || report.waits.empty() ? nullptr : &report.waits.front();
}

crash::DumpThread CrashScene::thread() const { return {&dump, resident().device, grid, resident().block, warp, lane}; }

std::optional<crash::CodePlace> CrashScene::place() const {
  const crash::Crash* const failed = failure();
  const LaneState state = state_of(*warp, lane_number);
  if (failed != nullptr && (state == LaneState::failed || state == LaneState::suspect)) return failed->place;
  if (lane == nullptr) return {};
  if (const crash::Wait* const wait = wait_of(warp_number(), lane->pc)) return wait->place;
  return code().at(lane->pc);
}

const crash::Wait* CrashScene::wait_of(std::uint32_t number, std::uint64_t pc) const {
  const crash::Wait* of_warp = nullptr;
  std::size_t count = 0;
  for (const crash::Wait& wait : waits) {
    if (std::ranges::find(wait.warps, number) == wait.warps.end()) continue;
    if (wait.thread.lane->pc == pc) return &wait;
    of_warp = &wait;
    ++count;
  }
  // Warps that wait in one loop are at several of its instructions.
  return count == 1 && of_warp->kind == crash::WaitKind::spin ? of_warp : nullptr;
}

std::uint32_t CrashScene::warp_number() const {
  return grid == nullptr ? warp->warp : crash::warp_in_block(*warp, grid->block);
}

std::string CrashScene::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text("crash.word", key, values);
}

std::string CrashScene::formula(std::string_view key) const { return input.narration.text("crash.formula", key); }

const crash::DumpGrid* CrashScene::grid_of(const ResidentBlock& one) const {
  const auto found = std::ranges::find(one.device->grids, one.block->grid, &crash::DumpGrid::id);
  return found == one.device->grids.end() ? nullptr : &*found;
}

words::KernelWords CrashScene::kernel_of(const crash::DumpGrid* one) const {
  if (one == nullptr) return {.name = word("no_grid"), .parameter_types = {}, .parameter_names = {}};
  return words::kernel_words(*one, code(), report.sources);
}

LaneState CrashScene::state_of(const DumpWarp& one, unsigned number) const {
  const std::uint32_t bit = std::uint32_t{1} << number;
  const crash::Crash* const failed = any_failure();
  if (failed != nullptr && failed->thread.warp == &one)
    for (const crash::LaneAccess& access : failed->lanes)
      if (access.lane->lane == number)
        return failed->doubt == crash::LaneDoubt::none ? LaneState::failed : LaneState::suspect;
  if ((one.exited_lanes.value_or(0) & bit) != 0) return LaneState::exited;
  if ((one.valid_lanes & bit) == 0) {
    const auto owner = std::ranges::find_if(residents, [&](const ResidentBlock& resident) {
      return &one >= resident.block->warps.data() && &one < resident.block->warps.data() + resident.block->warps.size();
    });
    const crash::DumpGrid* const of = owner == residents.end() ? nullptr : grid_of(*owner);
    if (of == nullptr) return LaneState::none;
    const std::uint64_t threads = std::uint64_t{of->block[0]} * of->block[1] * of->block[2];
    const std::uint64_t index = std::uint64_t{crash::warp_in_block(one, of->block)} * dump_lanes + number;
    return index < threads ? LaneState::exited : LaneState::none;
  }
  return (one.active_lanes & bit) != 0 ? LaneState::active : LaneState::waiting;
}

std::string CrashScene::wait_text(const crash::Wait& wait) const {
  Narration::Values values;
  const bool missing = !wait.missing_warps.empty();
  values["barrier"] = wait.barrier ? std::to_string(*wait.barrier) : "?";
  values["missing"] = fmt::format("{}", fmt::join(wait.missing_warps, ", "));
  values["lanes"] = lanes_text(wait.missing_lanes);
  values["address"] = wait.address ? words::address_text(*wait.address) : word("unknown_address");
  values["state"] = wait.mbarrier ? words::mbarrier_text(*wait.mbarrier) : "";
  values["value"] = wait.value ? std::to_string(*wait.value) : "";
  std::string key(crash::name_of(wait.kind));
  if (wait.kind == crash::WaitKind::barrier && missing) key += wait.missing_warps.size() == 1 ? "_missing" : "_several";
  if (wait.kind == crash::WaitKind::spin && wait.value) key += "_value";
  if (wait.mbarrier) key += "_state";
  return input.narration.text("crash.wait", key, values);
}

TableCell CrashScene::state_cell(const DumpWarp& one, std::uint32_t number,
                                 const std::vector<crash::Wait>& waits) const {
  const crash::Crash* const failed = any_failure();
  const bool is_failed = failed != nullptr && failed->thread.warp == &one;
  std::uint32_t exception = 0;
  for (const DumpLane& each : one.lanes) exception = std::max(exception, each.exception);
  if (is_failed && failed->is_trap) return word_cell(word("failed", {{"what", word("trap")}}), Tone::refused);
  if (is_failed) exception = failed->exception.code;
  if (exception != 0 || is_failed) {
    const std::string_view known = crash::exception_of(exception).name;
    return word_cell(word("failed", {{"what", known.empty() ? std::to_string(exception) : std::string(known)}}),
                     Tone::refused);
  }
  std::string text;
  for (const crash::Wait& wait : waits)
    if (std::ranges::find(wait.warps, number) != wait.warps.end()) text += (text.empty() ? "" : "; ") + wait_text(wait);
  if (!text.empty()) return word_cell(std::move(text), Tone::barrier);
  return word_cell(word("runs"));
}

std::string CrashScene::line_name(const std::optional<crash::CodePlace>& place) const {
  const sass::SourcePosition position = place ? words::shown_position(place->sources()) : sass::SourcePosition{};
  if (position.line == 0) return word("no_line");
  const std::size_t slash = position.file.find_last_of("/\\");
  return fmt::format("{}:{}", slash == std::string_view::npos ? position.file : position.file.substr(slash + 1),
                     position.line);
}

std::string CrashScene::line_text(const std::optional<crash::CodePlace>& place) const {
  const sass::SourcePosition position = place ? words::shown_position(place->sources()) : sass::SourcePosition{};
  return position.line == 0 ? std::string() : std::string(report.sources.line(position.file, position.line));
}

std::string CrashScene::offset_text(const std::optional<crash::CodePlace>& place, std::uint64_t pc) const {
  if (!place) return words::address_text(pc);
  return fmt::format("{} +{:#x}", analysis::read_kernel_name(place->function_name()).function,
                     place->index * sass::instruction_bytes);
}

std::string CrashScene::instruction_text(const std::optional<crash::CodePlace>& place) const {
  if (!place) return word("no_code");
  std::string text = place->text();
  return text.empty() ? word("unknown_instruction") : text;
}

TableCell recorded_cell(std::string text, Tone tone) {
  TableCell cell = figure_cell(Figure::recorded(std::move(text), Origin::measured));
  cell.tone = tone;
  return cell;
}

TableCell computed_cell(std::string text, std::string formula) {
  return figure_cell(Figure::derived(std::move(text), std::move(formula)));
}

std::string plain_text(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string lanes_text(std::uint32_t mask) {
  std::vector<std::string> ranges;
  for (unsigned number = 0; number < dump_lanes; ++number) {
    if ((mask >> number & 1) == 0) continue;
    const auto length = static_cast<unsigned>(std::countr_one(mask >> number));
    ranges.push_back(length == 1 ? std::to_string(number) : fmt::format("{}-{}", number, number + length - 1));
    number += length;
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

std::uint64_t blocks_of(const crash::DumpGrid& grid) {
  return std::uint64_t{grid.grid[0]} * grid.grid[1] * grid.grid[2];
}

}  // namespace warpwalk::story
