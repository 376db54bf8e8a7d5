#include "core/words/crash/crash_sentence.h"

#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/quantity_text.h"
#include "core/sass/architecture.h"

namespace warpwalk::words {
namespace {

using crash::AccessSpace;
using crash::Crash;
using crash::ExceptionKind;
using crash::LaneDoubt;
using crash::Near;
using crash::WaitKind;

/// Bytes exactly if they are few, otherwise in KiB to TiB.
std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t exact = 10'000;
  return bytes < exact ? base::with_thousands(static_cast<std::int64_t>(bytes)) + " B"
                       : base::bytes_text(static_cast<double>(bytes));
}

std::string_view verb_of(const crash::Access& access) {
  if (access.is_atomic) return "updates";
  return access.writes ? "writes" : "reads";
}

/// What lies at an address of global memory, as the rest of a sentence.
std::string near_text(const Near& near, const KernelWords& words) {
  const auto offset = static_cast<std::uint64_t>(near.offset < 0 ? -near.offset : near.offset);
  if (near.base == Near::Base::null) {
    if (near.argument) return fmt::format(": {} is null", words.argument(*near.argument));
    return ": a null pointer";
  }
  if (near.base == Near::Base::none) return ", where nothing is known to be";
  const std::string name = near.base == Near::Base::argument   ? words.argument(*near.argument)
                           : near.base == Near::Base::variable ? fmt::format("the variable `{}`", near.variable)
                                                               : "memory to which no argument points";
  const std::string place = fmt::format("{} ({})", name, address_text(near.base_address));
  const std::string at = offset == 0 ? "the start of " + place : size_text(offset) + " from the start of " + place;
  if (near.offset < 0) return fmt::format(", {} before {}", size_text(offset), place);
  if (near.allocation && near.allocation->is_released) return fmt::format(", {}, whose memory was freed", at);
  if (near.base_mapped && !*near.base_mapped)
    return fmt::format(", {}, whose memory is not mapped: it was freed, or never allocated", at);
  if (near.size && offset >= *near.size && (near.base == Near::Base::variable || near.allocation))
    return fmt::format(", {} past the end of the {} of {}", size_text(offset - *near.size), size_text(*near.size),
                       place);
  if (near.size && offset >= *near.size)
    return fmt::format(", {} past the end of what is mapped from {}: {}", size_text(offset - *near.size), place,
                       size_text(*near.size));
  if (near.mapped && *near.mapped) return fmt::format(", {}: this memory is mapped, but does not allow the access", at);
  return fmt::format(", {}", at);
}

std::string shared_text(const Crash& crash, std::uint64_t address) {
  if (!crash.shared_bytes) return " of shared memory";
  const std::uint64_t end = address + crash.access->bytes;
  if (end <= *crash.shared_bytes)
    return fmt::format(" of the block's {} of shared memory", size_text(*crash.shared_bytes));
  return fmt::format(
      " of shared memory, {} past the end of the block's {}",
      size_text(address >= *crash.shared_bytes ? address - *crash.shared_bytes : end - *crash.shared_bytes),
      base::shared_bytes_text(static_cast<std::int64_t>(*crash.shared_bytes)));
}

std::string local_text(const Crash& crash, std::uint64_t address) {
  if (crash.local_begin && address < *crash.local_begin)
    return fmt::format(" of local memory, {} below the thread's {}", size_text(*crash.local_begin - address),
                       size_text(*crash.local_end - *crash.local_begin));
  if (address >= *crash.local_end)
    return fmt::format(" of local memory, {} past the end of the thread's stack",
                       size_text(address - *crash.local_end));
  return " of local memory";
}

/// What a stack that is too small was used for.
std::string stack_text(const Crash& crash) {
  if (!crash.overflows_stack) return {};
  const std::uint32_t calls = crash.thread.lane->call_depth;
  return fmt::format(": the stack is too small{} (cudaLimitStackSize)",
                     calls > 0 ? fmt::format(" for {} nested call{}", calls, calls == 1 ? "" : "s") : "");
}

std::string access_sentence(const Crash& crash, const KernelWords& words) {
  const crash::LaneAccess* with_address = nullptr;
  for (const crash::LaneAccess& access : crash.lanes)
    if (with_address == nullptr && access.address) with_address = &access;
  const std::string what = fmt::format("{} {} B", verb_of(*crash.access), crash.access->bytes);
  if (with_address == nullptr) {
    if (crash.access->space == AccessSpace::local) return what + " of local memory" + stack_text(crash);
    return what + " at an address that is no longer known";
  }
  const std::uint64_t address = *with_address->address;
  std::string text = fmt::format("{} at {}", what, address_text(address));
  if (crash.exception.kind == ExceptionKind::misaligned_address && address % crash.access->bytes != 0)
    text += fmt::format(", which is misaligned by {} B", address % crash.access->bytes);
  switch (crash.access->space) {
    case AccessSpace::shared: return text + shared_text(crash, address);
    case AccessSpace::local: return text + local_text(crash, address) + stack_text(crash);
    case AccessSpace::global: break;
  }
  if (crash.exception.kind == ExceptionKind::misaligned_address) return text;
  return crash.near ? text + near_text(*crash.near, words) : text;
}

/// What happened, without an address.
std::string event_text(const Crash& crash) {
  if (crash.is_trap) return "executes a trap: __trap(), or a check that the compiler or a library added";
  switch (crash.exception.kind) {
    case ExceptionKind::assertion:
      if (!crash.assertion || crash.assertion->text.empty()) return "fails an assert()";
      return fmt::format("fails `assert({})`", crash.assertion->text);
    case ExceptionKind::illegal_instruction:
    case ExceptionKind::invalid_pc:
      if (!crash.place)
        return fmt::format("executes what is at {}, where no kernel has code: a call through a bad function pointer",
                           address_text(crash.pc));
      return "executes an instruction that this GPU does not have";
    case ExceptionKind::stack_overflow: return "needs more stack than a thread has (cudaLimitStackSize)";
    case ExceptionKind::cluster:
      return "accesses shared memory of a block of its cluster that has ended, or is too small";
    case ExceptionKind::illegal_address: return "accesses memory that is not mapped";
    case ExceptionKind::out_of_range: return "accesses shared or local memory out of its range";
    case ExceptionKind::misaligned_address: return "accesses an address that is not a multiple of the access's size";
    case ExceptionKind::address_space: return "accesses a kind of memory that the instruction cannot access";
    case ExceptionKind::mbarrier: return "arrives at an mbarrier that expects no more arrivals";
    case ExceptionKind::old_driver: return "calls a function that this driver does not have";
    default:
      if (crash.exception.name.empty())
        return fmt::format("stops with exception {}, which is not known", crash.exception.code);
      return fmt::format("stops with {}", crash.exception.name);
  }
}

std::string range_text(std::uint32_t mask) {
  std::vector<std::string> ranges;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const auto length = static_cast<unsigned>(std::countr_one(mask >> lane));
    ranges.push_back(length == 1 ? std::to_string(lane) : fmt::format("{} to {}", lane, lane + length - 1));
    lane += length;
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

std::string numbers_text(std::string_view noun, const std::vector<std::uint32_t>& numbers) {
  return fmt::format("{}{} {}", noun, numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

}  // namespace

std::string threads_text(const Crash& crash) {
  if (crash.lanes.empty()) return fmt::format("warp {}", crash.thread.warp->warp);
  if (crash.lanes.size() == 1) return "thread " + extent_text(crash.lanes.front().lane->thread);
  return fmt::format("{} threads of a warp, {} to {},", crash.lanes.size(),
                     extent_text(crash.lanes.front().lane->thread), extent_text(crash.lanes.back().lane->thread));
}

std::string crash_sentence(const Crash& crash, const KernelWords& words) {
  const bool several = crash.lanes.size() > 1, is_certain = crash.doubt == LaneDoubt::none;
  std::string what = crash.access ? access_sentence(crash, words) : event_text(crash);
  if (several && is_certain) what.erase(what.find(' ') - 1, 1);  // "reads" becomes "read"
  if (several && crash.access) what += "; this is the first of them";
  return fmt::format("{}: {}{} of block {} {}", words.name, several && !is_certain ? "at least one of " : "",
                     threads_text(crash), extent_text(crash.thread.block->block), what);
}

std::string doubt_text(const Crash& crash) {
  switch (crash.doubt) {
    case LaneDoubt::none: return {};
    case LaneDoubt::no_access: return "The GPU reports the exception for the warp, not for a thread.";
    case LaneDoubt::overwritten:
      return "Which thread failed is not known: the registers with the addresses were overwritten since.";
    case LaneDoubt::no_memory:
      if (crash.lanes.size() < crash.accesses.size())
        return fmt::format(
            "The other {} threads of the warp accessed memory beside an argument. The dump has no global "
            "memory, which would tell what is mapped.",
            crash.accesses.size() - crash.lanes.size());
      return std::string(
                 "Which of these threads failed is not known: the dump has no global memory, which would tell "
                 "what is mapped.") +
             (crash.beside_argument ? " All of them accessed the 2 MiB around an argument, which cudaMalloc maps as a "
                                      "whole: this memory was probably freed."
                                    : "");
  }
  return {};
}

std::string mbarrier_text(const crash::Mbarrier& state) {
  const std::string arrivals = state.expected == 1 ? "its arrival" : fmt::format("its {} arrivals", state.expected);
  std::string text = state.pending == 0    ? fmt::format("{}{} come", arrivals, state.expected == 1 ? " has" : " have")
                     : state.expected == 1 ? arrivals + " is missing"
                                           : fmt::format("{} of {} {} missing", state.pending, arrivals,
                                                         state.pending == 1 ? "is" : "are");
  if (state.pending_bytes > 0)
    text += fmt::format(", and {} B of asynchronous copies have not come", base::with_thousands(state.pending_bytes));
  if (state.pending_bytes < 0)
    text += fmt::format(", and {} B of asynchronous copies have come that it does not expect",
                        base::with_thousands(-state.pending_bytes));
  return text + fmt::format(" (phase {})", state.phase);
}

std::string wait_sentence(const crash::Wait& wait, const KernelWords& words) {
  const std::string block = extent_text(wait.thread.block->block);
  const std::string who = fmt::format(
      "{}: {} of block {}{}", words.name, numbers_text("warp", wait.warps), block,
      wait.blocks > 1 ? fmt::format(" and of {} more block{}", wait.blocks - 1, wait.blocks == 2 ? "" : "s") : "");
  const std::string_view verb = wait.warps.size() == 1 && wait.blocks == 1 ? "waits" : "wait";
  const auto value = [&] { return wait.value ? fmt::format(", which is {}", *wait.value) : std::string(); };
  switch (wait.kind) {
    case WaitKind::barrier: {
      std::string text = fmt::format("{} {} at barrier {}", who, verb,
                                     wait.barrier ? std::to_string(*wait.barrier) : "with an unknown number");
      if (wait.expected_threads) text += fmt::format(" of {} threads", *wait.expected_threads);
      if (!wait.missing_warps.empty())
        text += fmt::format("; {} {} not there", numbers_text("warp", wait.missing_warps),
                            wait.missing_warps.size() == 1 ? "is" : "are");
      return text;
    }
    case WaitKind::cluster_barrier: return fmt::format("{} {} at the barrier of the cluster", who, verb);
    case WaitKind::mbarrier:
      return fmt::format("{} {} for the mbarrier{}{}", who, verb,
                         wait.address ? fmt::format(" at {} of shared memory", address_text(*wait.address)) : "",
                         wait.mbarrier ? ": " + mbarrier_text(*wait.mbarrier) : "");
    case WaitKind::spin: {
      const std::string place = !wait.address ? "an unknown address"
                                : wait.access->space == AccessSpace::shared
                                    ? address_text(*wait.address) + " of shared memory"
                                    : address_text(*wait.address);
      std::string text = fmt::format("{} {} in a loop that {} {}{}", who, verb,
                                     wait.access->is_atomic ? "updates" : "reads", place, value());
      if (wait.near && wait.near->base == Near::Base::argument && wait.near->offset >= 0) {
        const auto offset = static_cast<std::uint64_t>(wait.near->offset);
        text += fmt::format(" ({}the start of {})", offset == 0 ? "" : size_text(offset) + " from ",
                            words.argument(*wait.near->argument));
      }
      return text;
    }
    case WaitKind::lanes:
      return fmt::format("{}: lanes {} of warp {} of block {} wait for lanes {} of their warp{}", words.name,
                         range_text(wait.lanes), wait.warps.front(), block, range_text(wait.missing_lanes),
                         wait.threads > static_cast<std::size_t>(std::popcount(wait.lanes))
                             ? fmt::format(", as {} threads do in all", wait.threads)
                             : "");
    case WaitKind::sleep: return fmt::format("{} {} in __nanosleep()", who, wait.warps.size() == 1 ? "is" : "are");
  }
  return {};
}

}  // namespace warpwalk::words
