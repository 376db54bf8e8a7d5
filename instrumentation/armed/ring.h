#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/crash/call_ring.h"

namespace warpwalk::armed {

/// Writes the file of core/crash/call_ring.h, which is mapped into the program's memory: what was written is in the
/// file even if the program is killed. Thread-safe.
class Ring {
 public:
  /// Null if the file cannot be made.
  static std::unique_ptr<Ring> create(const std::filesystem::path& file);

  /// Index of the text among those of the file; 0 if there is no room.
  std::uint32_t text(std::string_view text);
  /// Room for a text of less than `bytes`, which fill() writes; 0 if there is none.
  std::uint32_t reserve(std::size_t bytes);
  void fill(std::uint32_t at, std::string_view text, std::size_t bytes);
  /// Index of a new frame; 0 if there is no room.
  std::uint32_t frame(std::uint32_t caller, std::uint32_t text);
  /// Numbers the entry and writes it over the oldest one. Returns its number.
  std::uint64_t add(crash::RingEntry entry);
  void set_result(std::uint64_t number, std::int32_t result);
  /// Memory that the call `number` has allocated, or released. `stack`: a frame.
  void allocated(std::uint64_t address, std::uint64_t bytes, std::uint64_t number, std::uint32_t name,
                 std::uint32_t stack);
  void released(std::uint64_t address, std::uint64_t number, std::uint32_t stack);
  void has_python() { header_->python = 1; }

 private:
  Ring() = default;

  std::mutex mutex_;
  crash::RingHeader* header_ = nullptr;
  crash::RingEntry* entries_ = nullptr;
  crash::RingAllocation* allocations_ = nullptr;
  crash::RingFrame* frames_ = nullptr;
  char* texts_ = nullptr;
  std::uint64_t texts_used_ = 1;
  std::uint32_t frames_used_ = 1;
  std::unordered_map<std::string_view, std::uint32_t> text_at_;     ///< the keys are in the file
  std::unordered_map<std::uint64_t, std::uint32_t> allocation_at_;  ///< by address, of what is still there
  std::uint32_t allocations_used_ = 0;
  std::multimap<std::uint64_t, std::uint32_t> released_at_;  ///< places in the table, by time of release
};

}  // namespace warpwalk::armed
