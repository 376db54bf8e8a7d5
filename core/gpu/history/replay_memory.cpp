#include "core/gpu/history/replay_memory.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

ReplayMemory::ReplayMemory(const Memory& memory, std::vector<const SmRecord*> records)
    : memory_(memory), records_(std::move(records)) {
  position_.sms.resize(records_.size());
}

void ReplayMemory::change(std::size_t region, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint8_t* const from = memory_.regions()[region].data + offset;
  if (position_.changes == changes_.size()) {
    changes_.push_back(
        {static_cast<std::uint32_t>(region), static_cast<std::uint32_t>(bytes), offset, contents_.size()});
    contents_.insert(contents_.end(), from, from + bytes);
  } else {
    // The run repeats itself, so this entry is the same change.
    std::copy(from, from + bytes,
              contents_.begin() + static_cast<std::ptrdiff_t>(changes_[position_.changes].contents));
  }
  ++position_.changes;
}

void ReplayMemory::before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) {
  if (memory_.regions()[region].read_only) return;
  Position::Read& read = position_.sms[sm_];
  ++read.accesses;
  const std::vector<MemoryPatch>& patches = records_[sm_]->patches;
  for (; read.patches < patches.size() && patches[read.patches].access == read.accesses; ++read.patches) {
    const MemoryPatch& patch = patches[read.patches];
    change(patch.region, patch.offset, patch.bytes.size());
    std::ranges::copy(patch.bytes, memory_.regions()[patch.region].data + patch.offset);
  }
  if (kind != Kind::read) change(region, offset, bytes);
}

void ReplayMemory::swap(const Change& change) {
  const auto kept = contents_.begin() + static_cast<std::ptrdiff_t>(change.contents);
  std::swap_ranges(kept, kept + change.bytes, memory_.regions()[change.region].data + change.offset);
}

void ReplayMemory::go_to(const Position& position) {
  while (position_.changes > position.changes) swap(changes_[--position_.changes]);
  while (position_.changes < position.changes) swap(changes_[position_.changes++]);
  position_ = position;
}

}  // namespace warpwalk::gpu
