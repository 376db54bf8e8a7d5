#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/verbs/common/numbers.h"
#include "app/verbs/info/core_dump.h"
#include "core/analysis/names/kernel_name.h"
#include "core/base/quantity_text.h"
#include "core/words/crash/armed_text.h"
#include "core/words/crash/crash_names.h"
#include "core/words/crash/crash_sentence.h"

namespace warpwalk::verbs {
namespace {

using crash::CodePlace;
using crash::DumpBlock;
using crash::DumpDevice;
using crash::DumpGrid;
using crash::DumpLane;
using crash::DumpSm;
using crash::DumpWarp;
using words::address_text;
using words::crash_sentence;
using words::doubt_text;
using words::DumpReport;
using words::extent_text;
using words::kernel_words;
using words::KernelWords;
using words::shown_position;
using words::SourceTexts;
using words::wait_sentence;

constexpr std::size_t code_before = 6, code_after = 4;  // instructions shown around that which failed
constexpr std::size_t max_waits = 8, max_places = 24, max_frames = 16;
constexpr std::size_t registers_per_line = 8;

std::string count_text(std::uint64_t n) { return base::with_thousands(static_cast<std::int64_t>(n)); }

/// The name of the function. The compiler names functions that a kernel calls "$kernel$function".
std::string function_text(const CodePlace& place) {
  const std::string_view name = place.function_name();
  const std::size_t at = name.starts_with('$') ? name.rfind('$') + 1 : 0;
  return analysis::read_kernel_name(name.substr(at)).function;
}

/// "gather.cu:6   out[i] = table[index[i]];", or the offset in the function where there are no lines.
std::string source_text(const CodePlace& place, SourceTexts& sources) {
  const sass::SourcePosition position = shown_position(place.sources());
  if (position.line == 0) return "no source line (compile with -lineinfo)";
  const std::string_view line = sources.line(position.file, position.line);
  return fmt::format("{}:{}{}{}", position.file, position.line, line.empty() ? "" : "   ", line);
}

std::string head_text(const DumpReport& report) {
  const crash::CoreDump& dump = report.dump;
  std::string text = fmt::format("{}: GPU core dump", report.name);
  if (dump.time != 0) text += ", " + words::dump_time_text(dump.time);
  if (dump.driver_major != 0) text += fmt::format(", driver {}.{}", dump.driver_major, dump.driver_minor);
  text += '\n';
  for (const DumpDevice& device : dump.devices)
    text += fmt::format("  GPU {}: {} ({}), {} SMs\n", device.id, device.name, device.sm_type, device.sm_count);
  if (const std::string left_out = words::left_out_text(dump); !left_out.empty())
    text += fmt::format("  without {}\n", left_out);
  return text;
}

/// Instructions around the place, with the source line where it changes.
std::string code_text(const CodePlace& place, SourceTexts& sources) {
  std::string text = "\ncode\n";
  const std::size_t first = place.index > code_before ? place.index - code_before : 0;
  const std::size_t last = std::min(place.index + code_after, place.loaded->code.size() - 1);
  sass::SourcePosition before;
  for (std::size_t i = first; i <= last; ++i) {
    const CodePlace here{place.loaded, i};
    const sass::SourcePosition position = shown_position(here.sources());
    if (position.line != 0 && position != before)
      text += fmt::format("    {}:{}  {}\n", position.file, position.line, sources.line(position.file, position.line));
    before = position;
    const std::string instruction = here.text();
    text += fmt::format("  {} +{:#06x}  {}\n", i == place.index ? '>' : ' ', i * sass::instruction_bytes,
                        instruction.empty() ? "(unknown instruction)" : instruction);
  }
  return text;
}

std::string frames_text(const crash::Crash& crash, crash::Code& code, SourceTexts& sources) {
  const DumpLane* const lane = crash.thread.lane;
  if (lane == nullptr || lane->frames.empty()) return {};
  std::string text = "\ncall stack\n";
  const auto at = [&](std::uint64_t address) {
    const auto place = code.at(address);
    return place ? function_text(*place) + "  " + source_text(*place, sources) : address_text(address);
  };
  text += fmt::format("  #0  {}\n", at(lane->pc));
  for (std::size_t i = 0; i < std::min(lane->frames.size(), max_frames); ++i) {
    // The return address is that of the instruction after the call. After a jump to where no code is, the driver gives
    // its offset in the kernel.
    std::uint64_t address = lane->frames[i].return_address - sass::instruction_bytes;
    if (!code.at(address) && code.at(crash.thread.grid->entry + address)) address += crash.thread.grid->entry;
    text += fmt::format("  #{}  {}\n", i + 1, at(address));
  }
  if (lane->frames.size() > max_frames) text += fmt::format("  and {} more\n", lane->frames.size() - max_frames);
  return text;
}

std::string registers_text(const crash::Crash& crash) {
  const DumpLane* const lane = crash.thread.lane;
  if (lane == nullptr) return {};
  std::string text = fmt::format("\nregisters of thread {} where its warp stopped\n", extent_text(lane->thread));
  for (std::size_t i = 0; i < lane->registers.size(); ++i)
    text +=
        fmt::format("{}R{:<3} {:08x}{}", i % registers_per_line == 0 ? "  " : "  ", i, *lane->registers.at(i),
                    i % registers_per_line == registers_per_line - 1 || i + 1 == lane->registers.size() ? "\n" : "");
  text += "  true predicates:";
  bool any = false;
  for (std::size_t i = 0; i < sass::true_predicate && i < lane->predicates.size(); ++i)
    if (*lane->predicates.at(i) != 0) {
      text += fmt::format(" P{}", i);
      any = true;
    }
  return text + (any ? "\n" : " none\n");
}

/// The arguments of a kernel, as they were given.
std::string arguments_text(const DumpGrid& grid, crash::Code& code, const KernelWords& words) {
  const auto entry = code.at(grid.entry);
  if (!entry || grid.parameters.empty() || entry->loaded->function->parameters.empty()) return {};
  std::string text = "\narguments\n";
  for (const sass::CubinParameter& parameter : entry->loaded->function->parameters) {
    std::string value;
    if (parameter.offset + std::uint64_t{parameter.bytes} <= grid.parameters.size()) {
      const std::string_view bytes = grid.parameters.substr(parameter.offset, parameter.bytes);
      for (std::size_t i = bytes.size(); i > 0 && bytes.size() <= 16; --i)
        value += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i - 1]));
      value = bytes.size() > 16 ? fmt::format("{} B", bytes.size()) : "0x" + value;
    }
    text += fmt::format(
        "  {:>2}  {:<18} {:<12} {}\n", parameter.ordinal, value, words.argument_name(parameter.ordinal),
        parameter.ordinal < words.parameter_types.size() ? words.parameter_types[parameter.ordinal] : std::string());
  }
  return text;
}

/// Where the threads of a device are: those at one instruction are counted together.
std::string places_text(const DumpDevice& device, crash::Code& code, SourceTexts& sources) {
  struct Here {
    std::uint64_t threads = 0, warps = 0;
    std::string first;
  };
  std::map<std::uint64_t, Here> places;
  for (const DumpSm& sm : device.sms)
    for (const DumpBlock& block : sm.blocks)
      for (const DumpWarp& warp : block.warps) {
        std::uint64_t before = 0;
        for (const DumpLane& lane : warp.lanes) {
          Here& here = places[lane.pc];
          ++here.threads;
          if (here.first.empty())
            here.first = fmt::format("block {}, thread {}", extent_text(block.block), extent_text(lane.thread));
          if (lane.pc != before) ++here.warps;
          before = lane.pc;
        }
      }
  std::vector<std::pair<std::uint64_t, Here>> sorted(places.begin(), places.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second.threads > b.second.threads; });
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), max_places); ++i) {
    const auto& [pc, here] = sorted[i];
    const auto place = code.at(pc);
    text +=
        fmt::format("  {}, {}, from {}\n", counted(here.threads, "thread"), counted(here.warps, "warp"), here.first);
    text += place ? fmt::format("    {} +{:#x}  {}\n    {}\n", function_text(*place),
                                place->index * sass::instruction_bytes, place->text(), source_text(*place, sources))
                  : fmt::format("    at {}, where no module has code\n", address_text(pc));
  }
  if (sorted.size() > max_places) text += fmt::format("  and {} more places\n", sorted.size() - max_places);
  return text.empty() ? "  no thread was resident\n" : text;
}

std::string grids_text(const DumpDevice& device, crash::Code& code, SourceTexts& sources) {
  std::string text;
  for (const DumpGrid& grid : device.grids) {
    std::uint64_t blocks = 0, sms = 0;
    for (const DumpSm& sm : device.sms) {
      const auto here = static_cast<std::uint64_t>(std::ranges::count(sm.blocks, grid.id, &DumpBlock::grid));
      blocks += here;
      sms += here > 0 ? 1 : 0;
    }
    const std::uint64_t all = std::uint64_t{grid.grid[0]} * grid.grid[1] * grid.grid[2];
    text += fmt::format("  {}  grid {}, block {}{}, {} registers per thread; {} of {} on {}\n",
                        kernel_words(grid, code, sources).name, extent_text(grid.grid), extent_text(grid.block),
                        grid.cluster && (*grid.cluster)[0] != 0 ? ", cluster " + extent_text(*grid.cluster) : "",
                        grid.registers, count_text(blocks), counted(all, "block"), counted(sms, "SM"));
  }
  return text.empty() ? text : "\ngrids\n" + text;
}

std::string crash_text(DumpReport& report) {
  const crash::Crash& crash = *report.crash;
  std::string text = "\nwhat failed\n";
  if (crash.thread.grid == nullptr)
    return text +
           fmt::format("  {} on SM {}; the dump does not have the grid of its block\n", crash.exception.name, crash.sm);
  crash::Code& code = report.code_of(*crash.thread.device);
  const KernelWords words = kernel_words(*crash.thread.grid, code, report.sources);
  text += "  " + crash_sentence(crash, words) + "\n";
  if (const std::string doubt = doubt_text(crash); !doubt.empty()) text += "  " + doubt + "\n";
  text += fmt::format(
      "  {}SM {}, warp {}{}\n",
      crash.is_trap ? std::string()
                    : fmt::format("CUDA_EXCEPTION_{}, {}; ", crash.exception.code, crash.exception.name),
      crash.sm, crash.thread.warp->warp,
      crash.failed_warps > 1 ? fmt::format("; so did {} more", counted(crash.failed_warps - 1, "warp")) : "");
  if (crash.place) {
    text += "  at " + source_text(*crash.place, report.sources) + "\n";
    if (!crash.pc_is_exact) text += "  The warp stopped here, a few instructions after the one that failed.\n";
    text += code_text(*crash.place, report.sources);
  }
  text += frames_text(crash, code, report.sources);
  text += arguments_text(*crash.thread.grid, code, words);
  if (crash.accesses.size() > 1) {
    text += "\naddresses of the warp's threads\n";
    for (const crash::LaneAccess& access : crash.accesses)
      text += fmt::format("  {:>2}  {:<14} {}\n", access.lane->lane, extent_text(access.lane->thread),
                          access.address ? address_text(*access.address) : "no longer known");
  }
  return text + registers_text(crash);
}

/// What there was no room for in the file of calls; empty if all is there.
std::string lost_text(const crash::CallRing& calls) {
  const std::uint64_t lost = calls.header().lost;
  return lost == 0 ? std::string()
                   : fmt::format("  {} allocations, frames or texts of the program had no room in the file\n",
                                 count_text(lost));
}

/// Where the kernel was launched, where the program noticed that it had failed, and the memory around the address.
std::string launch_text(DumpReport& report) {
  if (!report.calls) return {};
  const crash::CallRing& calls = *report.calls;
  std::string text = "\nwhere it was launched\n";
  if (report.launch.call == nullptr) {
    text += fmt::format("  not among the last {} of the program's {} calls: a CUDA graph may have launched it\n",
                        count_text(calls.calls().size()), count_text(calls.header().calls));
  } else {
    const crash::RingEntry& launch = *report.launch.call;
    const words::CallPlace place = words::call_place(calls, launch);
    text += fmt::format("  call {}: {}\n", count_text(launch.number), words::call_text(calls, launch));
    if (report.launch.of_graph)
      text +=
          "  the last launch of a CUDA graph before an error: no launch of this kernel has the number of the grid\n";
    else if (report.launch.alike > 1)
      text += fmt::format("  one of {} launches with this kernel and shape, told by the number of the grid\n",
                          count_text(report.launch.alike));
    if (!place.modules.empty()) text += fmt::format("  in {}\n", place.modules);
    if (const std::string_view op = calls.text(launch.op); !op.empty())
      text += fmt::format("  by the operator {}\n", op);
    if (launch.other_thread != 0 && !place.stack.empty())
      text += "  from a thread without Python, as PyTorch's for the backward pass; the main thread was at\n";
    for (const std::string_view frame : place.stack) text += fmt::format("    {}\n", frame);
    if (const crash::RingEntry* const noticed = words::noticed_at(calls, launch);
        noticed != nullptr && noticed->number > launch.number) {
      const std::string python = words::call_place(calls, *noticed).python;
      text += fmt::format("  The program noticed it {} later, at {}{}: error {}.\n",
                          counted(noticed->number - launch.number, "call"), calls.text(noticed->name),
                          python.empty() ? "" : " in " + python, noticed->result);
    }
  }
  if (const auto tensors = words::argument_tensors(report); !tensors.empty()) {
    const crash::DumpThread& thread = report.crash ? report.crash->thread : report.waits.front().thread;
    const words::KernelWords kernel = kernel_words(*thread.grid, report.code_of(*thread.device), report.sources);
    text += "  its tensors, as far as they were still there when the program ended\n";
    for (const words::ArgumentTensor& one : tensors)
      text += fmt::format("    {}: {}\n", kernel.argument(one.argument), words::tensor_text(*one.tensor));
  }
  if (!report.replay.empty())
    text += fmt::format(
        "  Its inputs are in {}: warpwalk simulate {} --launch 1 runs it again,\n  and warpwalk {} steps through it, "
        "forwards and backwards.\n",
        report.replay, report.replay, report.replay);
  text += lost_text(calls);
  if (!report.crash || !report.crash->near) return text;
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  const crash::Near& near = *report.crash->near;
  const std::uint64_t address = near.base_address + static_cast<std::uint64_t>(near.offset);
  if (const crash::RingAllocation* const nearest = calls.allocation_near(address, most))
    text += fmt::format("\nallocation nearest to the address\n  {}\n", words::allocation_text(calls, *nearest));
  if (const words::AllocatorBlock* const block = words::block_at(report.memory, address))
    text += fmt::format("  in it, {}\n", words::block_text(*block));
  if (near.allocation && (near.base == crash::Near::Base::argument))
    if (const crash::RingAllocation* const base = calls.allocation_near(near.base_address, 0))
      text += fmt::format("allocation of the argument\n  {}\n", words::allocation_text(calls, *base));
  if (const words::AllocatorBlock* const block = words::block_at(report.memory, near.base_address))
    text += fmt::format("  in it, {}\n", words::block_text(*block));
  return text;
}

std::string waits_text(DumpReport& report) {
  if (report.waits.empty()) return "\nno warp failed, and none waits\n";
  std::string text = "\nwhat the threads wait for\n";
  for (std::size_t i = 0; i < std::min(report.waits.size(), max_waits); ++i) {
    const crash::Wait& wait = report.waits[i];
    crash::Code& code = report.code_of(*wait.thread.device);
    text += fmt::format("  {}\n    at {}\n    {}\n",
                        wait_sentence(wait, kernel_words(*wait.thread.grid, code, report.sources)),
                        source_text(wait.place, report.sources), wait.place.text());
  }
  if (report.waits.size() > max_waits) text += fmt::format("  and {} more\n", report.waits.size() - max_waits);
  return text;
}

}  // namespace

std::string calls_text(std::string_view name, const crash::CallRing& calls) {
  constexpr std::size_t shown = 32;
  const std::size_t first = calls.calls().size() - std::min(calls.calls().size(), shown);
  std::string text = fmt::format("{}: calls of process {}, {} in all; the last {}:\n", name, calls.header().process,
                                 count_text(calls.header().calls), calls.calls().size() - first);
  for (std::size_t i = first; i < calls.calls().size(); ++i) {
    const crash::RingEntry& call = calls.calls()[i];
    const std::string python = words::call_place(calls, call).python;
    text += fmt::format("  {:>8}  {}{}{}\n", call.number, words::call_text(calls, call),
                        python.empty() ? "" : ", at " + python,
                        call.result == crash::ring_unfinished ? ": did not return"
                        : call.result != 0                    ? fmt::format(": error {}", call.result)
                                                              : "");
  }
  return text + lost_text(calls);
}

std::string dump_text(words::DumpReport& report) {
  std::string text = head_text(report);
  text += report.crash ? crash_text(report) : waits_text(report);
  text += launch_text(report);
  for (const DumpDevice& device : report.dump.devices) {
    crash::Code& code = report.code_of(device);
    text += grids_text(device, code, report.sources);
    text += "\nwhere the threads are\n" + places_text(device, code, report.sources);
  }
  return text;
}

}  // namespace warpwalk::verbs
