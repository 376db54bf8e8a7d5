#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace warpwalk::platform {

/// Memory for tables that grow in blocks to many megabytes. The first megabytes come from the allocator of the program;
/// further blocks lie side by side in regions of large pages, where the system provides them: it takes less time to
/// provide a large page than a few of the 512 small ones in its place. Released blocks are used again.
class TableMemory {
 public:
  TableMemory() = default;
  TableMemory(const TableMemory&) = delete;
  TableMemory& operator=(const TableMemory&) = delete;
  ~TableMemory();

  /// A block aligned for all fundamental types. Throws std::bad_alloc if there is no memory.
  void* allocate(std::size_t bytes);
  /// `bytes`: as in allocate().
  void release(void* block, std::size_t bytes);

 private:
  struct Region {
    char* mapping;
    std::size_t bytes;
  };
  char* take_free(std::size_t bytes);
  bool add_region(std::size_t bytes);
  bool in_region(const char* block) const;

  std::mutex mutex_;  // tables can outlive the trace that they were part of, on other threads
  std::size_t small_bytes_ = 0;
  std::vector<Region> regions_;
  std::map<char*, std::size_t> free_;  // parts of the regions, joined with their neighbours
};

/// Asks the system for large pages in memory that has not been written yet. Without success, its pages are small.
void use_large_pages(void* memory, std::size_t bytes);

/// Reserves room for at most this many rows, in large pages if that is much. Memory that is not written stays free, so
/// an estimate may be far too large; growing instead would copy the rows, and hold them twice meanwhile.
template <class Row>
void reserve_rows(std::vector<Row>& rows, std::size_t most) {
  constexpr std::size_t much = std::size_t{8} << 20;
  if (most <= rows.capacity()) return;
  rows.reserve(most);
  if (most * sizeof(Row) >= much) use_large_pages(rows.data() + rows.size(), (most - rows.size()) * sizeof(Row));
}

}  // namespace warpwalk::platform
