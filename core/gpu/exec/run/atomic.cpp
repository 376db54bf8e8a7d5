#include <atomic>
#include <bit>
#include <cstring>

#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/memory/access_cost_cache.h"
#include "core/gpu/exec/run/atomic_value.h"
#include "core/gpu/exec/run/stack.h"

namespace warpwalk::gpu::handlers {

namespace {

using ptx::Action;

/// Applies one lane's atomic to memory that other host threads may change concurrently: those that run other blocks, if
/// the order does not matter, and those of the program.
template <class Word>
std::uint64_t apply_on_host(std::uint8_t* place, const Atomic& how, std::uint64_t b, std::uint64_t c, bool flush) {
  std::atomic_ref<Word> word(*reinterpret_cast<Word*>(place));
  Word old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(old, static_cast<Word>(atomic_value(how.action, how.type, old, b, c, flush)))) {
  }
  return old;
}

/// An exchange whose result is not used does not read: the sanitizer sees memory that is written.
void note_replaced(Machine& m, std::uint32_t mask, const std::uint64_t* at, int bytes) {
  for_lanes(mask, [&](int lane) {
    const Region* const of = m.context.memory->find(at[lane]);
    const auto width = static_cast<std::uint64_t>(bytes);
    if (of == nullptr || of->written == nullptr || of->bytes < width || at[lane] - of->base > of->bytes - width) return;
    std::memset(of->written + (at[lane] - of->base), 1, width);
  });
}

struct Sources {
  const std::uint8_t *b, *c;
  int width;
  std::uint64_t second(int lane) const { return get_lane(b, width, lane); }
  std::uint64_t third(int lane) const { return c == nullptr ? 0 : get_lane(c, width, lane); }
};

/// 128-bit exch and cas. Their result depends on the order, so blocks run on one host thread and no host atomic is
/// needed.
void exchange_wide(Machine& m, const Op& op, const Atomic& how, std::uint32_t mask, std::uint8_t* const* places) {
  constexpr std::size_t width = 16;
  for_lanes(mask, [&](int lane) {
    const std::size_t offset = width * static_cast<std::size_t>(lane);
    std::uint8_t old[width], b[width];
    std::memcpy(old, places[lane], width);
    std::memcpy(b, m.at<const std::uint8_t>(op.b) + offset, width);
    const bool swaps = how.action != Action::cas || std::memcmp(old, b, width) == 0;
    const auto* const put = how.action != Action::cas ? b : m.at<const std::uint8_t>(op.c) + offset;
    if (swaps && std::memcmp(old, put, width) != 0) m.warp->changed_memory = true;
    if (how.action != Action::cas) {
      std::memcpy(places[lane], b, width);
    } else if (std::memcmp(old, b, width) == 0) {
      std::memcpy(places[lane], m.at<const std::uint8_t>(op.c) + offset, width);
    }
    if (how.returns) std::memcpy(m.at<std::uint8_t>(op.d) + offset, old, width);
  });
}

void apply_atomic(Machine& m, const Op& op, const Atomic& how, const Access& access, std::uint32_t mask,
                  std::uint8_t* const* places, bool global) {
  const Sources from{m.at<const std::uint8_t>(op.b),
                     how.action == Action::cas ? m.at<const std::uint8_t>(op.c) : nullptr, access.register_bytes[0]};
  const bool shared_with_others = global && (m.context.concurrent_host_threads || m.context.shares_memory_with_host);
  if (access.bytes == 16) return exchange_wide(m, op, how, mask, places);
  for_lanes(mask, [&](int lane) {
    std::uint64_t old = 0;
    const std::uint64_t b = from.second(lane), c = from.third(lane);
    if (shared_with_others && access.bytes == 4) {
      old = apply_on_host<std::uint32_t>(places[lane], how, b, c, global);
      if (static_cast<std::uint32_t>(atomic_value(how.action, how.type, old, b, c, global)) != old)
        m.warp->changed_memory = true;
    } else if (shared_with_others && access.bytes == 8) {
      old = apply_on_host<std::uint64_t>(places[lane], how, b, c, global);
      if (atomic_value(how.action, how.type, old, b, c, global) != old) m.warp->changed_memory = true;
    } else {
      std::memcpy(&old, places[lane], access.bytes);
      const std::uint64_t now = atomic_value(how.action, how.type, old, b, c, global);
      if (std::memcmp(&now, &old, access.bytes) != 0) m.warp->changed_memory = true;
      std::memcpy(places[lane], &now, access.bytes);
    }
    if (how.returns) set_lane(m.at<std::uint8_t>(op.d), access.register_bytes[1], lane, old);
  });
}

}  // namespace

void atomic(Machine& m, const Op& op) {
  const Access& access = m.program.accesses[op.table_index];
  const Atomic& how = m.program.atomics[access.atomic];
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  m.warp->polled_memory = true;
  alignas(64) std::uint64_t at[lanes_per_warp];
  m.addresses(op, access, at);
  std::uint32_t shared = access.space == ptx::Space::shared ? mask : 0;
  std::uint32_t local = 0;
  if (access.space == ptx::Space::generic) {
    for_lanes(mask, [&](int lane) {
      if (at[lane] - shared_window < shared_window_bytes) {
        shared |= 1u << lane;
        at[lane] -= shared_window;
      } else if (at[lane] - local_window < window_bytes) {
        local |= 1u << lane;
        at[lane] -= local_window;
      }
    });
  }
  Places places;
  if (shared != 0) {
    if (own_lanes(m, shared, at) != 0) ++m.tally.counters.shared_atomic_requests;
    apply_atomic(m, op, how, access, m.translate_shared(op, shared, at, access.bytes, true, places, true), places.host,
                 false);
  }
  if (local != 0) {
    const std::uint32_t reached = m.translate_local(op, local, at, access.bytes, true, true);
    for_lanes(reached, [&](int lane) {
      std::uint8_t word[16] = {};
      read_stack(*m.warp, lane, static_cast<std::uint32_t>(at[lane]), access.bytes, word);
      places.host[lane] = word;
      apply_atomic(m, op, how, access, 1u << lane, places.host, false);
      write_stack(*m.warp, lane, static_cast<std::uint32_t>(at[lane]), access.bytes, word);
    });
  }
  const std::uint32_t global = mask & ~shared & ~local;
  if (global != 0) {
    if (m.sanitizer != nullptr && how.action == Action::exch && !how.returns)
      note_replaced(m, global, at, access.bytes);
    ++m.tally.counters.global_atomic_requests;
    m.tally.counters.add_sectors(&Counters::global_atomic_sectors,
                                 static_cast<std::uint64_t>(count_sectors(at, global, access.bytes)),
                                 std::popcount(global), access.bytes);
    apply_atomic(m, op, how, access,
                 m.translate_global(op, global, at, access.bytes, MemoryObserver::Kind::atomic, places), places.host,
                 true);
  }
}

}  // namespace warpwalk::gpu::handlers
