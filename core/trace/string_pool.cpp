#include "core/trace/string_pool.h"

#define XXH_INLINE_ALL
#include <cstring>

#include <xxhash.h>

namespace warpwalk::trace {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 16;

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits(text.data(), text.size()));
}

}  // namespace

StringPool::StringPool() : entries_{{std::string_view("", 0), 0}}, table_(1024, 0) {}

std::size_t StringPool::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  while (table_[slot] != 0) {
    const Entry& entry = entries_[table_[slot]];
    if (entry.hash == hash && entry.text == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

StringId StringPool::intern(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t hash = hash_of(text);
  std::size_t slot = slot_of(text, hash);
  if (table_[slot] != 0) return table_[slot];
  if (2 * entries_.size() >= table_.size()) {
    grow_table();
    slot = slot_of(text, hash);
  }
  const auto id = static_cast<StringId>(entries_.size());
  entries_.push_back({store(text), hash});
  table_[slot] = id;
  return id;
}

StringId StringPool::find(std::string_view text) const {
  return text.empty() ? 0 : table_[slot_of(text, hash_of(text))];
}

void StringPool::grow_table() {
  std::vector<StringId> larger(table_.size() * 2, 0);
  const std::size_t mask = larger.size() - 1;
  for (StringId id = 1; id < entries_.size(); ++id) {
    std::size_t slot = entries_[id].hash & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = id;
  }
  table_ = std::move(larger);
}

std::string_view StringPool::store(std::string_view text) {
  if (text.size() > free_bytes_) {
    const std::size_t size = text.size() > block_size / 4 ? text.size() : block_size;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    block_bytes_ += size;
    if (size != block_size) {  // a long text gets its own block; the current block stays in use
      std::memcpy(blocks_.back().get(), text.data(), text.size());
      return {blocks_.back().get(), text.size()};
    }
    free_ = blocks_.back().get();
    free_bytes_ = size;
  }
  char* const at = free_;
  std::memcpy(at, text.data(), text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return {at, text.size()};
}

std::size_t StringPool::bytes() const {
  return block_bytes_ + entries_.capacity() * sizeof(Entry) + table_.capacity() * sizeof(StringId);
}

}  // namespace warpwalk::trace
