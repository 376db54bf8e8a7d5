#include <algorithm>
#include <bit>

#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

namespace {

/// Whether some of these sectors are not written as a whole.
bool is_partial(std::uint8_t sectors, std::uint32_t words) {
  for (unsigned sector = 0; sector < 4; ++sector)
    if ((sectors >> sector & 1) != 0 && (words >> 8 * sector & 0xff) != 0xff) return true;
  return false;
}

}  // namespace

/// Adds the words of a store to the request, still in the SM, that writes its sectors.
void Sm::merge_words(const RecentStore& store, std::uint32_t words) {
  const auto is_it = [&](const MemoryRequest& request) {
    return request.kind == MemoryRequest::Kind::store && request.line == store.line && request.time == store.leaves;
  };
  auto waiting = requests.end();
  if (store.request < requests.size() && is_it(requests[store.request]))
    waiting = requests.begin() + static_cast<std::ptrdiff_t>(store.request);
  else
    waiting = std::ranges::find_if(requests, is_it);
  if (waiting == requests.end()) return;
  waiting->words |= words;
  waiting->partial = waiting->partial && is_partial(waiting->sectors, waiting->words);
}

void Sm::store_global(std::uint16_t number, const CoalescedAccess& lines, double at) {
  Slot& slot = slots_[number];
  for (int i = 0; i < lines.count; ++i) {
    const LineAccess& access = lines.lines[static_cast<std::size_t>(i)];
    counters_.l1_sectors += static_cast<std::uint64_t>(sector_count(access.sectors));
    // Stores go through to L2. L1 notes the sectors, which count as hits for later stores.
    if (const std::uint32_t index = line_in_l1(access.line); index != L1::none) {
      L1Line& line = l1_.at(index);
      counters_.l1_hits += static_cast<std::uint64_t>(
          sector_count(static_cast<std::uint8_t>(access.sectors & (line.written | line.present))));
      line.written |= access.sectors;
    }
    // A line with bytes left out takes a sector's time more (tests/cuda/microbench).
    int sectors = sector_count(access.sectors) + (access.partial ? 1 : 0);
    std::uint8_t sent = access.sectors;
    const auto waiting = std::ranges::find_if(
        recent_stores_, [&](const RecentStore& s) { return s.line == access.line && s.leaves > at; });
    if (waiting != recent_stores_.end()) {
      sent = static_cast<std::uint8_t>(sent & ~waiting->sectors);
      slot.last_store = std::max(slot.last_store, waiting->leaves);
      merge_words(*waiting, access.words);
      if (sent == 0) continue;
      waiting->sectors |= sent;
      sectors = sector_count(sent);
    }
    const double leaves = writes_.take(at, sectors * 32 / timing_.sm_write_bandwidth);
    if (waiting == recent_stores_.end() && !recent_stores_.empty()) {
      recent_stores_[next_recent_] = {access.line, leaves, requests.size(), sent};
      next_recent_ = (next_recent_ + 1) % recent_stores_.size();
    }
    MemoryRequest& request = requests.emplace_back();
    request = {.time = leaves,
               .line = access.line,
               .sm = id_,
               .kind = MemoryRequest::Kind::store,
               .sectors = sent,
               .words = access.words,
               .partial = access.partial};
    slot.last_store = std::max(slot.last_store, leaves);
    await_confirmation(number, request);
  }
}

void Sm::send_atomic(std::uint16_t number, const CoalescedAccess& lines, double at, std::uint32_t load, bool floating) {
  Slot& slot = slots_[number];
  if (load != no_index) loads_[load].remaining = static_cast<std::uint16_t>(lines.count);
  for (int i = 0; i < lines.count; ++i) {
    const LineAccess& access = lines.lines[static_cast<std::size_t>(i)];
    counters_.l1_sectors += static_cast<std::uint64_t>(sector_count(access.sectors));
    const int sectors = sector_count(access.sectors);
    const double each = sectors == 1 ? timing_.interval_atomic_line : timing_.interval_atomic_sector;
    const double leaves = writes_.take(at, sectors * each + access.repeats * timing_.interval_atomic_line);
    slot.last_store = std::max(slot.last_store, leaves);
    MemoryRequest& request = requests.emplace_back();
    request = {.time = leaves,
               .line = access.line,
               .sm = id_,
               .kind = MemoryRequest::Kind::atomic,
               .sectors = access.sectors,
               .repeats = access.repeats,
               .floating = floating};
    if (load == no_index) {
      await_confirmation(number, request);
      continue;
    }
    const std::uint32_t id = new_pending(MemoryRequest::Kind::atomic);
    pending_[id].number = access.line;
    pending_[id].left_at = leaves;
    pending_[id].sectors = access.sectors;
    pending_[id].load = load;
    request.id = id;
  }
}

void Sm::await_confirmation(std::uint16_t number, MemoryRequest& request) {
  Slot& slot = slots_[number];
  const std::uint32_t id = new_pending(MemoryRequest::Kind::store);
  pending_[id].slot = number;
  pending_[id].warp = slot.age;
  pending_[id].number = request.line;
  pending_[id].sectors = request.sectors;
  ++slot.stores;
  stores_ += sector_count(request.sectors);
  request.id = id;
  request.confirms = true;
}

}  // namespace warpwalk::gpu
