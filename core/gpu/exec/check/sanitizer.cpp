#include "core/gpu/exec/check/sanitizer.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/gpu/exec/memory/shared_place.h"
#include "core/gpu/exec/run/for_each_lane.h"
#include "core/gpu/exec/run/handlers.h"

namespace warpwalk::gpu {

namespace {

std::string place_of(const Machine& m, std::uint32_t instruction) {
  Finding at;
  locate_finding(m.program, instruction, at);
  if (at.source_line != 0) return fmt::format("line {}", at.source_line);
  return fmt::format("PTX line {}", at.ptx_line);
}

std::string thread_text(const Machine& m, std::uint32_t thread) {
  const auto at = m.thread_position(thread);
  return fmt::format("({},{},{})", at[0], at[1], at[2]);
}

/// Reports a race. The message depends on whether the other access is an asynchronous copy and on whether both threads
/// are in one warp.
void report_race(Machine& m, const Op& op, int lane, std::uint32_t offset, bool writes, const Touch& other,
                 bool other_writes) {
  const std::uint32_t thread = m.thread_of(lane);
  const std::string verb = writes ? "writes" : "reads", there = place_of(m, other.instruction);
  const std::string what = shared_place(m.program, offset);
  std::string message;
  if (other.copy != 0 && other.thread == thread) {
    message = fmt::format(
        "{} {} while its own asynchronous copy to it, started at {}, may still be in progress: wait for it with "
        "cp.async.wait_group or wait_all first",
        verb, what, there);
  } else if (other.copy != 0) {
    message = fmt::format(
        "{} {}, to which thread {} copies asynchronously at {}: that thread must wait for its copy "
        "(cp.async.wait_group), and then both must reach a __syncthreads()",
        verb, what, thread_text(m, other.thread), there);
  } else {
    const bool same_warp = other.thread / 32 == m.warp->id, one_warp = m.block->warps.size() == 1;
    message =
        fmt::format("{} {}, which thread {} {} at {}: the two accesses are not ordered; is a {} missing between them?",
                    verb, what, thread_text(m, other.thread), other_writes ? "writes" : "reads", there,
                    !same_warp ? "__syncthreads()"
                    : one_warp ? "__syncwarp()"
                               : "__syncwarp() or __syncthreads()");
  }
  m.report_thread(FindingKind::shared_race, op.instruction, thread, std::move(message), offset + shared_begin,
                  other.instruction);
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
  bool stores_same_value(const Touch& other, int i) const {
    if (other.atomic || other.copy != 0 || !writes) return false;
    const std::uint8_t* const mine = stored_byte(m, op, lane, i);
    if (mine == nullptr) return other.execution == touch.execution;
    if (other.execution != touch.execution) return *mine == m.block->shared[offset + static_cast<std::uint32_t>(i)];
    const int there = static_cast<int>(other.thread % 32);
    const std::uint64_t within = addresses[lane] + static_cast<std::uint64_t>(i) - addresses[there];
    return *mine == *stored_byte(m, op, there, static_cast<int>(within));
  }

  void check_against_write(const Touch& other, int i) {
    if (reported || m.block->shadow->happens_before(other, touch.thread) || stores_same_value(other, i)) return;
    report_race(m, op, lane, offset + static_cast<std::uint32_t>(i), writes, other, true);
    reported = true;
  }

  void check_against_read(const Touch& other, int i) {
    if (reported || (synchronizing && other.atomic) || m.block->shadow->happens_before(other, touch.thread)) return;
    report_race(m, op, lane, offset + static_cast<std::uint32_t>(i), true, other, false);
    reported = true;
  }

  /// Checks and records byte i of the access.
  void touch_byte(int i) {
    SharedShadow& shadow = *m.block->shadow;
    SharedShadow::Byte& byte = shadow.bytes[offset + static_cast<std::uint32_t>(i)];
    if (byte.has_plain) check_against_write(byte.plain, i);
    if (!synchronizing) {
      for (const Touch& other : byte.atomic) check_against_write(other, i);
    }
    const auto seen = [&](const Touch& other) {
      return other.atomic == synchronizing &&
             (other.thread == touch.thread || shadow.happens_before(other, touch.thread));
    };
    if (!writes) {
      std::erase_if(byte.reads, seen);
      byte.reads.push_back(touch);
      return;
    }
    for (const Touch& read : byte.reads) check_against_read(read, i);
    byte.reads.clear();
    shadow.written(touch, offset + static_cast<std::uint32_t>(i));
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

}  // namespace

void Sanitizer::shared(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                       bool atomic) const {
  SharedShadow& shadow = *m.block->shadow;
  const bool copy = op.run == handlers::copy_async;
  const bool meant = atomic || m.program.accesses[op.table_index].communicates;
  const ptx::Instruction& instruction = *m.program.sources[op.instruction].instruction;
  const bool barrier = is_mbarrier(instruction.opcode);
  const bool acquires = barrier || instruction.has(ptx::Modifier::acquire) || instruction.has(ptx::Modifier::acq_rel);
  const bool releases = barrier || instruction.has(ptx::Modifier::release) || instruction.has(ptx::Modifier::acq_rel);
  shadow.begin();
  for_lanes(mask, [&](int lane) {
    const auto offset = static_cast<std::uint32_t>(at[lane] - shared_begin);
    // Machine code may read a part of an mbarrier, which is 8 bytes large.
    const std::uint32_t variable = barrier ? offset / 8 * 8 : offset;
    if (meant && (atomic || !writes)) shadow.acquire(m.warp->id, variable, acquires);
    const Touch touch = shadow.make_touch(m.thread_of(lane), op.instruction, meant, copy);
    std::uint32_t unwritten = 0;
    LaneAccess access{m, op, lane, offset, writes, meant, touch, at};
    for (int i = 0; i < bytes; ++i) {
      if ((!writes || atomic) && !shadow.bytes[offset + static_cast<std::uint32_t>(i)].written) unwritten |= 1u << i;
      access.touch_byte(i);
    }
    if (unwritten != 0) shadow.read_unwritten(touch, offset, unwritten);
    if (meant && writes) shadow.release(m.warp->id, variable, releases);
  });
}

void Sanitizer::block_ended(Machine& m) const {
  for (const UnwrittenRead& unwritten : m.block->shadow->unwritten_reads()) {
    if (unwritten.raced) continue;
    m.report_thread(FindingKind::uninitialized, unwritten.read.instruction, unwritten.read.thread,
                    fmt::format("reads {}, which no thread has written: its value is undefined",
                                shared_place(m.program, unwritten.offset)),
                    unwritten.offset + shared_begin, no_index, unwritten.count);
  }
}

void Sanitizer::local(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                      bool reads) const {
  auto& written = m.warp->stack_written;
  if (written.size() < m.warp->stack.size() * 4) written.resize(m.warp->stack.size() * 4);
  std::uint32_t unknown = 0;
  for_lanes(mask, [&](int lane) {
    for (int i = 0; i < bytes; ++i) {
      std::uint8_t& flag =
          written[(at[lane] + static_cast<std::uint64_t>(i)) * lanes_per_warp + static_cast<std::uint64_t>(lane)];
      if (reads && flag == 0) unknown |= 1u << lane;
      if (writes) flag = 1;
    }
  });
  if (unknown == 0) return;
  const std::uint64_t first = at[std::countr_zero(unknown)];
  m.report(FindingKind::uninitialized, op, unknown,
           fmt::format("reads {} bytes of its local memory (e.g. a local array) at byte {}, which it has not written",
                       bytes, first),
           first);
}

void Sanitizer::block_sync(Machine& m, std::uint64_t warps, std::uint32_t id) const {
  m.block->shadow->synchronize_warps(warps);
  m.block->shadow->wait_for_arrivers(warps, id);
}

void Sanitizer::fence(Machine& m) const { m.block->shadow->fence(m.warp->id); }

void Sanitizer::arrive(Machine& m, std::uint32_t id) const { m.block->shadow->arrive(m.warp->id, id); }

void Sanitizer::warp_sync(Machine& m, std::uint32_t mask) const {
  m.block->shadow->synchronize_lanes(m.warp->id, mask);
}

}  // namespace warpwalk::gpu
