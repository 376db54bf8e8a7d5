#include <array>
#include <bit>
#include <string>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

namespace {

std::string plural(std::int64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

/// E.g. "reads 4 bytes 12 bytes past the end of buffer `x` (4,000 bytes)".
std::string out_of_bounds(const Memory& memory, std::uint64_t address, int bytes, bool writes) {
  const std::string what = fmt::format("{} {} ", writes ? "writes" : "reads", plural(bytes));
  if (address < 4096) return what + fmt::format("at address {:#x}: a null pointer", address);
  std::int64_t distance = 0;
  const Region* const inside = memory.find(address);
  const Region* const near = inside != nullptr ? inside : memory.nearest(address, distance);
  if (near == nullptr) return what + "of global memory, where nothing is allocated";
  const std::string size = fmt::format("{} ({} bytes)", near->name, grouped(near->bytes));
  if (inside != nullptr) return what + "across the end of " + size;
  if (distance > (1 << 30) || distance < -(1 << 30))
    return what + fmt::format("at address {:#x}, far from all buffers", address);
  if (distance >= 0) return what + (distance == 0 ? "just" : plural(distance)) + " past the end of " + size;
  return what + plural(-distance) + " before the start of " + size;
}

/// True for a local address of machine code that its stack pointer, R1, gives and that lies below 0. Calls move R1 down
/// from the end of local memory.
bool is_below_stack(const Program& program, const Op& op, std::uint64_t address) {
  if (!program.machine_code) return false;
  constexpr std::uint32_t register_bytes = lanes_per_warp * 4;
  const Slot stack_pointer = Slot::at(SlotSpace::frame, program.machine_code->frame.general + register_bytes);
  return op.a.value == stack_pointer.value && static_cast<std::int32_t>(address) < 0;
}

}  // namespace

void Machine::addresses(const Op& op, const Access& access, std::uint64_t* to) const {
  const std::uint64_t offset = op.immediate;
  if (!access.has_base) {
    const std::uint64_t address = access.space == ptx::Space::local    ? split->local + offset
                                  : access.space == ptx::Space::shared ? block->shared_base + offset
                                                                       : offset;
    for (int lane = 0; lane < lanes_per_warp; ++lane) to[lane] = address;
  } else if (access.wide_address) {
    const auto* const base = at<const std::uint64_t>(op.a);
    for (int lane = 0; lane < lanes_per_warp; ++lane) to[lane] = base[lane] + offset;
  } else {
    const auto* const base = at<const std::uint32_t>(op.a);
    const auto low = static_cast<std::uint32_t>(offset);
    for (int lane = 0; lane < lanes_per_warp; ++lane) to[lane] = base[lane] + low;
  }
}

std::uint32_t Machine::check_alignment(const Op& op, std::uint32_t mask, const std::uint64_t* to, int bytes,
                                       const char* space) {
  const auto low = static_cast<std::uint64_t>(bytes - 1);
  std::uint64_t any = 0;
  if (mask == all_lanes) {
    for (int lane = 0; lane < lanes_per_warp; ++lane) any |= to[lane];
  } else {
    for_lanes(mask, [&](int lane) { any |= to[lane]; });
  }
  if ((any & low) == 0) return mask;
  std::uint32_t wrong = 0;
  for_lanes(mask, [&](int lane) {
    if ((to[lane] & low) != 0) wrong |= 1u << lane;
  });
  const std::uint64_t first = to[std::countr_zero(wrong)];
  report(FindingKind::misaligned, op, wrong,
         fmt::format("accesses {} bytes of {} memory at address {:#x}, which is not a multiple of {}", bytes, space,
                     first, bytes),
         first);
  return mask & ~wrong;
}

std::uint32_t Machine::translate_global(const Op& op, std::uint32_t mask, const std::uint64_t* to, int bytes,
                                        MemoryObserver::Kind kind, Places& places) {
  const bool writes = kind != MemoryObserver::Kind::read;
  // An atomic both reads and writes.
  const bool reads = kind != MemoryObserver::Kind::write;
  if (access_log != nullptr)
    access_log->add(LoggedAccess::Space::global, mask, to, bytes, writes, kind == MemoryObserver::Kind::atomic);
  mask = check_alignment(op, mask, to, bytes, "global");
  if (mask == 0) return 0;
  const auto size = static_cast<std::uint64_t>(bytes);
  const Region* region = context.memory->find(to[std::countr_zero(mask)]);
  std::uint32_t outside = region == nullptr ? mask : 0;
  if (region != nullptr && region->bytes >= size) {
    const std::uint64_t base = region->base, last = region->bytes - size;
    std::uint8_t* const data = region->data;
    bool all = true;
    if (mask == all_lanes) {
      for (int lane = 0; lane < lanes_per_warp; ++lane) all &= to[lane] - base <= last;
      if (all) {
        for (int lane = 0; lane < lanes_per_warp; ++lane) places.host[lane] = data + (to[lane] - base);
      }
    } else {
      for_lanes(mask, [&](int lane) {
        all &= to[lane] - base <= last;
        places.host[lane] = data + (to[lane] - base);
      });
    }
    if (all && !(writes && region->read_only)) {
      if (region->written != nullptr) check_initialised(op, mask, to, bytes, writes, reads, *region);
      if (memory_observer != nullptr) {
        // Lanes with adjacent or equal addresses are one range.
        std::uint64_t begin = to[std::countr_zero(mask)], end = begin + size;
        for_lanes(mask & (mask - 1), [&](int lane) {
          const std::uint64_t address = to[lane];
          if (address == end) {
            end += size;
          } else if (address + size != end) {
            observe_access(*region, begin, end - begin, kind);
            begin = address;
            end = address + size;
          }
        });
        observe_access(*region, begin, end - begin, kind);
      }
      if (sanitizer != nullptr && !region->read_only) sanitizer->global(*this, op, mask, to, bytes, kind, places);
      return mask;
    }
  }
  outside = 0;
  std::uint32_t constant = 0, writable = 0;
  for_lanes(mask, [&](int lane) {
    const Region* const of = context.memory->find(to[lane]);
    if (of == nullptr || of->bytes < size || to[lane] - of->base > of->bytes - size) {
      outside |= 1u << lane;
      return;
    }
    if (writes && of->read_only) {
      constant |= 1u << lane;
      return;
    }
    if (!of->read_only) writable |= 1u << lane;
    places.host[lane] = of->data + (to[lane] - of->base);
    if (of->written != nullptr) check_initialised(op, 1u << lane, to, bytes, writes, reads, *of);
    observe_access(*of, to[lane], size, kind);
  });
  if (outside != 0) {
    const std::uint64_t first = to[std::countr_zero(outside)];
    report(FindingKind::out_of_bounds, op, outside, out_of_bounds(*context.memory, first, bytes, writes), first);
  }
  if (constant != 0) {
    const std::uint64_t first = to[std::countr_zero(constant)];
    report(FindingKind::read_only, op, constant,
           "writes to " + context.memory->find(first)->name + ", which a kernel cannot change", first);
  }
  if (sanitizer != nullptr && writable != 0) sanitizer->global(*this, op, writable, to, bytes, kind, places);
  return mask & ~outside & ~constant;
}

void Machine::check_initialised(const Op& op, std::uint32_t mask, const std::uint64_t* to, int bytes, bool writes,
                                bool reads, const Region& region) {
  std::uint32_t unknown = 0;
  for_lanes(mask, [&](int lane) {
    std::uint8_t* const flags = region.written + (to[lane] - region.base);
    for (int i = 0; i < bytes; ++i) {
      if (reads && flags[i] == 0) unknown |= 1u << lane;
      if (writes) flags[i] = 1;
    }
  });
  if (unknown == 0) return;
  const std::uint64_t first = to[std::countr_zero(unknown)];
  report(FindingKind::uninitialized, op, unknown,
         fmt::format("reads {} of {} at byte {}, which neither the host nor a kernel has written", plural(bytes),
                     region.name, grouped(first - region.base)),
         first);
}

std::uint32_t Machine::translate_shared(const Op& op, std::uint32_t mask, const std::uint64_t* to, int bytes,
                                        bool writes, Places& places, bool atomic) {
  if (access_log != nullptr) access_log->add(LoggedAccess::Space::shared, mask, to, bytes, writes, atomic);
  mask = check_alignment(op, mask, to, bytes, "shared");
  const std::uint64_t size = context.shared_bytes;
  const auto width = static_cast<std::uint64_t>(bytes);
  std::uint32_t outside = 0, remote = 0, reserved = 0;
  std::uint8_t* const data = block->shared.data();
  const std::uint64_t begin = shared_begin + block->shared_base;
  if (mask == all_lanes && size >= width) {
    std::uint64_t beyond = 0;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      const std::uint64_t offset = to[lane] - begin;
      beyond |= offset > size - width ? 1u : 0u;
      places.host[lane] = data + offset;
    }
    if (beyond == 0 && sanitizer == nullptr) return mask;
  }
  for_lanes(mask, [&](int lane) {
    const std::uint64_t offset = to[lane] - begin;
    if (offset < size && offset + width <= size) {
      places.host[lane] = data + offset;
    } else if (const std::uint64_t low = to[lane] & (window_bytes - 1); low + width <= block->reserved.size()) {
      // In machine code, this address does not contain the block's rank.
      places.host[lane] = block->reserved.data() + low;
      reserved |= 1u << lane;
    } else if (block->cluster != nullptr && to[lane] >> block_rank_shift != block->cluster_rank) {
      remote |= 1u << lane;
    } else {
      outside |= 1u << lane;
    }
  });
  if (remote != 0) mask &= ~remote | translate_remote(op, remote, to, bytes, writes, places);
  if (outside != 0) {
    const std::uint64_t first = to[std::countr_zero(outside)] - begin;
    const auto offset = static_cast<std::int64_t>(first);
    const std::string which = offset < 0 ? plural(-offset) + " before the start" : "at byte " + grouped(first);
    report(FindingKind::out_of_bounds, op, outside,
           fmt::format("{} {} of shared memory {}; the block has {} bytes", writes ? "writes" : "reads", plural(bytes),
                       which, grouped(size)),
           to[std::countr_zero(outside)]);
  }
  mask &= ~outside;
  // The reserved bytes belong to the implementation of cooperative groups, which is trusted.
  const std::uint32_t checked = mask & ~reserved;
  if (sanitizer != nullptr && checked != 0) sanitizer->shared(*this, op, checked, to, bytes, writes, atomic);
  return mask;
}

std::uint32_t Machine::translate_remote(const Op& op, std::uint32_t mask, const std::uint64_t* to, int bytes,
                                        bool writes, Places& places) {
  const auto width = static_cast<std::uint64_t>(bytes);
  const auto& blocks = block->cluster->blocks;
  std::uint32_t nowhere = 0, ended = 0;
  for_lanes(mask, [&](int lane) {
    const std::uint64_t rank = to[lane] >> block_rank_shift;
    const std::uint64_t offset = (to[lane] & (window_bytes - 1)) - shared_begin;
    if (rank >= blocks.size() || offset >= context.shared_bytes || offset + width > context.shared_bytes) {
      nowhere |= 1u << lane;
    } else if (blocks[rank]->live_threads == 0) {
      ended |= 1u << lane;
    } else {
      places.host[lane] = blocks[rank]->shared.data() + offset;
    }
  });
  const std::string what = fmt::format("{} {} of", writes ? "writes" : "reads", plural(bytes));
  if (nowhere != 0) {
    const std::uint64_t first = to[std::countr_zero(nowhere)], rank = first >> block_rank_shift;
    const auto offset = static_cast<std::int64_t>(first & (window_bytes - 1)) - std::int64_t{shared_begin};
    report(FindingKind::out_of_bounds, op, nowhere,
           rank >= blocks.size()
               ? fmt::format("{} the shared memory of block {} of its cluster, which has {} blocks", what, rank,
                             blocks.size())
               : fmt::format("{} the shared memory of block {} of its cluster {}; each block has {} bytes", what, rank,
                             offset < 0 ? plural(-offset) + " before the start"
                                        : "at byte " + grouped(static_cast<std::uint64_t>(offset)),
                             grouped(context.shared_bytes)),
           first);
  }
  if (ended != 0) {
    const std::uint64_t first = to[std::countr_zero(ended)];
    const auto& id = blocks[first >> block_rank_shift]->id;
    report(FindingKind::out_of_bounds, op, ended,
           fmt::format("{} the shared memory of block ({},{},{}), which has ended: a block must not end before the "
                       "other blocks of its cluster have finished with its memory; is a cluster.sync() missing at the "
                       "end?",
                       what, id[0], id[1], id[2]),
           first);
  }
  return mask & ~nowhere & ~ended;
}

std::uint32_t Machine::translate_local(const Op& op, std::uint32_t mask, const std::uint64_t* to, int bytes,
                                       bool writes, bool atomic) {
  if (access_log != nullptr) access_log->add(LoggedAccess::Space::local, mask, to, bytes, writes, atomic);
  mask = check_alignment(op, mask, to, bytes, "local");
  const Function& function = program.functions[op.function];
  const std::uint64_t size = split->local + function.local_bytes;
  const auto* const taken = function.alloca_slot == no_index
                                ? nullptr
                                : at<const std::uint32_t>(Slot::at(SlotSpace::frame, function.alloca_slot));
  std::uint32_t outside = 0;
  for_lanes(mask, [&](int lane) {
    const std::uint64_t end = size + (taken == nullptr ? 0 : taken[lane]);
    if (to[lane] >= end || to[lane] + static_cast<std::uint64_t>(bytes) > end) outside |= 1u << lane;
  });
  if (outside != 0) {
    const std::uint64_t first = to[std::countr_zero(outside)];
    if (is_below_stack(program, op, first)) {
      report_and_stop(FindingKind::stack_overflow, op, outside,
                      fmt::format("recurses too deeply in `{}`, perhaps infinitely: the thread's stack is full",
                                  function.source->name));
      return 0;
    }
    report(FindingKind::out_of_bounds, op, outside,
           fmt::format("{} {} of the thread's local memory at byte {}; `{}` has {} bytes", writes ? "writes" : "reads",
                       plural(bytes), grouped(first), function.source->name, grouped(size)),
           first);
  }
  mask &= ~outside;
  if (sanitizer != nullptr && mask != 0) sanitizer->local(*this, op, mask, to, bytes, writes, atomic || !writes);
  return mask;
}

void Machine::report(FindingKind kind, const Op& op, std::uint32_t in_lanes, std::string message,
                     std::optional<std::uint64_t> address) {
  report_thread(kind, op.instruction, thread_of(std::countr_zero(in_lanes)), std::move(message), address, no_index,
                static_cast<std::uint64_t>(std::popcount(in_lanes)));
}

void Machine::report_thread(FindingKind kind, std::uint32_t instruction, std::uint32_t thread, std::string message,
                            std::optional<std::uint64_t> address, std::uint32_t other, std::uint64_t count) {
  const FindingPlace place{kind, instruction, other};
  if (!findings.is_first(place, {block->index, thread}, count)) return;
  Finding finding;
  finding.kind = kind;
  finding.block = block->id;
  finding.thread = thread_position(thread);
  finding.address = address;
  if (other != no_index) {
    locate_finding(program, other, finding);
    finding.other_line = finding.source_line;
  }
  locate_finding(program, instruction, finding);
  const auto triple = [](const std::array<std::uint32_t, 3>& at) {
    return fmt::format("({},{},{})", at[0], at[1], at[2]);
  };
  finding.message = fmt::format("thread {} of block {} {}", triple(finding.thread), triple(finding.block), message);
  findings.store(place, std::move(finding));
}

void Machine::report_and_stop(FindingKind kind, const Op& op, std::uint32_t in_lanes, std::string message) {
  report(kind, op, in_lanes, std::move(message));
  stop_split = true;
  pause = Pause::stop;
}

bool Machine::refuse_partial_warp(const Op& op) {
  const std::uint32_t mask = executing_lanes(op);
  if (mask != 0) {
    report_and_stop(
        FindingKind::barrier, op, mask,
        fmt::format("executes {} with {} of its warp's 32 lanes; it requires all of them",
                    ptx::name_of(program.sources[op.instruction].instruction->opcode), std::popcount(mask)));
  }
  return false;
}

std::array<std::uint32_t, 3> Machine::thread_position(std::uint32_t thread) const {
  const auto& size = context.launch->block;
  return {thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]};
}

}  // namespace warpwalk::gpu
