#include "core/gpu/exec/check/sanitizer.h"

#include <bit>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/check/finding_text.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

namespace {

/// The block that has a warp or a byte of the shadow memory; these are numbered across the blocks of a cluster.
BlockState& block_of_warp(const Machine& m, std::uint32_t warp) {
  return m.block->cluster == nullptr ? *m.block : *m.block->cluster->blocks[warp / m.context.warps_per_block];
}
BlockState& block_of_byte(const Machine& m, std::uint32_t offset) {
  return m.block->cluster == nullptr ? *m.block : *m.block->cluster->blocks[offset / m.context.shared_bytes];
}

std::string block_text(const BlockState& block) {
  return fmt::format("block ({},{},{})", block.id[0], block.id[1], block.id[2]);
}

/// A thread, with its block if that is not the current one.
std::string thread_text(const Machine& m, std::uint32_t thread) {
  const BlockState& block = block_of_warp(m, thread / 32);
  const auto at = m.thread_position(thread - block.first_warp * 32);
  const std::string text = fmt::format("({},{},{})", at[0], at[1], at[2]);
  return &block == m.block ? text : fmt::format("{} of {}", text, block_text(block));
}

/// A place in shared memory, with its block if that is not the current one.
std::string byte_text(const Machine& m, std::uint32_t offset) {
  const BlockState& block = block_of_byte(m, offset);
  const std::string text = shared_place(m.program, offset - block.cluster_rank * m.context.shared_bytes);
  return &block == m.block ? text : fmt::format("{} of {}", text, block_text(block));
}

/// Address in the shared window of a byte of the shadow memory.
std::uint64_t address_of(const Machine& m, std::uint32_t offset) {
  const BlockState& block = block_of_byte(m, offset);
  return offset - block.cluster_rank * m.context.shared_bytes + shared_begin + block.shared_base;
}

/// Offset in the shadow memory of an address in the shared window.
std::uint32_t shadow_offset(const Machine& m, std::uint64_t address) {
  if (m.block->cluster == nullptr) return static_cast<std::uint32_t>(address - shared_begin);
  return static_cast<std::uint32_t>((address >> block_rank_shift) * m.context.shared_bytes +
                                    (address & (window_bytes - 1)) - shared_begin);
}

/// "reads `tile` at byte 0" or, of an asynchronous access, what the thread starts.
std::string access_text(AccessedBy by, bool writes, std::string_view what) {
  const std::string_view verb = writes ? "writes" : "reads";
  if (by == AccessedBy::product) return fmt::format("issues a wgmma that reads {}", what);
  if (uses_async_proxy(by)) return fmt::format("starts a bulk copy that {} {}", verb, what);
  return fmt::format("{} {}", verb, what);
}

/// The other side of a race: an access through the async proxy that may still be in progress, and how to wait for it.
std::string in_progress_text(const Machine& m, const Touch& other, bool writes) {
  const std::string there = place_of(m.program, other.instruction);
  if (other.by == AccessedBy::product) {
    return fmt::format(
        "which the wgmma that the warp of thread {} issues at {} may still be reading: the warp must wait for it with "
        "wgmma.wait_group before it gives the buffer back (mbarrier arrival or barrier)",
        thread_text(m, other.thread), there);
  }
  if (other.by == AccessedBy::bulk_store) {
    return fmt::format(
        "which the bulk copy that thread {} starts at {} may still be reading: that thread must wait for its bulk "
        "group (cp.async.bulk.wait_group.read), and then both must synchronize",
        thread_text(m, other.thread), there);
  }
  return fmt::format(
      "which the bulk copy that thread {} starts at {} may still be {}: wait for the phase of its mbarrier "
      "(mbarrier.try_wait) first",
      thread_text(m, other.thread), there, writes ? "writing" : "reading");
}

/// What threads that share a warp, a block or a cluster lack between two accesses.
std::string missing_order_text(const Machine& m, int lane, const Touch& other) {
  const bool same_warp = other.thread / 32 == m.shadow_warp(), one_warp = m.block->warps.size() == 1;
  const bool same_block = &block_of_warp(m, other.thread / 32) == m.block;
  if (same_block && !same_warp && m.block->shadow->is_before_exit(other.thread, other.epoch, m.shadow_thread(lane)))
    return std::string(exit_is_no_barrier);
  return fmt::format("is a {} missing between them?", !same_block  ? "cluster.sync()"
                                                      : !same_warp ? "__syncthreads()"
                                                      : one_warp   ? "__syncwarp()"
                                                                   : "__syncwarp() or __syncthreads()");
}

/// Reports a race. The message depends on what makes the other access and on whether both threads are in one warp.
void report_race(Machine& m, const Op& op, int lane, std::uint32_t offset, bool writes, AccessedBy by,
                 const Touch& other, bool other_writes) {
  const std::string there = place_of(m.program, other.instruction);
  const std::string access = access_text(by, writes, byte_text(m, offset));
  std::string message;
  if (uses_async_proxy(other.by)) {
    message = fmt::format("{}, {}", access, in_progress_text(m, other, other_writes));
  } else if (other.by == AccessedBy::copy && other.thread == m.shadow_thread(lane)) {
    message = fmt::format(
        "{} while its own asynchronous copy to it, started at {}, may still be in progress: wait for it with "
        "cp.async.wait_group or wait_all first",
        access, there);
  } else if (other.by == AccessedBy::copy) {
    message = fmt::format(
        "{}, to which thread {} copies asynchronously at {}: that thread must wait for its copy "
        "(cp.async.wait_group), and then both must reach a __syncthreads()",
        access, thread_text(m, other.thread), there);
  } else {
    message = fmt::format("{}, which thread {} {} at {}: the two accesses are not ordered; {}", access,
                          thread_text(m, other.thread), other_writes ? "writes" : "reads", there,
                          missing_order_text(m, lane, other));
  }
  m.report_thread(FindingKind::shared_race, op.instruction, m.thread_of(lane), std::move(message),
                  address_of(m, offset), other.instruction);
}

/// Reports an access through the async proxy to what a thread has written through the generic one, without the fence
/// between the proxies.
void report_missing_proxy_fence(Machine& m, const Op& op, int lane, std::uint32_t offset, AccessedBy by,
                                const Touch& write) {
  m.report_thread(FindingKind::shared_race, op.instruction, m.thread_of(lane),
                  fmt::format("{}, which thread {} writes at {}: the async proxy may not see that write; each writing "
                              "thread needs a fence.proxy.async between its write and the synchronization",
                              access_text(by, false, byte_text(m, offset)), thread_text(m, write.thread),
                              place_of(m.program, write.instruction)),
                  address_of(m, offset), write.instruction);
}

/// The value that a store writes to byte `i` of the lane's access; null for other kinds of writes.
const std::uint8_t* stored_byte(const Machine& m, const Op& op, int lane, int i) {
  if (op.run != handlers::store && op.run != handlers::store_word) return nullptr;
  const Access& access = m.program.accesses[op.table_index];
  const int element = i / access.bytes;
  return m.at<const std::uint8_t>(access.values[element]) + access.register_bytes[element] * lane + i % access.bytes;
}

/// Checks one lane's access against the shadow memory and records it there.
struct LaneAccess {
  Machine& m;
  const Op& op;
  int lane;
  std::uint32_t offset;
  bool writes, synchronizing;
  Touch touch;
  const std::uint64_t* addresses;  ///< addresses of all lanes
  bool reported = false;

  /// True if both writes store the same value, so their order does not matter, e.g. "found = true" in several threads.
  bool stores_same_value(const Touch& other, int first, int count) const {
    if (other.atomic || other.batch != 0 || !writes) return false;
    for (int i = first; i < first + count; ++i)
      if (!stores_same_byte(other, i)) return false;
    return true;
  }

  bool stores_same_byte(const Touch& other, int i) const {
    const std::uint8_t* const mine = stored_byte(m, op, lane, i);
    if (mine == nullptr) return other.execution == touch.execution;
    if (other.execution != touch.execution) {
      const BlockState& block = block_of_byte(m, offset);
      return *mine ==
             block.shared[offset - block.cluster_rank * m.context.shared_bytes + static_cast<std::uint32_t>(i)];
    }
    const int there = static_cast<int>(other.thread % 32);
    const std::uint64_t within = addresses[lane] + static_cast<std::uint64_t>(i) - addresses[there];
    return *mine == *stored_byte(m, op, there, static_cast<int>(within));
  }

  /// True if this read gets the value that the last write has stored from a store of the same value that is ordered
  /// before it. After unordered stores of the value that is taken to be so, as only one of them is remembered.
  bool reads_same_value(const SharedShadow::Byte& byte) const {
    return !writes && byte.has_same_value &&
           (byte.several_same || m.block->shadow->happens_before(byte.same_value, touch.thread));
  }

  void check_against_write(const Touch& other, int i, int count) {
    if (reported || m.block->shadow->happens_before(other, touch.thread) || stores_same_value(other, i, count)) return;
    report_race(m, op, lane, offset + static_cast<std::uint32_t>(i), writes, touch.by, other, true);
    reported = true;
  }

  void check_against_read(const Touch& other, int i) {
    if (reported || (synchronizing && other.atomic) || m.block->shadow->happens_before(other, touch.thread)) return;
    report_race(m, op, lane, offset + static_cast<std::uint32_t>(i), true, touch.by, other, false);
    reported = true;
  }

  /// The async proxy reads what a thread has written, which is ordered before it.
  void check_proxy(const Touch& write, int i) {
    if (reported || write.by != AccessedBy::thread) return;
    if (m.block->shadow->is_fenced_for_proxy(write, touch.thread / 32)) return;
    report_missing_proxy_fence(m, op, lane, offset + static_cast<std::uint32_t>(i), touch.by, write);
    reported = true;
  }

  /// Remembers a read until the next write.
  void keep_read(std::vector<Touch>& reads) const {
    const SharedShadow& shadow = *m.block->shadow;
    const bool asynchronous = uses_async_proxy(touch.by);
    if (asynchronous || synchronizing) {
      // Accesses of one channel complete in order, so the last one is enough. So is the last poll of a thread.
      for (Touch& other : reads) {
        const bool same = asynchronous ? uses_async_proxy(other.by) && other.channel == touch.channel
                                       : other.atomic && other.thread == touch.thread;
        if (!same) continue;
        other = touch;
        return;
      }
    }
    const auto seen = [&](const Touch& other) {
      if (other.atomic != synchronizing) return false;
      const bool same_thread = other.thread == touch.thread && !asynchronous && !uses_async_proxy(other.by);
      return same_thread || shadow.happens_before(other, touch.thread);
    };
    // Removing reads that are not needed any more costs more than checking them once, so it is done seldom.
    if (reads.size() >= 8 && std::has_single_bit(reads.size())) std::erase_if(reads, seen);
    reads.push_back(touch);
  }

  /// Checks and records `count` bytes of the access, from byte i on, which are handled as one.
  void touch_bytes(int i, int count) {
    SharedShadow& shadow = *m.block->shadow;
    SharedShadow::Byte& byte = shadow.bytes[offset + static_cast<std::uint32_t>(i)];
    // The rule for stores of the value that is already there is that of global memory (GlobalRaces).
    if (writes && !synchronizing && touch.batch == 0 && byte.has_plain && byte.atomic.empty() &&
        stores_same_value(byte.plain, i, count)) {
      byte.several_same = byte.has_same_value && !shadow.happens_before(byte.same_value, touch.thread);
      byte.has_same_value = true;
      byte.same_value = byte.plain;
      byte.plain = touch;
      return;
    }
    // If others have read what a copy overwrites, the race is with them, or they have raced with the write before.
    if (writes && touch.batch != 0)
      for (const Touch& read : byte.reads) check_against_read(read, i);
    const bool consumed = writes && touch.batch != 0 && !byte.reads.empty();
    if (byte.has_plain && !consumed && !reads_same_value(byte)) check_against_write(byte.plain, i, count);
    if (!synchronizing) {
      for (const Touch& other : byte.atomic) check_against_write(other, i, count);
    }
    if (!writes) {
      if (uses_async_proxy(touch.by) && byte.has_plain) check_proxy(byte.plain, i);
      return keep_read(byte.reads);
    }
    for (const Touch& read : byte.reads) check_against_read(read, i);
    byte.reads.clear();
    byte.has_same_value = false;
    for (int k = i; k < i + count; ++k) shadow.written(touch, offset + static_cast<std::uint32_t>(k));
    byte.written = true;
    if (synchronizing) {
      std::erase_if(byte.atomic, [&](const Touch& other) { return other.thread / 32 == touch.thread / 32; });
      byte.atomic.push_back(touch);
    } else {
      byte.atomic.clear();
      byte.plain = touch;
      byte.has_plain = true;
    }
  }
};

/// Checks that the block of the cluster whose memory a lane accesses has started, and keeps the access for the check at
/// the end of that block.
void touch_other_block(Machine& m, const Op& op, int lane, BlockState& target, const Touch& touch) {
  bool met = false;
  for (std::uint32_t warp = 0; warp < m.context.warps_per_block && !met; ++warp)
    met = target.shadow->has_met(m.shadow_warp(), target.first_warp + warp);
  if (!met) {
    m.report_thread(FindingKind::shared_race, op.instruction, m.thread_of(lane),
                    fmt::format("accesses the shared memory of {}, which may not have started yet: is a "
                                "cluster.sync() missing before this access?",
                                block_text(target)),
                    {});
  }
  // Only the last access of each warp is kept.
  for (Touch& known : target.remote_touches) {
    if (known.thread / 32 != touch.thread / 32) continue;
    known = touch;
    return;
  }
  target.remote_touches.push_back(touch);
}

/// mbarrier instructions have implicit release semantics on arrival and acquire semantics on waiting.
bool is_mbarrier(ptx::Opcode opcode) {
  switch (opcode) {
    case ptx::Opcode::mbarrier_arrive:
    case ptx::Opcode::mbarrier_arrive_drop:
    case ptx::Opcode::mbarrier_complete_tx:
    case ptx::Opcode::mbarrier_test_wait:
    case ptx::Opcode::mbarrier_try_wait:
    case ptx::Opcode::cp_async_mbarrier_arrive: return true;
    default: return false;
  }
}

/// Instructions that look at the phase of an mbarrier.
bool tests_mbarrier(ptx::Opcode opcode) {
  return opcode == ptx::Opcode::mbarrier_test_wait || opcode == ptx::Opcode::mbarrier_try_wait;
}

/// The parity of the current phase of the mbarrier that has this byte of the shadow memory: its highest bit, whatever
/// the architecture. `mbarrier` is the offset of its first byte.
bool is_odd_phase_at(const Machine& m, std::uint32_t mbarrier) {
  const BlockState& block = block_of_byte(m, mbarrier);
  const std::uint32_t last = mbarrier - block.cluster_rank * m.context.shared_bytes + 7;
  return last < block.shared.size() && block.shared[last] >> 7 != 0;
}

/// The offset in the shadow memory of the mbarrier that the current bulk copy signals; nothing if there is no memory.
std::optional<std::uint32_t> signalled_mbarrier(const Machine& m) {
  const std::uint64_t rank = m.signalled_mbarrier >> block_rank_shift;
  const std::uint64_t offset = (m.signalled_mbarrier & (window_bytes - 1)) - shared_begin;
  const std::size_t blocks = m.block->cluster == nullptr ? 1 : m.block->cluster->blocks.size();
  if (rank >= blocks || offset >= m.context.shared_bytes || offset + 8 > m.context.shared_bytes) return {};
  return shadow_offset(m, m.signalled_mbarrier);
}

/// Completes a touch with what makes the current access, if that is the async proxy.
void set_unit(const Machine& m, Touch& touch) {
  using enum SharedShadow::ChannelKind;
  SharedShadow& shadow = *m.block->shadow;
  switch (m.accessed_by) {
    case AccessedBy::thread:
    case AccessedBy::copy: return;
    case AccessedBy::bulk_copy: {
      const std::optional<std::uint32_t> at = signalled_mbarrier(m);
      if (!at) return;
      touch.channel = shadow.channel(mbarrier, *at);
      touch.batch = shadow.phase_of(*at, is_odd_phase_at(m, *at));
      break;
    }
    case AccessedBy::bulk_store:
      touch.channel = shadow.channel(bulk_reads, touch.thread);
      touch.batch = shadow.open_bulk_group(touch.thread);
      break;
    case AccessedBy::product:
      touch.channel = m.warp_group_channel();
      touch.batch = m.warp->group_commits + 1;
      break;
  }
  touch.by = m.accessed_by;
}

bool communicates(const Machine& m, const Op& op) {
  // printf() and assert() read their texts without an entry in the table of accesses.
  if (op.run == handlers::print || op.run == handlers::fail_assertion) return false;
  // Copies by the tensor memory accelerator and products of warp groups have tables of their own.
  if (op.run == handlers::copy_contiguous || op.run == handlers::copy_tensor || op.run == handlers::multiply_warp_group)
    return false;
  return m.program.accesses[op.table_index].communicates;
}

void report_unwritten(Machine& m, const Op& op, std::uint32_t lanes, int bytes, std::uint64_t address) {
  m.report(FindingKind::uninitialized, op, lanes,
           fmt::format("reads {} bytes of its local memory (e.g. a local array) at byte {}, which it has not written",
                       bytes, address),
           address);
}

/// The access of a load or store that copies; null for others.
const Access* copying_access(const Machine& m, const Op& op) {
  if (op.run != handlers::load && op.run != handlers::store && op.run != handlers::store_word) return nullptr;
  const Access& access = m.program.accesses[op.table_index];
  return access.copied_until != 0 ? &access : nullptr;
}

/// Where a register is in Warp::registers; nothing for other values. Frames may move, so no pointer is kept.
std::optional<std::size_t> place_in_registers(const Machine& m, Slot slot) {
  if (slot.space() != static_cast<std::uint32_t>(SlotSpace::frame)) return {};
  return static_cast<std::size_t>(m.at<const std::uint8_t>(slot) - m.warp->registers.data());
}

/// The lanes get these unwritten bytes of the register, in place of those that it had.
void set_unwritten(Warp& warp, UnwrittenValue value, std::uint32_t lanes) {
  const auto old = std::ranges::find(warp.unwritten, value.place, &UnwrittenValue::place);
  const bool any = std::ranges::any_of(value.bytes, [](std::uint8_t bytes) { return bytes != 0; });
  if (old == warp.unwritten.end()) {
    if (any) warp.unwritten.push_back(value);
    return;
  }
  for_lanes(lanes, [&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    old->bytes[l] = value.bytes[l];
  });
  if (any) {
    old->load = value.load;
    old->address = value.address;
  }
  if (std::ranges::all_of(old->bytes, [](std::uint8_t bytes) { return bytes == 0; })) warp.unwritten.erase(old);
}

/// True if nothing has written a byte of local memory that a lane loads. The upper half of a word is not missing when a
/// spilled value of 16 bits is loaded as a word: no instruction uses it.
bool is_unwritten(const std::vector<std::uint8_t>& written, const Access* access, std::uint64_t byte, int lane) {
  const auto flag = [&](std::uint64_t at) { return written[at * lanes_per_warp + static_cast<std::uint64_t>(lane)]; };
  if (flag(byte) != 0) return false;
  return access == nullptr || !access->reloads_spill || flag(byte / 4 * 4) == 0;
}

/// Notes the bytes that nothing has written, of registers that a load fills. `written`: the flags of local memory.
void note_unwritten(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at,
                    const std::vector<std::uint8_t>& written) {
  for (unsigned k = 0; k < access.elements; ++k) {
    if (access.discard[k]) continue;
    UnwrittenValue value{*place_in_registers(m, access.values[k]), &op};
    bool any = false;
    for_lanes(mask, [&](int lane) {
      const std::uint64_t first = at[lane] + std::uint64_t{k} * access.bytes;
      for (unsigned i = 0; i < access.bytes; ++i) {
        if (!is_unwritten(written, &access, first + i, lane)) continue;
        value.bytes[static_cast<std::size_t>(lane)] |= static_cast<std::uint8_t>(1U << i);
        if (!std::exchange(any, true)) value.address = first;
      }
    });
    set_unwritten(*m.warp, value, mask);
  }
}

/// Registers that a load fills from other memory hold no unwritten bytes.
void note_written(Machine& m, const Op& op, std::uint32_t mask) {
  if (m.warp->unwritten.empty()) return;
  const Access* const access = copying_access(m, op);
  if (access == nullptr || access->store) return;
  for (unsigned k = 0; k < access->elements; ++k)
    if (!access->discard[k]) set_unwritten(*m.warp, {*place_in_registers(m, access->values[k]), &op}, mask);
}

/// What a register has of unwritten bytes when `op` executes; null if it has none.
const UnwrittenValue* unwritten_value(const Machine& m, const Op& op, Slot slot) {
  const std::optional<std::size_t> place = place_in_registers(m, slot);
  if (!place) return nullptr;
  for (const UnwrittenValue& value : m.warp->unwritten) {
    const std::uint32_t until = m.program.accesses[value.load->table_index].copied_until;
    const bool still = until == no_index || (op.instruction > value.load->instruction && op.instruction < until);
    if (value.place == *place && still) return &value;
  }
  return nullptr;
}

/// Other threads may read what is stored to shared or global memory: that is a use of the value.
void check_stored_value(Machine& m, const Op& op, std::uint32_t mask) {
  if (m.warp->unwritten.empty()) return;
  const Access* const access = copying_access(m, op);
  if (access == nullptr || !access->store) return;
  for (unsigned k = 0; k < access->elements; ++k) {
    const UnwrittenValue* const value = unwritten_value(m, op, access->values[k]);
    if (value == nullptr) continue;
    std::uint32_t lanes = 0;
    for_lanes(mask, [&](int lane) {
      if (value->bytes[static_cast<std::size_t>(lane)] != 0) lanes |= 1U << lane;
    });
    const Access& load = m.program.accesses[value->load->table_index];
    if (lanes != 0) report_unwritten(m, *value->load, lanes, load.bytes * load.elements, value->address);
  }
}

}  // namespace

void Sanitizer::shared(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                       bool atomic) const {
  SharedShadow& shadow = *m.block->shadow;
  if (writes)
    check_stored_value(m, op, mask);
  else
    note_written(m, op, mask);
  const bool copy = op.run == handlers::copy_async;
  const bool meant = atomic || communicates(m, op);
  const ptx::Instruction& instruction = *m.program.sources[op.instruction].instruction;
  // A bulk copy completes bytes of an mbarrier when its data is there.
  const bool barrier = is_mbarrier(instruction.opcode) || m.completes_bytes;
  const bool acquires = barrier || instruction.has(ptx::Modifier::acquire) || instruction.has(ptx::Modifier::acq_rel);
  const bool releases = barrier || instruction.has(ptx::Modifier::release) || instruction.has(ptx::Modifier::acq_rel);
  const bool tests = tests_mbarrier(instruction.opcode);
  shadow.begin();
  Touch touch;
  bool first = true;
  std::uint64_t tested = ~std::uint64_t{0};
  for_lanes(mask, [&](int lane) {
    // Lanes poll one mbarrier together.
    if (tests && std::exchange(tested, at[lane]) == at[lane]) return;
    const std::uint32_t offset = shadow_offset(m, at[lane]);
    // Machine code may read a part of an mbarrier, which is 8 bytes large.
    const std::uint32_t variable = barrier ? offset - static_cast<std::uint32_t>(at[lane] % 8) : offset;
    if (meant && (atomic || !writes)) shadow.acquire(m.shadow_warp(), variable, acquires);
    if (barrier) {
      const bool odd = is_odd_phase_at(m, variable);
      const std::uint32_t phase = shadow.phase_of(variable, odd);
      if (tests) {
        shadow.see_phase_completed(m.shadow_warp(), variable, !odd);
        shadow.complete(m.shadow_warp(), shadow.channel(SharedShadow::ChannelKind::mbarrier, variable), phase - 1);
      }
    }
    if (instruction.opcode == ptx::Opcode::cp_async_mbarrier_arrive)
      shadow.track_copies(m.shadow_thread(lane), variable, is_odd_phase_at(m, variable));
    // The epoch and the batch of copies only differ between lanes in these cases. A product's operands belong to all
    // lanes of the warp.
    const int who = m.accessed_by == AccessedBy::product ? 0 : lane;
    if (meant || copy || first) {
      touch =
          shadow.make_touch(m.shadow_thread(who), op.instruction, meant, copy ? AccessedBy::copy : AccessedBy::thread);
      if (!meant) set_unit(m, touch);
    }
    first = false;
    touch.thread = m.shadow_thread(who);
    if (BlockState& target = block_of_byte(m, offset); &target != m.block)
      touch_other_block(m, op, lane, target, touch);
    std::uint32_t unwritten = 0;
    LaneAccess access{m, op, who, offset, writes, meant, touch, at};
    for (int i = 0, count = 0; i < bytes; i += count) {
      const std::uint32_t at_byte = offset + static_cast<std::uint32_t>(i);
      count = shadow.piece_at(at_byte, bytes - i);
      if ((!writes || atomic) && !shadow.bytes[at_byte].written) unwritten |= ((1u << count) - 1) << i;
      access.touch_bytes(i, count);
    }
    if (unwritten != 0) shadow.read_unwritten(touch, offset, unwritten);
    if (meant && writes) shadow.release(m.shadow_warp(), variable, releases);
  });
}

void Sanitizer::block_ended(Machine& m) const {
  for (const UnwrittenRead& unwritten : m.block->shadow->unwritten_reads()) {
    if (unwritten.raced) continue;
    m.block = &block_of_warp(m, unwritten.read.thread / 32);
    m.report_thread(
        FindingKind::uninitialized, unwritten.read.instruction, unwritten.read.thread - m.block->first_warp * 32,
        fmt::format("reads {}, which no thread has written: its value is undefined", byte_text(m, unwritten.offset)),
        address_of(m, unwritten.offset), no_index, unwritten.count);
  }
}

void Sanitizer::local(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                      bool reads) const {
  auto& written = m.warp->stack_written;
  if (written.size() < m.warp->stack.size() * 4) written.resize(m.warp->stack.size() * 4);
  const Access* const copied = copying_access(m, op);
  if (copied != nullptr && !copied->store) return note_unwritten(m, op, *copied, mask, at, written);
  const Access* const loaded = op.run == handlers::load ? &m.program.accesses[op.table_index] : nullptr;
  std::uint32_t unknown = 0;
  for_lanes(mask, [&](int lane) {
    for (int i = 0; i < bytes; ++i) {
      const std::uint64_t byte = at[lane] + static_cast<std::uint64_t>(i);
      if (reads && is_unwritten(written, loaded, byte, lane)) unknown |= 1u << lane;
      if (writes) written[byte * lanes_per_warp + static_cast<std::uint64_t>(lane)] = 1;
    }
  });
  if (unknown != 0) report_unwritten(m, op, unknown, bytes, at[std::countr_zero(unknown)]);
  if (copied == nullptr || m.warp->unwritten.empty()) return;
  for (unsigned k = 0; k < copied->elements; ++k) {
    const UnwrittenValue* const value = unwritten_value(m, op, copied->values[k]);
    if (value == nullptr) continue;
    for_lanes(mask, [&](int lane) {
      const std::uint64_t first = at[lane] + std::uint64_t{k} * copied->bytes;
      for (unsigned i = 0; i < copied->bytes; ++i)
        if ((value->bytes[static_cast<std::size_t>(lane)] >> i & 1) != 0)
          written[(first + i) * lanes_per_warp + static_cast<std::uint64_t>(lane)] = 0;
    });
  }
}

void Sanitizer::carry(Machine& m, const Op& op) const {
  const Slot slots[3] = {op.a, op.b, op.c};
  const auto table = static_cast<unsigned>(op.immediate);
  const auto value_of = [&](const std::array<unsigned, 3>& bits) {
    unsigned result = 0;
    for (unsigned row = 0; row < 8; ++row)
      if ((table >> row & 1) != 0)
        result |= ((row & 4) != 0 ? bits[0] : ~bits[0]) & ((row & 2) != 0 ? bits[1] : ~bits[1]) &
                  ((row & 1) != 0 ? bits[2] : ~bits[2]);
    return result & 0xff;
  };
  UnwrittenValue result{*place_in_registers(m, op.d)};
  const std::uint32_t lanes = m.executing_lanes(op);
  for (unsigned k = 0; k < 3; ++k) {
    const UnwrittenValue* const value = unwritten_value(m, op, slots[k]);
    if (value == nullptr) continue;
    for_lanes(lanes, [&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      for (unsigned i = 0; i < op.bytes; ++i) {
        if ((value->bytes[l] >> i & 1) == 0) continue;
        std::array<unsigned, 3> bits{};
        for (unsigned other = 0; other < 3; ++other)
          bits[other] = m.at<const std::uint8_t>(slots[other])[op.bytes * l + i];
        bits[k] = 0;
        const unsigned zero = value_of(bits);
        bits[k] = 0xff;
        if ((zero ^ value_of(bits)) != 0xff) continue;
        result.bytes[l] |= static_cast<std::uint8_t>(1U << i);
        result.load = value->load;
        result.address = value->address;
      }
    });
  }
  set_unwritten(*m.warp, result, lanes);
}

void Sanitizer::enter_frame(Machine& m, std::size_t frame) const {
  for (UnwrittenValue& value : m.warp->unwritten)
    if (value.place >= frame)
      for_lanes(m.active_mask, [&](int lane) { value.bytes[static_cast<std::size_t>(lane)] = 0; });
}

void Sanitizer::block_sync(Machine& m, std::uint64_t warps, std::uint32_t id) const {
  m.block->shadow->synchronize_warps(warps, m.block->first_warp);
  m.block->shadow->wait_for_arrivers(warps, m.block->first_warp * BlockState::barrier_count + id, m.block->first_warp);
}

void Sanitizer::global(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
                       MemoryObserver::Kind kind, const Places& places) {
  if (kind == MemoryObserver::Kind::write)
    check_stored_value(m, op, mask);
  else
    note_written(m, op, mask);
  global_.access(m, op, mask, at, bytes, kind, places);
}

void Sanitizer::fence_for_proxy(Machine& m) const { m.block->shadow->fence_for_proxy(m.shadow_warp()); }

void Sanitizer::fence(Machine& m, bool for_gpu) {
  m.block->shadow->fence(m.shadow_warp());
  if (for_gpu) global_.fence(m);
}

void Sanitizer::allocated(std::uint64_t address, std::uint64_t bytes) { global_.forget(address, bytes); }

bool Sanitizer::launch_ended(FindingList& findings) {
  global_.launch_ended(findings);
  return !global_.is_incomplete();
}

void Sanitizer::warp_ended(Machine& m) const { m.block->shadow->end_warp(m.shadow_warp()); }

void Sanitizer::arrive(Machine& m, std::uint32_t id) const {
  m.block->shadow->arrive(m.shadow_warp(), m.block->first_warp * BlockState::barrier_count + id);
}

void Sanitizer::warp_sync(Machine& m, std::uint32_t mask) const {
  m.block->shadow->synchronize_lanes(m.shadow_warp(), mask);
}

void Sanitizer::cluster_arrive(Machine& m, bool relaxed) const {
  m.block->shadow->arrive_at_cluster(m.shadow_warp(), m.block->cluster->phase, relaxed);
}

void Sanitizer::cluster_wait(BlockState& block, const Warp& warp, std::uint32_t phase) const {
  block.shadow->leave_cluster_barrier(block.first_warp + warp.id, phase);
}

void Sanitizer::leave_cluster(Machine& m) const {
  BlockState& ended = *m.block;
  for (const Touch& touch : std::exchange(ended.remote_touches, {})) {
    if (ended.shadow->is_known_to(touch, ended.first_warp, m.context.warps_per_block)) continue;
    m.block = &block_of_warp(m, touch.thread / 32);
    m.report_thread(FindingKind::shared_race, touch.instruction, touch.thread - m.block->first_warp * 32,
                    fmt::format("accesses the shared memory of {}, which may have ended already: is a cluster.sync() "
                                "missing after this access?",
                                block_text(ended)),
                    {});
    m.block = &ended;
  }
}

}  // namespace warpwalk::gpu
