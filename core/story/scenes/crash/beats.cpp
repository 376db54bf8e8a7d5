// A GPU core dump: what failed, or who waits for whom.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/story/beats/beat_of.h"
#include "core/story/scenes/crash/crash.h"
#include "core/story/scenes/scenes.h"
#include "core/words/crash/crash_sentence.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t few_code_lines = 14, most_dump_lines = 60;

/// The sentence of a wait, without marks of code.
std::string wait_words(const CrashScene& s, const crash::Wait& wait) {
  return plain_text(words::wait_sentence(wait, s.kernel_of(wait.thread.grid)));
}

Narration::Values crash_values(const CrashScene& s) {
  const crash::DumpGrid* const grid = s.any_failure() != nullptr  ? s.any_failure()->thread.grid
                                      : s.first_wait() != nullptr ? s.first_wait()->thread.grid
                                                                  : s.grid;
  Narration::Values values = {{"kernel", s.kernel_of(grid).name},
                              {"here", count_text(s.input.narration, "block", std::ssize(s.residents))},
                              {"sm", std::to_string(s.resident().sm->sm)},
                              {"block", words::extent_text(s.resident().block->block)},
                              {"warp", std::to_string(s.warp_number())},
                              {"lane", std::to_string(s.lane_number)},
                              {"thread", s.lane == nullptr ? s.word("unknown") : words::extent_text(s.lane->thread)},
                              {"line", s.line_name(s.place())},
                              {"file", s.report.name}};
  std::size_t threads = 0;
  for (const ResidentBlock& one : s.residents)
    for (const crash::DumpWarp& warp : one.block->warps)
      threads += static_cast<std::size_t>(std::popcount(warp.valid_lanes));
  values["threads"] = count_text(s.input.narration, "thread", static_cast<std::int64_t>(threads));
  if (const crash::Crash* const failed = s.any_failure()) {
    if (failed->thread.grid != nullptr)
      values["failure"] = plain_text(words::crash_sentence(*failed, s.kernel_of(failed->thread.grid)));
    values["doubt"] = words::doubt_text(*failed);
    values["kind"] =
        s.input.narration.text("crash.kind", failed->is_trap ? "trap" : crash::name_of(failed->exception.kind));
  }
  if (s.first_wait() != nullptr) values["first"] = wait_words(s, *s.first_wait());
  if (s.report.waits.size() > 1) values["second"] = wait_words(s, s.report.waits[1]);
  if (const auto at = address_of(s)) {
    values["address"] = words::address_text(at->address);
    values["there"] = near_words(s, *at);
  }
  return values;
}

/// The last part of a section: what kind of dump it is.
std::string section_of(const CrashScene& s, std::string_view beat) {
  return std::string(beat) + (s.any_failure() != nullptr ? "" : ".hang");
}

std::string crash_what_section(const CrashScene& s) {
  if (const crash::Crash* const failed = s.any_failure()) {
    if (failed->thread.grid == nullptr) return "what.unknown";
    return failed->doubt == crash::LaneDoubt::none ? "what" : "what.doubt";
  }
  if (s.report.waits.empty()) return "what.quiet";
  return s.report.waits.size() > 1 ? "what.hangs" : "what.hang";
}

std::string crash_lanes_section(const CrashScene& s) {
  if (s.failure() == nullptr) return "lanes.other";
  return s.failure()->accesses.empty() ? "lanes" : "lanes.addresses";
}

std::string crash_registers_section(const CrashScene& s) {
  if (s.lane == nullptr) return "registers.none";
  return s.lane->registers.size() == 0 ? "registers.left_out" : "registers";
}

std::string crash_memory_section(const CrashScene& s) {
  const auto at = address_of(s);
  if (!at) return "memory.none";
  if (at->space == crash::AccessSpace::shared) return "memory.shared";
  if (at->space == crash::AccessSpace::local) return "memory.local";
  return s.failure() != nullptr ? "memory" : "memory.waits";
}

std::string crash_code_section(const CrashScene& s) {
  if (!s.place()) return "code.none";
  return words::shown_position(s.place()->sources()).line == 0 ? "code.no_lines" : "code";
}

Figure recorded_figure(std::string text) { return Figure::recorded(std::move(text), Origin::measured); }

/// What the flags of the dump left out.
void left_out_facts(const CrashScene& s, FactWriter& facts) {
  const std::uint32_t flags = s.dump.flags.value_or(0);
  constexpr std::pair<std::uint32_t, std::string_view> parts[] = {
      {2, "global"}, {4, "shared"}, {8, "local"}, {32, "banks"}};  // CUCoredumpGenerationFlags
  for (const auto& [bit, key] : parts)
    if ((flags & bit) != 0) facts.missing(key);
}

void crash_what_facts(const CrashScene& s, FactWriter& facts) {
  const crash::DumpDevice& device = *s.resident().device;
  facts.fact("gpu", recorded_figure(fmt::format("{} ({})", device.name, device.sm_type)));
  if (const crash::Crash* const failed = s.any_failure(); failed != nullptr && !failed->is_trap) {
    facts.fact("exception", recorded_figure(fmt::format("CUDA_EXCEPTION_{}", failed->exception.code)));
    if (!failed->exception.name.empty())
      facts.fact("exception_name", recorded_figure(std::string(failed->exception.name)));
  }
  if (s.any_failure() != nullptr) facts.counted("failed_warps", s.any_failure()->failed_warps);
  if (s.dump.driver_major != 0)
    facts.fact("driver", recorded_figure(fmt::format("{}.{}", s.dump.driver_major, s.dump.driver_minor)));
  if (s.dump.time != 0) facts.fact("time", recorded_figure(words::dump_time_text(s.dump.time)));
  if (s.any_failure() != nullptr && !s.any_failure()->pc_is_exact) facts.missing("pc");
  left_out_facts(s, facts);
}

PanelRows crash_what_panels(const CrashScene& s) {
  PanelRows rows;
  std::optional<crash::CodePlace> place;
  if (s.any_failure() != nullptr) {
    rows.push_back(what_row(s));
    place = s.any_failure()->place;
  } else if (s.first_wait() != nullptr) {
    rows.push_back(waits_row(s));
    place = s.first_wait()->place;
  }
  if (place)
    rows.push_back({1,
                    {code_panel_of(s, place, few_code_lines,
                                   s.any_failure() == nullptr     ? "waits_here"
                                   : s.any_failure()->pc_is_exact ? "failed_here"
                                                                  : "stopped_at")}});
  return rows;
}

void crash_blocks_facts(const CrashScene& s, FactWriter& facts) {
  facts.counted("resident_blocks", s.residents.size());
  std::size_t warps = 0, threads = 0;
  for (const ResidentBlock& one : s.residents) {
    warps += one.block->warps.size();
    for (const crash::DumpWarp& warp : one.block->warps)
      threads += static_cast<std::size_t>(std::popcount(warp.valid_lanes));
  }
  facts.counted("resident_warps", warps);
  facts.counted("resident_threads", threads);
  facts.fact("sms", recorded_figure(std::to_string(s.resident().device->sm_count)));
  facts.missing("ended");
}

void crash_warps_facts(const CrashScene& s, FactWriter& facts) {
  facts.fact("block_here", recorded_figure(words::extent_text(s.resident().block->block)));
  std::size_t warps = 0;
  for (const ResidentBlock& one : s.residents)
    if (one.sm == s.resident().sm) warps += one.block->warps.size();
  facts.counted("sm_warps", warps);
  facts.fact("slots", recorded_figure(std::to_string(s.resident().device->warps_per_sm)));
}

void crash_lanes_facts(const CrashScene& s, FactWriter& facts) {
  const auto count = [](std::uint32_t mask) { return recorded_figure(std::to_string(std::popcount(mask))); };
  facts.fact("valid_lanes", count(s.warp->valid_lanes));
  facts.fact("active_lanes", count(s.warp->active_lanes));
  if (s.warp->exited_lanes)
    facts.fact("exited_lanes", count(*s.warp->exited_lanes));
  else
    facts.missing("exited");
}

void crash_registers_facts(const CrashScene& s, FactWriter& facts) {
  if (s.lane == nullptr) return;
  facts.fact("thread", recorded_figure(words::extent_text(s.lane->thread)));
  facts.fact("pc", recorded_figure(words::address_text(s.lane->pc)));
  facts.fact("call_depth", recorded_figure(std::to_string(s.lane->call_depth)));
  if (s.lane->registers.size() == 0) facts.missing("registers");
}

void crash_memory_facts(const CrashScene& s, FactWriter& facts) {
  const auto at = address_of(s);
  if (at) {
    facts.derived("address", words::address_text(at->address));
    facts.fact("bytes", recorded_figure(std::to_string(at->bytes) + " B"));
  }
  if (at && at->space == crash::AccessSpace::shared) {
    if (at->thread.block->shared_memory.empty()) facts.missing("shared");
    return;
  }
  if (at && at->space == crash::AccessSpace::local) {
    if (at->thread.lane == nullptr || at->thread.lane->local_memory.empty()) facts.missing("local");
    return;
  }
  if (!crash::has_global_memory(s.dump)) return facts.missing("global");
  std::uint64_t bytes = 0;
  for (const crash::DumpMemory& memory : s.dump.memory) bytes += memory.bytes.size();
  facts.derived("memory_bytes", static_cast<double>(bytes), Unit::bytes);
}

void crash_code_facts(const CrashScene& s, FactWriter& facts) {
  const auto place = s.place();
  if (!place) return facts.missing("code");
  facts.fact("offset", recorded_figure(fmt::format("+{:#x}", place->index * sass::instruction_bytes)));
  facts.fact("line", recorded_figure(s.line_name(place)));
  if (s.grid != nullptr) facts.fact("registers_per_thread", recorded_figure(std::to_string(s.grid->registers)));
}

PanelRows crash_code_panels(const CrashScene& s) {
  const auto place = s.place();
  if (!place) return {};
  const LaneState state = s.state_of(*s.warp, s.lane_number);
  const bool failed = s.failure() != nullptr && (state == LaneState::failed || state == LaneState::suspect);
  const bool waits = s.lane != nullptr && s.wait_of(s.warp_number(), s.lane->pc) != nullptr;
  return {{1,
           {code_panel_of(s, place, most_dump_lines,
                          failed  ? (s.failure()->pc_is_exact ? "failed_here" : "stopped_at")
                          : waits ? "waits_here"
                                  : "is_here")}}};
}

std::string crash_instead(const Here& here, Narration::Values& values) {
  words::OpenDump* const open = here.input.dump;
  if (open == nullptr) return "none";
  values["file"] = open->report.name;
  return resident_blocks(open->dump).empty() ? "empty" : "";
}

ControlNames no_crash_controls(const CrashScene&) { return {}; }
ControlNames choice_of_block(const CrashScene&) { return {"sm", "block"}; }
ControlNames choice_of_warp(const CrashScene&) { return {"sm", "block", "warp"}; }
ControlNames choice_of_lane(const CrashScene&) { return {"block", "warp", "lane"}; }

/// The values of the route that a dump has.
void complete_crash(CrashScene& s, const Narration::Values&, Stage& stage) {
  stage.controls = s.controls.take();
  for (Stop& stop : stage.route) {
    if (stop.key == "front_end" && s.grid != nullptr) stop.value = words::extent_text(s.grid->grid);
    if (stop.key == "sm") stop.value = std::to_string(s.resident().sm->sm);
    if (stop.key == "warp") stop.value = std::to_string(s.warp_number());
    if (stop.key == "registers" && s.grid != nullptr && s.grid->registers > 0)
      stop.value = std::to_string(s.grid->registers);
  }
}

constexpr Frame<CrashScene> crash_frame = {.subject = [](const Here& here) { return CrashScene(here.input); },
                                           .stop = "warp",
                                           .instead = crash_instead,
                                           .values = crash_values,
                                           .complete = complete_crash};

constexpr BeatOf<CrashScene> crash_beats[] = {{.key = "what",
                                               .section = crash_what_section,
                                               .facts = crash_what_facts,
                                               .panels = crash_what_panels,
                                               .controls = no_crash_controls},
                                              {.key = "blocks",
                                               .stop = "front_end",
                                               .section = [](const CrashScene& s) { return section_of(s, "blocks"); },
                                               .facts = crash_blocks_facts,
                                               .panels = blocks_rows,
                                               .controls = choice_of_block},
                                              {.key = "warps",
                                               .stop = "sm",
                                               .section = [](const CrashScene& s) { return section_of(s, "warps"); },
                                               .facts = crash_warps_facts,
                                               .panels = warps_rows,
                                               .controls = choice_of_warp},
                                              {.key = "lanes",
                                               .section = crash_lanes_section,
                                               .facts = crash_lanes_facts,
                                               .panels = lanes_rows,
                                               .controls = choice_of_lane},
                                              {.key = "registers",
                                               .stop = "registers",
                                               .section = crash_registers_section,
                                               .facts = crash_registers_facts,
                                               .panels = registers_rows,
                                               .controls = choice_of_lane},
                                              {.key = "memory",
                                               .stop = "memory",
                                               .section = crash_memory_section,
                                               .facts = crash_memory_facts,
                                               .panels = memory_rows,
                                               .controls = choice_of_lane},
                                              {.key = "code",
                                               .section = crash_code_section,
                                               .facts = crash_code_facts,
                                               .panels = crash_code_panels,
                                               .controls = choice_of_lane}};

}  // namespace

const Contents& crash_scene() {
  static const BeatTable table(CrashScene::name, crash_frame, crash_beats);
  return table;
}

}  // namespace warpwalk::story
