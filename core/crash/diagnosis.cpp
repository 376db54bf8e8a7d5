#include "core/crash/diagnosis.h"

#include <algorithm>

#include "core/sass/elf/bytes.h"

namespace warpwalk::crash {
namespace {

using sass::Opcode;

// The dump's local memory ends here since sm_70: stacks grow down from it.
constexpr std::uint64_t window_bytes = std::uint64_t{16} << 20;  // of shared and local memory in generic addresses
constexpr std::uint64_t local_memory_end = std::uint64_t{1} << 24;
constexpr unsigned stack_pointer_register = 1;
// Registers of the arguments of __assertfail(message, file, line, function, char_size) in the ABI of CUDA.
constexpr unsigned assert_message = 4, assert_file = 6, assert_line = 8, assert_function = 10;
constexpr std::size_t max_assert_text = 4096;

/// A warp that failed, with what it is part of.
struct FailedWarp {
  const DumpDevice* device = nullptr;
  const DumpSm* sm = nullptr;
  const DumpBlock* block = nullptr;
  const DumpWarp* warp = nullptr;
  std::uint32_t exception = 0;
  bool is_trap = false;
};

std::uint32_t exception_in(const DumpWarp& warp) {
  for (const DumpLane& lane : warp.lanes)
    if (lane.exception != 0) return lane.exception;
  return 0;
}

/// True if the active threads have just executed a trap.
bool is_trapped(const DumpWarp& warp, Code& code) {
  for (const DumpLane* const lane : lanes_of(warp, warp.active_lanes)) {
    const auto place = code.at(lane->pc);
    if (!place || place->index == 0) return false;
    const sass::Instruction* const before = place->loaded->instruction(place->index - 1);
    return before != nullptr && before->opcode == Opcode::bpt && before->has(sass::Word::trap);
  }
  return false;
}

/// The warps that failed, in the order of the dump. Of several exceptions, that with a known instruction comes first.
std::vector<FailedWarp> failed_warps(const CoreDump& dump, std::vector<Code>& codes) {
  std::vector<FailedWarp> failed;
  for (std::size_t d = 0; d < dump.devices.size(); ++d)
    for (const DumpSm& sm : dump.devices[d].sms)
      for (const DumpBlock& block : sm.blocks)
        for (const DumpWarp& warp : block.warps) {
          std::uint32_t exception = exception_in(warp);
          if (exception == 0 && warp.error_pc) exception = sm.exception;
          const bool trapped = exception == 0 && warp.at_breakpoint && is_trapped(warp, codes[d]);
          if (exception != 0 || trapped || warp.error_pc)
            failed.push_back({&dump.devices[d], &sm, &block, &warp, exception, trapped});
        }
  std::ranges::stable_partition(failed, [](const FailedWarp& f) { return f.warp->error_pc.has_value(); });
  return failed;
}

const DumpGrid* grid_of(const DumpDevice& device, std::uint64_t id) {
  const auto found = std::ranges::find(device.grids, id, &DumpGrid::id);
  return found == device.grids.end() ? nullptr : &*found;
}

std::string text_at(const Crash& crash, Code& code, std::optional<std::uint64_t> address) {
  if (!address) return {};
  std::string_view bytes;
  // Up to the end of the segment, or of what can still be a text.
  for (std::size_t size = max_assert_text; size > 0 && bytes.empty(); size /= 2)
    bytes = crash.thread.dump->memory_at(*address, size);
  if (bytes.empty()) bytes = code.initial_text(crash.thread.grid->module, *address);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

/// What the call before the place where the thread stopped was given, if it is that of __assertfail().
std::optional<Assertion> assertion_of(const Crash& crash, Code& code) {
  if (!crash.place || crash.place->index == 0 || crash.thread.lane == nullptr) return std::nullopt;
  const LoadedFunction& loaded = *crash.place->loaded;
  const std::size_t call = crash.place->index - 1;
  const sass::Instruction* const instruction = loaded.instruction(call);
  if (instruction == nullptr || instruction->opcode != Opcode::call) return std::nullopt;
  PastValues values(crash.thread, loaded, call, crash.place->index);
  const auto pointer = [&](unsigned reg) -> std::optional<std::uint64_t> {
    const auto low = values.general(reg), high = values.general(reg + 1);
    if (!low || !high) return std::nullopt;
    return std::uint64_t{*high} << 32 | *low;
  };
  Assertion assertion;
  assertion.text = text_at(crash, code, pointer(assert_message));
  assertion.file = text_at(crash, code, pointer(assert_file));
  assertion.function = text_at(crash, code, pointer(assert_function));
  assertion.line = values.general(assert_line).value_or(0);
  return assertion;
}

/// The accesses of the threads that executed the instruction.
std::vector<LaneAccess> accesses_of(const Crash& crash, std::uint32_t mask) {
  std::vector<LaneAccess> accesses;
  for (const DumpLane* const lane : lanes_of(*crash.thread.warp, mask)) {
    DumpThread thread = crash.thread;
    thread.lane = lane;
    // The thread is some instructions further, perhaps in a function that it has called since.
    const std::uint64_t entry = crash.place->loaded->function->address;
    if (lane->pc < entry || lane->pc - entry >= crash.place->loaded->function->code.size()) {
      accesses.push_back({lane, std::nullopt});
      continue;
    }
    PastValues values(thread, *crash.place->loaded, crash.place->index, (lane->pc - entry) / sass::instruction_bytes);
    const auto executes = values.executes();
    if (executes && !*executes) continue;
    accesses.push_back({lane, accessed_address(*crash.access, values)});
  }
  return accesses;
}

/// Generic addresses that mean shared or local memory become addresses there.
void take_from_window(Crash& crash) {
  const std::vector<DumpContext>& contexts = crash.thread.device->contexts;
  const auto context = std::ranges::find(contexts, crash.thread.grid->context, &DumpContext::id);
  const bool is_known = std::ranges::any_of(crash.accesses, [](const LaneAccess& a) { return a.address.has_value(); });
  if (!crash.access->is_generic || !is_known || context == contexts.end()) return;
  for (const auto& [window, space] :
       {std::pair(context->shared_window, AccessSpace::shared), std::pair(context->local_window, AccessSpace::local)}) {
    const auto is_inside = [&, first = window](const LaneAccess& access) {
      return !access.address || (*access.address >= first && *access.address - first < window_bytes);
    };
    if (!std::ranges::all_of(crash.accesses, is_inside)) continue;
    crash.access->space = space;
    for (LaneAccess& access : crash.accesses)
      if (access.address) *access.address -= window;
  }
}

/// Since sm_90, addresses of shared memory have the number of the block in its cluster above bit 24.
void take_from_own_block(Crash& crash) {
  const DumpGrid& grid = *crash.thread.grid;
  if (crash.access->space != AccessSpace::shared || !grid.cluster || (*grid.cluster)[0] == 0) return;
  std::uint64_t rank = 0;
  for (int d = 2; d >= 0; --d) {
    const std::uint64_t size = std::max<std::uint64_t>((*grid.cluster)[d], 1);
    rank = rank * size + crash.thread.block->block[d] % size;
  }
  for (LaneAccess& access : crash.accesses)
    if (access.address && *access.address / window_bytes == rank) *access.address %= window_bytes;
}

/// Chooses the threads whose address cannot be accessed.
void blame_lanes(Crash& crash, Code& code) {
  const auto keep = [&](auto is_bad) {
    for (const LaneAccess& access : crash.accesses)
      if (access.address && is_bad(*access.address)) crash.lanes.push_back(access);
  };
  const std::uint32_t bytes = crash.access->bytes;
  const auto known = [](const LaneAccess& access) { return access.address.has_value(); };
  if (std::ranges::none_of(crash.accesses, known)) {
    crash.doubt = LaneDoubt::overwritten;
  } else if (crash.exception.kind == ExceptionKind::misaligned_address) {
    keep([&](std::uint64_t address) { return address % bytes != 0; });
  } else if (crash.access->space == AccessSpace::shared) {
    if (crash.shared_bytes) keep([&](std::uint64_t address) { return address + bytes > *crash.shared_bytes; });
  } else if (crash.access->space == AccessSpace::local) {
    keep([&](std::uint64_t address) {
      return address + bytes > *crash.local_end || (crash.local_begin && address < *crash.local_begin);
    });
  } else if (has_global_memory(*crash.thread.dump)) {
    keep([&](std::uint64_t address) { return crash.thread.dump->memory_at(address, bytes).empty(); });
  } else {
    keep([&](std::uint64_t address) { return !is_beside_known_memory(crash.thread, code, address); });
    if (crash.thread.dump->allocations.empty()) crash.doubt = LaneDoubt::no_memory;
  }
  crash.beside_argument = std::ranges::all_of(crash.accesses, [&](const LaneAccess& access) {
    return crash.access->space == AccessSpace::global && access.address &&
           is_beside_known_memory(crash.thread, code, *access.address);
  });
  if (crash.lanes.empty() && crash.doubt == LaneDoubt::none)
    crash.doubt = std::ranges::all_of(crash.accesses, known) ? LaneDoubt::no_memory : LaneDoubt::overwritten;
  if (crash.lanes.empty()) crash.lanes = crash.accesses;
  if (crash.lanes.size() == 1 && crash.accesses.size() == 1) crash.doubt = LaneDoubt::none;
}

/// Local memory that belongs to the thread. Its lower end is known if the dump has the memory.
void note_local_memory(Crash& crash) {
  crash.local_end = local_memory_end;
  if (crash.accesses.empty()) return;
  const DumpLane& lane = *crash.accesses.front().lane;
  if (lane.local_memory.empty()) return;
  crash.local_begin = lane.local_address;
  crash.local_end = lane.local_address + lane.local_memory.size();
  for (const LaneAccess& access : crash.accesses) {
    const auto pointer = access.lane->registers.at(stack_pointer_register);
    crash.overflows_stack = crash.overflows_stack || (pointer && *pointer < *crash.local_begin) ||
                            (access.address && *access.address < *crash.local_begin);
  }
}

/// After a trap or a failed assertion, the threads are at the next instruction.
void step_back(Crash& crash) {
  if (!crash.place || crash.place->index == 0) return;
  const sass::Instruction* const before = crash.place->loaded->instruction(crash.place->index - 1);
  const bool is_stop = before != nullptr && ((crash.is_trap && before->opcode == Opcode::bpt) ||
                                             (crash.assertion && before->opcode == Opcode::call));
  if (!is_stop) return;
  --crash.place->index;
  crash.pc -= sass::instruction_bytes;
  crash.pc_is_exact = true;
}

Near near_of(const Crash& crash, Code& code, const LaneAccess& access) {
  PastValues values(crash.thread, *crash.place->loaded, crash.place->index, crash.place->index);
  return near_address(crash.thread, code, *access.address, crash.access->bytes,
                      address_constants(*crash.access, values));
}

}  // namespace

std::vector<const DumpLane*> lanes_of(const DumpWarp& warp, std::uint32_t mask) {
  std::vector<const DumpLane*> lanes;
  for (const DumpLane& lane : warp.lanes)
    if (lane.lane < 32 && (mask >> lane.lane & 1) != 0) lanes.push_back(&lane);
  return lanes;
}

std::optional<Crash> find_crash(const CoreDump& dump, std::vector<Code>& codes) {
  const std::vector<FailedWarp> failed = failed_warps(dump, codes);
  if (failed.empty()) return std::nullopt;
  const FailedWarp& first = failed.front();
  Crash crash;
  crash.exception = exception_of(first.exception);
  crash.is_trap = first.is_trap;
  crash.sm = first.sm->sm;
  crash.thread = {&dump, first.device, grid_of(*first.device, first.block->grid), first.block, first.warp, nullptr};
  crash.failed_warps = static_cast<std::size_t>(std::ranges::count_if(
      failed, [&](const FailedWarp& f) { return f.exception == first.exception && f.is_trap == first.is_trap; }));
  Code& code = codes[static_cast<std::size_t>(first.device - dump.devices.data())];
  std::vector<const DumpLane*> lanes = lanes_of(*first.warp, first.warp->active_lanes);
  std::erase_if(lanes, [&](const DumpLane* lane) { return lane->exception != first.exception; });
  if (lanes.empty()) lanes = lanes_of(*first.warp, first.warp->active_lanes);
  crash.pc_is_exact = first.warp->error_pc.has_value();
  crash.pc = first.warp->error_pc ? *first.warp->error_pc : lanes.empty() ? 0 : lanes.front()->pc;
  crash.place = code.at(crash.pc);
  if (crash.thread.grid == nullptr) return crash;
  if (crash.place && crash.pc_is_exact && crash.place->instruction() != nullptr)
    crash.access = access_of(*crash.place->instruction());
  if (crash.access) {
    crash.accesses = accesses_of(crash, first.warp->active_lanes);
    take_from_window(crash);
    take_from_own_block(crash);
    if (crash.access->space == AccessSpace::shared) crash.shared_bytes = first.warp->shared_bytes;
    if (crash.access->space == AccessSpace::local) note_local_memory(crash);
    blame_lanes(crash, code);
  } else {
    for (const DumpLane* const lane : lanes) crash.lanes.push_back({lane, std::nullopt});
    // A trap and an assertion stop exactly the threads that reach them.
    const bool is_exact = crash.is_trap || crash.exception.kind == ExceptionKind::assertion;
    crash.doubt = is_exact || lanes.size() == 1 ? LaneDoubt::none : LaneDoubt::no_access;
  }
  if (!crash.lanes.empty()) crash.thread.lane = crash.lanes.front().lane;
  if (crash.exception.kind == ExceptionKind::assertion) crash.assertion = assertion_of(crash, code);
  step_back(crash);
  const auto with_address =
      std::ranges::find_if(crash.lanes, [](const LaneAccess& access) { return access.address.has_value(); });
  if (with_address != crash.lanes.end() && crash.access->space == AccessSpace::global)
    crash.near = near_of(crash, code, *with_address);
  return crash;
}

}  // namespace warpwalk::crash
