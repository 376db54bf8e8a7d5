#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpwalk::trace {

/// The id of a string in a StringPool; 0 is the empty string in every pool.
using StringId = std::uint32_t;

/// Stores each distinct string once. Views stay valid as long as the pool.
class StringPool {
 public:
  StringPool();
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;

  /// The id of this text; adds it if it is new.
  StringId intern(std::string_view text);
  /// The id of this text, or 0 if it is not in the pool (or empty).
  StringId find(std::string_view text) const;
  std::string_view operator[](StringId id) const { return entries_[id].text; }
  std::size_t size() const { return entries_.size(); }
  /// Bytes held, including the unused parts of blocks and table.
  std::size_t bytes() const;

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t hash;
  };
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  void grow_table();
  std::string_view store(std::string_view text);

  std::vector<Entry> entries_;
  std::vector<StringId> table_;  // hash table with open addressing, size a power of two; 0 marks a free slot
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  std::size_t free_bytes_ = 0;
  std::size_t block_bytes_ = 0;
};

}  // namespace warpwalk::trace
