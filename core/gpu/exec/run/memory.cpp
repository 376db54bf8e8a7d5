#include "core/gpu/exec/memory/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/memory/access_cost_cache.h"
#include "core/gpu/exec/run/stack.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Loads one element, extended for a wider register.
std::uint64_t widened(const std::uint8_t* from, int bytes, bool sign_extends) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, static_cast<std::size_t>(bytes));
  if (sign_extends && bytes < 8) {
    const int shift = 64 - bytes * 8;
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
  }
  return value;
}

/// Loads the destination registers from one host pointer per lane.
void load_registers(Machine& m, const Access& access, std::uint32_t mask, const std::uint8_t* const* from) {
  for (int i = 0; i < access.elements; ++i) {
    if (access.discard[i]) continue;
    std::uint8_t* const d = m.at<std::uint8_t>(access.values[i]);
    const int offset = i * access.bytes;
    if (access.bytes == 4 && access.register_bytes[i] == 4) {
      auto* const words = reinterpret_cast<std::uint32_t*>(d);
      if (mask == all_lanes) {
        for (int lane = 0; lane < lanes_per_warp; ++lane) std::memcpy(words + lane, from[lane] + offset, 4);
      } else {
        for_lanes(mask, [&](int lane) { std::memcpy(words + lane, from[lane] + offset, 4); });
      }
    } else if (access.bytes == 16) {
      for_lanes(mask, [&](int lane) { std::memcpy(d + 16 * lane, from[lane] + offset, 16); });
    } else {
      const int width = access.register_bytes[i];
      for_lanes(mask, [&](int lane) {
        set_lane(d, width, lane, widened(from[lane] + offset, access.bytes, access.sign_extends));
      });
    }
  }
}

bool polls(const Machine& m) { return m.split != nullptr && m.split->spins > 0; }

/// Whether the lanes would give memory other values than it has.
bool changes_memory(const Machine& m, const Access& access, std::uint32_t mask, const std::uint8_t* const* to) {
  bool changes = false;
  for (int i = 0; i < access.elements; ++i) {
    const std::uint8_t* const s = m.at<const std::uint8_t>(access.values[i]);
    for_lanes(mask, [&](int lane) {
      changes = changes || std::memcmp(to[lane] + i * access.bytes, s + access.register_bytes[i] * lane,
                                       static_cast<std::size_t>(access.bytes)) != 0;
    });
  }
  return changes;
}

/// A warp that polls memory is not stuck if it changes memory at the same time. Only such a warp pays for the
/// comparison.
void note_change(Machine& m, const Access& access, std::uint32_t mask, const std::uint8_t* const* to) {
  if (polls(m) && !m.warp->changed_memory) m.warp->changed_memory = changes_memory(m, access, mask, to);
}

/// Stores the source registers to one host pointer per lane, in lane order: at equal addresses, the highest lane wins.
void store_registers(Machine& m, const Access& access, std::uint32_t mask, std::uint8_t* const* to) {
  for (int i = 0; i < access.elements; ++i) {
    const std::uint8_t* const s = m.at<const std::uint8_t>(access.values[i]);
    const int width = access.register_bytes[i];
    const int offset = i * access.bytes;
    const auto bytes = static_cast<std::size_t>(access.bytes);
    if (bytes == 4) {
      for_lanes(mask, [&](int lane) { std::memcpy(to[lane] + offset, s + width * lane, 4); });
    } else {
      for_lanes(mask, [&](int lane) { std::memcpy(to[lane] + offset, s + width * lane, bytes); });
    }
  }
}

/// True if each lane's address is `bytes` after the previous lane's.
bool consecutive(const std::uint64_t* at, int bytes) {
  const std::uint64_t first = at[0];
  std::uint64_t different = 0;
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    different |= at[lane] ^ (first + static_cast<std::uint64_t>(lane) * static_cast<std::uint64_t>(bytes));
  }
  return different == 0;
}

std::size_t index_of(const Machine& m, const Access& access) {
  return static_cast<std::size_t>(&access - m.program.accesses.data());
}

void count_shared(Machine& m, const Access& access, std::uint32_t mask, const std::uint64_t* at, int bytes) {
  if (!m.counts_accesses) return;
  mask = own_lanes(m, mask, at);
  if (mask == 0) return;
  m.tally.counters.add_shared_request(access.store);
  m.tally.counters.add_wavefronts(access.store,
                                  m.access_costs.shared(index_of(m, access), at, mask, bytes, access.store));
}

void count_global(Machine& m, const Access& access, std::uint32_t mask, const std::uint64_t* at, int bytes) {
  if (!m.counts_accesses) return;
  Counters& counters = m.tally.counters;
  ++(access.store ? counters.global_store_requests : counters.global_load_requests);
  counters.add_sectors(access.store ? &Counters::global_store_sectors : &Counters::global_load_sectors,
                       static_cast<std::uint64_t>(m.access_costs.global(index_of(m, access), at, mask, bytes)),
                       std::popcount(mask), bytes);
}

/// Fast path: if all lanes access adjacent elements of one region, returns the host pointer of the first, so that one
/// copy serves the whole warp. Otherwise null.
std::uint8_t* contiguous_pointer(Machine& m, const Access& access, std::uint32_t mask, const std::uint64_t* at) {
  const int bytes = access.bytes;
  if (mask != all_lanes || access.elements != 1 || bytes != access.register_bytes[0] || bytes < 4) return nullptr;
  if (at[0] % static_cast<std::uint64_t>(bytes) != 0 || !consecutive(at, bytes)) return nullptr;
  const auto size = static_cast<std::uint64_t>(lanes_per_warp * bytes);
  const Region* const region = m.region_of(index_of(m, access), at[0]);
  if (region == nullptr || region->bytes < size || at[0] - region->base > region->bytes - size) return nullptr;
  if (region->written != nullptr || (access.store && region->read_only)) return nullptr;
  if (m.sanitizer != nullptr && !region->read_only) return nullptr;
  m.observe_access(*region, at[0], size, access.store ? MemoryObserver::Kind::write : MemoryObserver::Kind::read);
  if (m.access_log != nullptr) m.access_log->add(LoggedAccess::Space::global, mask, at, bytes, access.store, false);
  return region->data + (at[0] - region->base);
}

/// Number of 32-byte sectors of 32 adjacent accesses.
std::uint64_t sectors_of_contiguous(std::uint64_t first, int bytes) {
  return (first % 32 + static_cast<std::uint64_t>(lanes_per_warp * bytes) + 31) / 32;
}

void load_global(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at,
                 bool counted) {
  const int bytes = access.bytes * access.elements;
  if (const std::uint8_t* const from = contiguous_pointer(m, access, mask, at)) {
    if (counted) {
      ++m.tally.counters.global_load_requests;
      m.tally.counters.add_sectors(&Counters::global_load_sectors, sectors_of_contiguous(at[0], bytes), lanes_per_warp,
                                   bytes);
    }
    std::memcpy(m.at<std::uint8_t>(access.values[0]), from, static_cast<std::size_t>(lanes_per_warp * bytes));
    return;
  }
  if (counted) count_global(m, access, mask, at, bytes);
  Places places;
  mask = m.translate_global(op, mask, at, bytes, MemoryObserver::Kind::read, places);
  load_registers(m, access, mask, places.host);
}

/// Turns the last logged access into the wide load that it is merged into.
void widen(AccessLog& log, int bytes) {
  if (log.accesses.empty()) return;
  LoggedAccess& access = log.accesses.back();
  access.bytes = static_cast<std::uint8_t>(bytes);
  for (std::uint64_t& at : access.at) at -= at % static_cast<std::uint64_t>(bytes);
}

void load_shared(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at) {
  const int bytes = access.bytes * access.elements;
  if (access.merged_bytes != 0) count_shared(m, access, mask, at, access.merged_bytes);
  Places places;
  mask = m.translate_shared(op, mask, at, bytes, false, places);
  if (m.access_log != nullptr && access.merged_bytes > bytes && mask != 0) widen(*m.access_log, access.merged_bytes);
  load_registers(m, access, mask, places.host);
}

void load_local(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at) {
  const int bytes = access.bytes * access.elements;
  ++m.tally.counters.local_load_requests;
  mask = m.translate_local(op, mask, at, bytes, false);
  alignas(16) std::uint8_t copies[lanes_per_warp][16] = {};
  const std::uint8_t* from[lanes_per_warp];
  for (int lane = 0; lane < lanes_per_warp; ++lane) from[lane] = copies[lane];
  for_lanes(mask, [&](int lane) {
    read_stack(*m.warp, lane, static_cast<std::uint32_t>(at[lane]), static_cast<std::uint32_t>(bytes), copies[lane]);
  });
  load_registers(m, access, mask, from);
}

/// Groups the lanes of a generic access by state space. Shared and local addresses become window offsets.
struct LanesBySpace {
  std::uint32_t global = 0, shared = 0, local = 0;
};
LanesBySpace split_by_space(std::uint32_t mask, std::uint64_t* at) {
  LanesBySpace sorted;
  for_lanes(mask, [&](int lane) {
    const std::uint64_t address = at[lane];
    if (address - shared_window < shared_window_bytes) {
      sorted.shared |= 1u << lane;
      at[lane] = address - shared_window;
    } else if (address - local_window < window_bytes) {
      sorted.local |= 1u << lane;
      at[lane] = address - local_window;
    } else {
      sorted.global |= 1u << lane;
    }
  });
  return sorted;
}

void store_global(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at) {
  const int bytes = access.bytes * access.elements;
  if (std::uint8_t* const to = contiguous_pointer(m, access, mask, at)) {
    ++m.tally.counters.global_store_requests;
    m.tally.counters.add_sectors(&Counters::global_store_sectors, sectors_of_contiguous(at[0], bytes), lanes_per_warp,
                                 bytes);
    const auto* const from = m.at<const std::uint8_t>(access.values[0]);
    const auto size = static_cast<std::size_t>(lanes_per_warp * bytes);
    if (polls(m) && std::memcmp(to, from, size) != 0) m.warp->changed_memory = true;
    std::memcpy(to, from, size);
    return;
  }
  count_global(m, access, mask, at, bytes);
  Places places;
  mask = m.translate_global(op, mask, at, bytes, MemoryObserver::Kind::write, places);
  note_change(m, access, mask, places.host);
  store_registers(m, access, mask, places.host);
}

void store_shared(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at) {
  const int bytes = access.bytes * access.elements;
  count_shared(m, access, mask, at, bytes);
  Places places;
  mask = m.translate_shared(op, mask, at, bytes, true, places);
  note_change(m, access, mask, places.host);
  store_registers(m, access, mask, places.host);
}

void store_local(Machine& m, const Op& op, const Access& access, std::uint32_t mask, const std::uint64_t* at) {
  const int bytes = access.bytes * access.elements;
  ++m.tally.counters.local_store_requests;
  mask = m.translate_local(op, mask, at, bytes, true);
  alignas(16) std::uint8_t copies[lanes_per_warp][16];
  std::uint8_t* to[lanes_per_warp];
  for (int lane = 0; lane < lanes_per_warp; ++lane) to[lane] = copies[lane];
  store_registers(m, access, mask, to);
  for_lanes(mask, [&](int lane) {
    write_stack(*m.warp, lane, static_cast<std::uint32_t>(at[lane]), static_cast<std::uint32_t>(bytes), copies[lane]);
  });
}

/// Loads a kernel parameter, which is the same for all lanes.
void load_parameter(Machine& m, const Access& access, std::uint32_t mask, std::uint64_t offset) {
  const std::uint8_t* from[lanes_per_warp];
  for (const std::uint8_t*& place : from) place = m.context.parameters + offset;
  load_registers(m, access, mask, from);
}

/// Fast path in 32-bit arithmetic: true if all 32 lanes are active and each accesses an aligned word inside shared
/// memory, which is the most common access of tiled kernels. Always false with the sanitizer.
bool is_full_word_access(Machine& m, const Op& op, std::uint32_t* offsets) {
  if (m.executing_lanes(op) != all_lanes || m.sanitizer != nullptr) return false;
  if (m.access_log != nullptr && (polls(m) || m.program.accesses[op.table_index].communicates)) return false;
  if (m.context.shared_bytes < 4) return false;
  const auto* const base = m.at<const std::uint32_t>(op.a);
  const std::uint32_t low = static_cast<std::uint32_t>(op.immediate) - shared_begin - m.block->shared_base;
  const std::uint32_t limit = m.context.shared_bytes - 4;
  std::uint32_t beyond = 0, uneven = 0;
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    const std::uint32_t offset = base[lane] + low;
    offsets[lane] = offset;
    beyond |= offset | (limit - offset);  // sign bit set if before the start or past the end
    uneven |= offset;
  }
  return (beyond >> 31) == 0 && (uneven & 3) == 0;
}

/// Logs an access of the fast path; `bytes` is the width of the load that it is merged into.
void log_words(Machine& m, const std::uint32_t* offsets, int bytes, bool writes, const WordPattern& memo) {
  alignas(64) std::uint64_t at[lanes_per_warp];
  const std::uint32_t first = shared_begin + m.block->shared_base;
  for (int lane = 0; lane < lanes_per_warp; ++lane) at[lane] = offsets[lane] + first;
  m.access_log->add(LoggedAccess::Space::shared, all_lanes, at, 4, writes, false);
  if (bytes > 4) widen(*m.access_log, bytes);
  if (bytes == 4) m.access_log->accesses.back().passes = static_cast<std::uint8_t>(memo.waves.passes);
}

}  // namespace

void load_word(Machine& m, const Op& op) {
  alignas(64) std::uint32_t offsets[lanes_per_warp];
  if (!is_full_word_access(m, op, offsets)) return load(m, op);
  const Access& access = m.program.accesses[op.table_index];
  const WordPattern& memo = m.access_costs.words(op.table_index, offsets, access.merged_bytes, false);
  if (access.merged_bytes != 0) {
    m.tally.counters.add_shared_request(false);
    m.tally.counters.add_wavefronts(false, memo.waves);
  }
  if (m.access_log != nullptr) log_words(m, offsets, access.merged_bytes, false, memo);
  const std::uint8_t* const data = m.block->shared.data();
  auto* const d = m.at<std::uint32_t>(access.values[0]);
  if (memo.shape == WordPattern::Shape::uniform) {
    std::uint32_t value;
    std::memcpy(&value, data + offsets[0], 4);
    for (int lane = 0; lane < lanes_per_warp; ++lane) d[lane] = value;
  } else if (memo.shape == WordPattern::Shape::rising) {
    std::memcpy(d, data + offsets[0], sizeof(std::uint32_t) * lanes_per_warp);
  } else {
    for (int lane = 0; lane < lanes_per_warp; ++lane) std::memcpy(d + lane, data + offsets[lane], 4);
  }
}

void store_word(Machine& m, const Op& op) {
  alignas(64) std::uint32_t offsets[lanes_per_warp];
  if (!is_full_word_access(m, op, offsets)) return store(m, op);
  const Access& access = m.program.accesses[op.table_index];
  const WordPattern& memo = m.access_costs.words(op.table_index, offsets, 4, true);
  m.tally.counters.add_shared_request(true);
  m.tally.counters.add_wavefronts(true, memo.waves);
  if (m.access_log != nullptr) log_words(m, offsets, 4, true, memo);
  std::uint8_t* const data = m.block->shared.data();
  const auto* const from = m.at<const std::uint32_t>(access.values[0]);
  for (int lane = 0; lane < lanes_per_warp; ++lane) std::memcpy(data + offsets[lane], from + lane, 4);
}

void load(Machine& m, const Op& op) {
  const Access& access = m.program.accesses[op.table_index];
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  if (access.space == ptx::Space::param && !access.has_base) return load_parameter(m, access, mask, op.immediate);
  if (access.communicates) m.warp->polled_memory = true;
  alignas(64) std::uint64_t at[lanes_per_warp];
  m.addresses(op, access, at);
  switch (access.space) {
    case ptx::Space::shared: return load_shared(m, op, access, mask, at);
    case ptx::Space::local: return load_local(m, op, access, mask, at);
    case ptx::Space::global: return load_global(m, op, access, mask, at, true);
    case ptx::Space::generic: {
      const LanesBySpace by = split_by_space(mask, at);
      if (by.global != 0) load_global(m, op, access, by.global, at, true);
      if (by.shared != 0) load_shared(m, op, access, by.shared, at);
      if (by.local != 0) load_local(m, op, access, by.local, at);
      return;
    }
    default: return load_global(m, op, access, mask, at, false);  // constants and parameters, accessed by address
  }
}

void store(Machine& m, const Op& op) {
  const Access& access = m.program.accesses[op.table_index];
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  alignas(64) std::uint64_t at[lanes_per_warp];
  m.addresses(op, access, at);
  switch (access.space) {
    case ptx::Space::shared: return store_shared(m, op, access, mask, at);
    case ptx::Space::local: return store_local(m, op, access, mask, at);
    case ptx::Space::generic: {
      const LanesBySpace by = split_by_space(mask, at);
      if (by.global != 0) store_global(m, op, access, by.global, at);
      if (by.shared != 0) store_shared(m, op, access, by.shared, at);
      if (by.local != 0) store_local(m, op, access, by.local, at);
      return;
    }
    default: return store_global(m, op, access, mask, at);
  }
}

/// The lanes that may read as many bytes as each of them copies; fewer than `bytes` may lie at the end of a buffer.
/// They are read in pieces of powers of two.
static std::uint32_t translate_sources(Machine& m, const Op& op, std::uint32_t lanes, const std::uint64_t* from,
                                       const std::uint32_t* sizes, int bytes, Places& sources) {
  std::uint32_t whole = 0;
  for_lanes(lanes, [&](int lane) {
    whole |= static_cast<std::uint32_t>(sizes[lane] == static_cast<std::uint32_t>(bytes)) << lane;
  });
  std::uint32_t reached =
      whole == 0 ? 0 : m.translate_global(op, whole, from, bytes, MemoryObserver::Kind::read, sources);
  for_lanes(lanes & ~whole, [&](int lane) {
    std::uint64_t at[lanes_per_warp] = {};
    std::uint64_t done = 0;
    bool all = true;
    for (std::uint64_t piece = 8; piece != 0 && all; piece /= 2) {
      if ((sizes[lane] & piece) == 0) continue;
      at[lane] = from[lane] + done;
      Places place;
      all = m.translate_global(op, 1u << lane, at, static_cast<int>(piece), MemoryObserver::Kind::read, place) != 0;
      if (done == 0) sources.host[lane] = place.host[lane];
      done += piece;
    }
    if (all) reached |= 1u << lane;
  });
  return reached;
}

void copy_async(Machine& m, const Op& op) {
  // Copies from global to shared memory immediately; on a GPU the copy ends by cp.async.wait_* at the latest. a is the
  // shared address, b + c the global address. If Op::bytes is set, d is the number of bytes to read, and the rest is
  // zero-filled. p_in: lanes that read nothing.
  const Access& access = m.program.accesses[op.table_index];
  std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const int bytes = access.bytes;
  alignas(64) std::uint64_t to[lanes_per_warp], from[lanes_per_warp];
  m.addresses(op, access, to);
  const auto* const base = m.at<const std::uint64_t>(op.b);
  const std::uint64_t offset = *m.at<const std::uint64_t>(op.c);
  for (int lane = 0; lane < lanes_per_warp; ++lane) from[lane] = base[lane] + offset;
  std::uint32_t sizes[lanes_per_warp];
  std::uint32_t reading = 0;
  std::uint32_t ignored = op.p_in < 0 ? 0 : op.p_in_negated ? ~m.predicate(op.p_in) : m.predicate(op.p_in);
  for_lanes(mask, [&](int lane) {
    sizes[lane] = static_cast<std::uint32_t>(bytes);
    if (op.bytes != 0) sizes[lane] = std::min(sizes[lane], m.at<const std::uint32_t>(op.d)[lane]);
    if ((ignored >> lane & 1) != 0) sizes[lane] = 0;
    if (sizes[lane] != 0) reading |= 1u << lane;
  });
  Places sources, targets;
  if (reading != 0) {
    Counters& counters = m.tally.counters;
    ++counters.global_load_requests;
    counters.add_sectors(&Counters::global_load_sectors,
                         static_cast<std::uint64_t>(count_sectors(from, reading, bytes)), std::popcount(reading),
                         bytes);
    const std::uint32_t reached = translate_sources(m, op, reading, from, sizes, bytes, sources);
    mask &= reached | ~reading;
    reading = reached;
  }
  if (mask == 0) return;
  // Not counted here: Nsight Compute counts these writes separately from store instructions.
  mask = m.translate_shared(op, mask, to, bytes, true, targets);
  for_lanes(mask, [&](int lane) {
    std::uint8_t piece[16] = {};
    if ((reading >> lane & 1) != 0) std::memcpy(piece, sources.host[lane], sizes[lane]);
    std::memcpy(targets.host[lane], piece, static_cast<std::size_t>(bytes));
  });
}

}  // namespace warpwalk::gpu::handlers
