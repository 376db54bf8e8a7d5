#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpwalk::gpu {

/// One thread's access to global memory.
struct GlobalTouch {
  std::uint32_t block = 0;  ///< index in the grid
  std::uint32_t epoch = 0;  ///< of the thread's warp (SharedShadow::epoch); 0: no access
  std::uint32_t instruction = 0;
  /// Differs between the executions of an instruction that follow one another. Of a bulk store: its bulk group.
  std::uint16_t execution = 0;
  std::uint16_t thread : 10 = 0;      ///< index in the block
  std::uint16_t strong : 1 = 0;       ///< atomic, volatile, relaxed, acquire or release: intended to communicate
  std::uint16_t atomic : 1 = 0;       ///< atomic read-modify-write
  std::uint16_t block_scope : 1 = 0;  ///< strong among the threads of its block or cluster only
  std::uint16_t bulk_store : 1 = 0;   ///< a write by a bulk copy, in progress until its thread has waited for it
  std::uint16_t several : 1 = 0;      ///< in GlobalCell::same_value: other unordered threads have stored the value, too

  bool exists() const { return epoch != 0; }
};

/// The last accesses to one word or byte of global memory.
struct GlobalCell {
  GlobalTouch plain;                 ///< the last write that is not strong
  GlobalTouch strong;                ///< the last strong write since then
  GlobalTouch same_value;            ///< the last plain store since these of the value that was already there
  std::array<GlobalTouch, 2> reads;  ///< since the last write, by threads of different blocks or warps if possible
};

/// The sanitizer's shadow memory of global memory, in pages that are allocated at the first access. A page has a cell
/// per word, or per byte once an access is smaller than a word.
class GlobalShadow {
 public:
  explicit GlobalShadow(std::size_t limit_bytes) : limit_(limit_bytes) {}

  struct Cells {
    std::span<GlobalCell> cells;  ///< empty if the page does not fit into the limit
    int bytes = 4;                ///< bytes of memory per cell
  };
  /// The cells of an aligned access of 1 to 32 bytes.
  Cells at(std::uint64_t address, int bytes);
  /// Forgets the accesses to a range.
  void forget(std::uint64_t address, std::uint64_t bytes);
  /// True if an access was not recorded, because the shadow memory had reached its limit.
  bool is_full() const { return full_; }

 private:
  struct Page {
    bool by_byte = false;
    std::vector<GlobalCell> cells;
  };
  bool reserve(std::size_t bytes);
  bool split(Page& page);

  std::size_t limit_, used_ = 0;
  bool full_ = false;
  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
};

}  // namespace warpwalk::gpu
