#include "core/crash/waits.h"

#include <algorithm>
#include <bit>
#include <map>

#include "core/base/enum_names.h"
#include "core/crash/diagnosis.h"
#include "core/sass/analysis/register_use.h"
#include "core/sass/elf/bytes.h"

namespace warpwalk::crash {
namespace {

using sass::Opcode;
using sass::Operand;
using sass::OperandKind;
using sass::Word;

constexpr std::uint32_t lanes_per_warp = 32;
constexpr std::size_t issued_past_barrier = 4;    // instructions; 2 were seen on an H200
constexpr std::size_t longest_waiting_loop = 64;  // instructions; loops that only wait are shorter

/// Instructions [first, last] that repeat.
struct CodeLoop {
  std::size_t first = 0, last = 0;
};

/// The shortest loop around an instruction, if it is short.
std::optional<CodeLoop> loop_around(const LoadedFunction& loaded, std::size_t index) {
  std::optional<CodeLoop> shortest;
  const std::size_t end = std::min(index + longest_waiting_loop, loaded.flow.successors.size());
  for (std::size_t last = index; last < end; ++last)
    for (const std::uint32_t to : loaded.flow.successors[last]) {
      if (to > index || last - to >= longest_waiting_loop) continue;
      if (!shortest || last - to < shortest->last - shortest->first) shortest = CodeLoop{to, last};
    }
  return shortest;
}

/// Whether a loop does nothing but read and compare. Atomic operations count as reads: a lock is taken with them.
bool only_waits(const LoadedFunction& loaded, const CodeLoop& loop) {
  for (std::size_t i = loop.first; i <= loop.last; ++i) {
    const sass::Instruction* const instruction = loaded.instruction(i);
    if (instruction == nullptr || instruction->opcode == Opcode::call || instruction->opcode == Opcode::bar)
      return false;
    const auto access = access_of(*instruction);
    if (access && access->writes && !access->is_atomic) return false;
    if (instruction->opcode == Opcode::syncs && !instruction->has(Word::phasechk)) return false;
  }
  return true;
}

/// The instruction of a loop that reads what it waits for.
std::optional<std::size_t> reading_instruction(const LoadedFunction& loaded, const CodeLoop& loop) {
  for (std::size_t i = loop.first; i <= loop.last; ++i) {
    const auto access = access_of(*loaded.instruction(i));
    if (access && access->space != AccessSpace::local) return i;
  }
  return std::nullopt;
}

class WaitFinder {
 public:
  WaitFinder(const CoreDump& dump, std::vector<Code>& codes) : dump_(dump), codes_(codes) {}

  std::vector<Wait> find() {
    for (std::size_t d = 0; d < dump_.devices.size(); ++d)
      for (const DumpSm& sm : dump_.devices[d].sms)
        for (const DumpBlock& block : sm.blocks) add_block(dump_.devices[d], codes_[d], sm, block);
    return sorted();
  }

  std::vector<Wait> find(const DumpDevice& device, const DumpSm& sm, const DumpBlock& block) {
    add_block(device, codes_[static_cast<std::size_t>(&device - dump_.devices.data())], sm, block);
    return sorted();
  }

 private:
  std::vector<Wait> sorted() {
    std::ranges::stable_sort(waits_, std::greater<>{}, &Wait::threads);
    return std::move(waits_);
  }

  void add_block(const DumpDevice& device, Code& code, const DumpSm& sm, const DumpBlock& block) {
    const auto grid = std::ranges::find(device.grids, block.grid, &DumpGrid::id);
    if (grid == device.grids.end()) return;
    std::vector<Wait> of_block;
    for (const DumpWarp& warp : block.warps) {
      // Lanes of a diverged warp are at several places.
      std::map<std::uint64_t, std::uint32_t> places;
      for (const DumpLane& lane : warp.lanes)
        if (lane.lane < lanes_per_warp && (warp.valid_lanes >> lane.lane & 1) != 0) places[lane.pc] |= 1U << lane.lane;
      for (const auto& [pc, lanes] : places) {
        Wait wait;
        wait.sm = sm.sm;
        wait.lanes = lanes;
        wait.thread = {&dump_, &device, &*grid, &block, &warp, lanes_of(warp, lanes).front()};
        const auto place = code.at(pc);
        if (!place || !see(wait, *place, code)) continue;
        wait.threads = static_cast<std::size_t>(std::popcount(lanes));
        wait.warps = {warp_in_block(warp, grid->block)};
        join(of_block, std::move(wait));
      }
    }
    for (Wait& wait : of_block) {
      note_missing_warps(wait, of_block);
      count(std::move(wait));
    }
  }

  /// Finds what a thread at `place` waits for; false if it does not wait.
  bool see(Wait& wait, const CodePlace& place, Code& code) {
    const LoadedFunction& loaded = *place.loaded;
    const sass::Instruction* const next = place.instruction();
    if (const auto at = barrier_before(wait, place)) {
      wait.place = {&loaded, *at};
      const sass::Instruction& barrier = *loaded.instruction(*at);
      if (barrier.opcode == Opcode::bar) return see_barrier(wait, barrier, place.index);
      wait.kind = WaitKind::cluster_barrier;
      return true;
    }
    wait.place = place;
    if (next != nullptr && (next->opcode == Opcode::warpsync || next->opcode == Opcode::bsync))
      return see_lanes(wait, *next);
    if (const auto loop = loop_around(loaded, place.index); loop && only_waits(loaded, *loop))
      if (const auto reader = reading_instruction(loaded, *loop)) return see_loop(wait, *loop, *reader, place, code);
    if (next != nullptr && next->opcode == Opcode::nanosleep) {
      wait.kind = WaitKind::sleep;
      return true;
    }
    return false;
  }

  /// The barrier at which a thread waits: its place is that of the next instruction, or a few further, as a warp issues
  /// arithmetic before the barrier stops it.
  static std::optional<std::size_t> barrier_before(const Wait& wait, const CodePlace& place) {
    for (std::size_t at = place.index; at > 0 && place.index - at < issued_past_barrier; --at) {
      const sass::Instruction* const before = place.loaded->instruction(at - 1);
      if (before == nullptr) return std::nullopt;
      const bool is_barrier = before->opcode == Opcode::ucgabar_wait ||
                              (before->opcode == Opcode::bar && before->word(sass::Field::operation) != Word::arv);
      if (is_barrier) {
        PastValues past(wait.thread, *place.loaded, at - 1, place.index);
        return past.executes().value_or(true) ? std::optional(at - 1) : std::nullopt;
      }
      const auto& next = place.loaded->flow.successors[at - 1];
      if (access_of(*before) || next.size() != 1 || next.front() != at) return std::nullopt;
    }
    return std::nullopt;
  }

  bool see_barrier(Wait& wait, const sass::Instruction& barrier, std::size_t now) {
    wait.kind = WaitKind::barrier;
    std::vector<std::optional<std::uint32_t>> values;
    PastValues past(wait.thread, *wait.place.loaded, wait.place.index, now);
    for (const Operand& o : barrier.operands) {
      if (o.kind == OperandKind::integer)
        values.emplace_back(static_cast<std::uint32_t>(o.value));
      else if (o.kind == OperandKind::reg)
        values.push_back(past.general(o.reg));
    }
    if (!values.empty()) wait.barrier = values[0];
    if (values.size() > 1 && values[1].value_or(0) != 0) wait.expected_threads = values[1];
    return true;
  }

  bool see_lanes(Wait& wait, const sass::Instruction& instruction) {
    wait.kind = WaitKind::lanes;
    std::optional<std::uint32_t> mask;
    PastValues past(wait.thread, *wait.place.loaded, wait.place.index, wait.place.index);
    for (const Operand& o : instruction.operands) {
      if (o.kind == OperandKind::barrier) mask = wait.thread.warp->convergence_barriers.at(o.reg);
      if (o.kind == OperandKind::reg) mask = past.general(o.reg);
      if (o.kind == OperandKind::integer) mask = static_cast<std::uint32_t>(o.value);
    }
    if (instruction.has(Word::all)) mask = ~0U;
    wait.missing_lanes = mask.value_or(wait.thread.warp->valid_lanes) & wait.thread.warp->valid_lanes & ~wait.lanes;
    // Without missing lanes, the warp is only on its way.
    return wait.missing_lanes != 0;
  }

  bool see_loop(Wait& wait, const CodeLoop& loop, std::size_t reader, const CodePlace& now, Code& code) {
    const LoadedFunction& loaded = *now.loaded;
    const sass::Instruction& instruction = *loaded.instruction(reader);
    wait.place = {&loaded, reader};
    wait.access = access_of(instruction);
    wait.kind = instruction.opcode == Opcode::syncs ? WaitKind::mbarrier : WaitKind::spin;
    // Registers that the loop does not write are those of every turn.
    sass::RegisterSet written;
    const sass::RegisterSet read = sass::register_use(instruction).reads;
    for (std::size_t i = loop.first; i <= loop.last; ++i) written |= sass::register_use(*loaded.instruction(i)).writes;
    const bool constant = (read.general & written.general).none() && (read.uniform & written.uniform).none();
    PastValues past(wait.thread, loaded, reader, constant ? reader : now.index);
    wait.address = accessed_address(*wait.access, past);
    if (wait.kind == WaitKind::mbarrier)
      wait.mbarrier = mbarrier_of(wait);
    else
      wait.value = read_value(wait, loop, reader, now.index);
    if (wait.address && wait.access->space == AccessSpace::global)
      wait.near =
          near_address(wait.thread, code, *wait.address, wait.access->bytes, address_constants(*wait.access, past));
    return true;
  }

  static std::optional<Mbarrier> mbarrier_of(const Wait& wait) {
    constexpr std::uint32_t known_major = 9;
    if (!wait.address || wait.thread.device->sm_major != known_major) return std::nullopt;
    const auto word = sass::Bytes(wait.thread.block->shared_memory).number(*wait.address, 8);
    return word ? read_mbarrier(*word) : std::nullopt;
  }

  /// The value that the thread read last: from the register that it was loaded to, else from the dump's memory.
  std::optional<std::uint64_t> read_value(const Wait& wait, const CodeLoop& loop, std::size_t reader,
                                          std::size_t now) const {
    const LoadedFunction& loaded = *wait.place.loaded;
    const sass::Instruction& instruction = *loaded.instruction(reader);
    const auto to = std::ranges::find_if(instruction.operands,
                                         [](const Operand& o) { return o.written && o.kind == OperandKind::reg; });
    if (to != instruction.operands.end() && to->reg != sass::zero_register && wait.access->bytes <= 8) {
      const unsigned words = wait.access->bytes > 4 ? 2 : 1;
      // The instructions of the loop from the one that reads to where the thread is.
      bool kept = true;
      for (std::size_t i = reader == loop.last ? loop.first : reader + 1; i != now;
           i = i == loop.last ? loop.first : i + 1) {
        const auto writes = sass::register_use(*loaded.instruction(i)).writes.general;
        for (unsigned word = 0; word < words; ++word)
          kept = kept && (to->reg + word >= writes.size() || !writes.test(to->reg + word));
      }
      const auto low = wait.thread.lane->registers.at(to->reg), high = wait.thread.lane->registers.at(to->reg + 1U);
      if (kept && low && (words == 1 || high)) return words == 1 ? *low : std::uint64_t{*high} << 32 | *low;
    }
    if (!wait.address) return std::nullopt;
    const std::uint32_t bytes = wait.access->bytes;
    if (wait.access->space == AccessSpace::shared)
      return sass::Bytes(wait.thread.block->shared_memory).number(*wait.address, bytes);
    return sass::Bytes(dump_.memory_at(*wait.address, bytes)).number(0, bytes);
  }

  /// Adds the threads of another warp of the block that wait for the same.
  static void join(std::vector<Wait>& of_block, Wait wait) {
    const bool is_own = wait.kind == WaitKind::lanes;  // lanes wait for those of their warp
    for (Wait& other : of_block)
      if (!is_own && other.kind == wait.kind && other.barrier == wait.barrier && other.address == wait.address &&
          other.place.loaded == wait.place.loaded && other.place.index == wait.place.index) {
        other.threads += wait.threads;
        if (std::ranges::find(other.warps, wait.warps.front()) == other.warps.end())
          other.warps.push_back(wait.warps.front());
        return;
      }
    of_block.push_back(std::move(wait));
  }

  static void note_missing_warps(Wait& wait, const std::vector<Wait>& of_block) {
    if (wait.kind != WaitKind::barrier) return;
    std::vector<std::uint32_t> here;
    for (const Wait& other : of_block)
      if (other.kind == WaitKind::barrier && other.barrier == wait.barrier)
        here.insert(here.end(), other.warps.begin(), other.warps.end());
    for (const DumpWarp& warp : wait.thread.block->warps) {
      const std::uint32_t number = warp_in_block(warp, wait.thread.grid->block);
      if (std::ranges::find(here, number) == here.end()) wait.missing_warps.push_back(number);
    }
    std::ranges::sort(wait.missing_warps);
    std::ranges::sort(wait.warps);
  }

  /// Counts a block that is in the same situation as an earlier one.
  void count(Wait wait) {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      Wait& other = waits_[i];
      const bool same = other.kind == wait.kind && other.thread.grid == wait.thread.grid &&
                        other.place.loaded == wait.place.loaded && other.place.index == wait.place.index &&
                        other.barrier == wait.barrier && other.missing_warps == wait.missing_warps &&
                        other.missing_lanes == wait.missing_lanes &&
                        (wait.kind != WaitKind::spin || other.address == wait.address);
      if (!same) continue;
      other.threads += wait.threads;
      if (last_blocks_[i] != wait.thread.block) ++other.blocks;
      last_blocks_[i] = wait.thread.block;
      return;
    }
    last_blocks_.push_back(wait.thread.block);
    waits_.push_back(std::move(wait));
  }

  const CoreDump& dump_;
  std::vector<Code>& codes_;
  std::vector<Wait> waits_;
  std::vector<const DumpBlock*> last_blocks_;  ///< that each of them has counted
};

}  // namespace

std::optional<Mbarrier> read_mbarrier(std::uint64_t word) {
  const auto field = [&](unsigned first, unsigned bits) { return word >> first & ((std::uint64_t{1} << bits) - 1); };
  constexpr std::uint32_t counts = 1U << 20;
  constexpr std::int64_t bytes = std::int64_t{1} << 21;
  Mbarrier found;
  found.phase = static_cast<std::uint32_t>(field(63, 1));
  found.expected = (counts - static_cast<std::uint32_t>(field(1, 20))) % counts;
  found.pending = (counts - static_cast<std::uint32_t>(field(43, 20))) % counts;
  const auto come = static_cast<std::int64_t>(field(21, 21));
  found.pending_bytes = come >= bytes / 2 ? bytes - come : -come;
  const bool possible = field(0, 1) == 0 && field(42, 1) == 0 && found.expected != 0 && found.pending <= found.expected;
  return possible ? std::optional(found) : std::nullopt;
}

std::string_view name_of(WaitKind kind) { return base::enum_name(kind); }

std::uint32_t warp_in_block(const DumpWarp& warp, const Extent3& block) {
  if (warp.lanes.empty()) return 0;
  const Extent3& thread = warp.lanes.front().thread;
  return (thread[0] + block[0] * (thread[1] + block[1] * thread[2])) / lanes_per_warp;
}

std::vector<Wait> find_waits(const CoreDump& dump, std::vector<Code>& codes) { return WaitFinder(dump, codes).find(); }

std::vector<Wait> waits_of_block(const CoreDump& dump, std::vector<Code>& codes, const DumpDevice& device,
                                 const DumpSm& sm, const DumpBlock& block) {
  return WaitFinder(dump, codes).find(device, sm, block);
}

}  // namespace warpwalk::crash
