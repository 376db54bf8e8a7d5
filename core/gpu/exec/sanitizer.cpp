#include "core/gpu/exec/sanitizer.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "core/gpu/exec/lane_loops.h"
#include "core/gpu/exec/machine.h"

namespace warpwalk::gpu {

namespace {

std::string place_of(const Machine& m, std::uint32_t instruction) {
  Finding at;
  place_finding(m.program, instruction, at);
  if (at.source_line != 0) return fmt::format("line {}", at.source_line);
  return fmt::format("PTX line {}", at.ptx_line);
}

/// "reads byte 128 of shared memory, which thread (0,0,0) writes at line 7 with no barrier between the two".
void tell_race(Machine& m, const Op& op, int lane, std::uint64_t offset, bool writes, const Touch& other,
               bool other_writes) {
  const auto thread = m.thread_position(other.thread);
  const bool same_warp = other.thread / 32 == m.warp->id;
  m.tell(FindingKind::shared_race, op, 1u << lane,
         fmt::format("{} shared memory at byte {}, which thread ({},{},{}) {} at {}, with no {} between the two",
                     writes ? "writes" : "reads", offset, thread[0], thread[1], thread[2],
                     other_writes ? "writes" : "reads", place_of(m, other.instruction),
                     same_warp ? "__syncwarp()" : "__syncthreads()"),
         offset + shared_begin);
}

/// The same bytes by two lanes in one instruction do not contradict each other.
bool same_value(const Machine& m, const Op& op, int lane, int other) {
  const Access& access = m.program.accesses[op.detail];
  for (int i = 0; i < access.elements; ++i) {
    const auto* const values = m.at<const std::uint8_t>(access.values[i]);
    const int width = access.register_bytes[i];
    if (std::memcmp(values + width * lane, values + width * other, access.bytes) != 0) return false;
  }
  return true;
}

}  // namespace

void Sanitizer::shared(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                       bool atomic) const {
  SharedShadow& shadow = *m.block->shadow;
  const bool meant = atomic || m.program.accesses[op.detail].communicates;
  std::uint32_t unwritten = 0;
  for_lanes(mask, [&](int lane) {
    const auto offset = static_cast<std::uint32_t>(at[lane] - shared_begin);
    const std::uint32_t thread = m.thread_of(lane);
    if (meant && (atomic || !writes)) shadow.acquire(m.warp->id, offset);
    const Touch touch = shadow.now(thread, op.instruction, meant);
    bool told = false;
    for (int i = 0; i < bytes; ++i) {
      SharedShadow::Byte& byte = shadow.bytes[offset + static_cast<std::uint32_t>(i)];
      if ((!writes || atomic) && !byte.written) unwritten |= 1u << lane;
      if (byte.has_write && !(meant && byte.write.atomic) && !shadow.ordered(byte.write, thread) && !told) {
        // Lanes of one instruction: only different values contradict each other.
        const bool together = byte.write.instruction == op.instruction && byte.write.thread / 32 == m.warp->id &&
                              byte.write.moment == touch.moment && (mask >> (byte.write.thread % 32) & 1) != 0;
        if (!together || !same_value(m, op, lane, static_cast<int>(byte.write.thread % 32))) {
          tell_race(m, op, lane, offset, writes, byte.write, true);
          told = true;
        }
      }
      if (writes) {
        for (const Touch& read : byte.reads) {
          if (told || (meant && read.atomic) || shadow.ordered(read, thread)) continue;
          tell_race(m, op, lane, offset, true, read, false);
          told = true;
        }
        byte.reads.clear();
        byte.write = touch;
        byte.has_write = byte.written = true;
      } else {
        std::erase_if(byte.reads, [&](const Touch& read) {
          return read.atomic == meant && (read.thread == thread || shadow.ordered(read, thread));
        });
        byte.reads.push_back(touch);
      }
    }
    if (meant && writes) shadow.release(m.warp->id, offset);
  });
  if (unwritten != 0) {
    const int lane = std::countr_zero(unwritten);
    m.tell(FindingKind::uninitialized, op, unwritten,
           fmt::format("reads {} bytes of shared memory at byte {} that no thread has written", bytes,
                       at[lane] - shared_begin),
           at[lane]);
  }
}

void Sanitizer::local(Machine& m, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
                      bool writes) const {
  auto& written = m.warp->stack_written;
  if (written.size() < m.warp->stack.size() * 4) written.resize(m.warp->stack.size() * 4);
  std::uint32_t unknown = 0;
  for_lanes(mask, [&](int lane) {
    for (int i = 0; i < bytes; ++i) {
      std::uint8_t& flag =
          written[(at[lane] + static_cast<std::uint64_t>(i)) * lanes + static_cast<std::uint64_t>(lane)];
      if (writes) {
        flag = 1;
      } else if (flag == 0) {
        unknown |= 1u << lane;
      }
    }
  });
  if (unknown == 0) return;
  const std::uint64_t first = at[std::countr_zero(unknown)];
  m.tell(FindingKind::uninitialized, op, unknown,
         fmt::format("reads {} bytes of its local memory (an array of the thread) at byte {} that it has not written",
                     bytes, first),
         first);
}

void Sanitizer::block_sync(Machine& m, std::uint64_t warps, std::uint32_t id) const {
  m.block->shadow->meet(warps);
  m.block->shadow->wait_for_arrivers(warps, id);
}

void Sanitizer::arrive(Machine& m, std::uint32_t id) const { m.block->shadow->arrive(m.warp->id, id); }

void Sanitizer::warp_sync(Machine& m, std::uint32_t mask) const { m.block->shadow->lanes_meet(m.warp->id, mask); }

}  // namespace warpwalk::gpu
