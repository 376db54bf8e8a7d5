#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::crash {

// The last calls of a program that was started armed. The program writes them into a file that is mapped into its
// memory, so that they are there whatever ends it. The file is a RingHeader, its entries, allocations, stacks and
// texts, one after another, in the byte order of the machine.

constexpr std::array<char, 8> ring_signature = {'W', 'W', 'C', 'A', 'L', 'L', 'S', '2'};

enum class RingCall : std::uint32_t {
  other,
  launch,
  graph_launch,
  copy,
  set,
  allocation,
  release,
  wait,
  captured  ///< a launch that became part of a CUDA graph
};

/// A call of the CUDA driver. Texts are offsets among the texts; 0 is the empty text.
struct RingEntry {
  std::uint64_t number = 0;  ///< from 1; 0: never written, or being written
  std::uint64_t time = 0;    ///< ns since the epoch
  std::uint64_t stream = 0;
  std::uint64_t address = 0, bytes = 0;  ///< of memory, or of a copy's destination
  std::uint64_t ordinal = 0;             ///< of a launch: its number among the launches, from 1
  std::uint32_t kind = 0;                ///< RingCall
  std::uint32_t thread = 0;
  std::uint32_t name = 0;          ///< "cuLaunchKernel"
  std::uint32_t kernel = 0;        ///< mangled name, of a launch
  std::uint32_t stack = 0;         ///< of Python; 0: none
  std::int32_t result = 0;         ///< a CUresult; ring_unfinished: the call has not returned
  std::uint32_t other_thread = 0;  ///< 1: `stack` is that of the main thread, since this one runs no Python
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shared_bytes = 0;  ///< dynamic, of a launch
  std::uint32_t op = 0;            ///< of PyTorch, of a launch: "aten::mm in AddmmBackward0"
  std::uint32_t padding = 0;
};
constexpr std::int32_t ring_unfinished = -1;

/// Memory that the program has allocated from the driver. When the table is full, what was released first goes.
struct RingAllocation {
  std::uint64_t address = 0, bytes = 0;             ///< 0 bytes: not in use
  std::uint64_t allocated = 0;                      ///< RingEntry::number
  std::uint64_t released = 0;                       ///< likewise; 0: it is still there
  std::uint32_t name = 0;                           ///< text: the call that allocated it
  std::uint32_t allocated_at = 0, released_at = 0;  ///< stacks
  std::uint32_t padding = 0;
};

/// One frame of Python, whose callers are those of `caller`.
struct RingFrame {
  std::uint32_t caller = 0;  ///< index of a frame; 0: none
  std::uint32_t text = 0;    ///< "train.py:12 forward"
};

struct RingHeader {
  std::array<char, 8> signature{};
  std::uint32_t entry_bytes = 0, entries = 0;
  std::uint32_t allocations = 0, frames = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t began = 0;  ///< ns since the epoch
  std::uint32_t process = 0;
  std::uint32_t python = 0;  ///< 1: Python's stacks are recorded
  std::uint64_t calls = 0;   ///< that were made
  std::uint64_t lost = 0;    ///< allocations, frames and texts for which there was no room
};

/// The calls of a file, which it views.
class CallRing {
 public:
  /// Accepts any bytes; the error is one line.
  static base::Result<CallRing> read(std::string_view file);

  const RingHeader& header() const { return header_; }
  /// In the order in which they were made.
  const std::vector<RingEntry>& calls() const { return calls_; }
  const std::vector<RingAllocation>& allocations() const { return allocations_; }
  std::string_view text(std::uint32_t at) const;
  /// The frames of a stack, the innermost first.
  std::vector<std::string_view> stack(std::uint32_t at) const;
  /// The allocation that covers the address, or that ends or begins nearest to it within `most` bytes: one that is
  /// still there before one that was released.
  const RingAllocation* allocation_near(std::uint64_t address, std::uint64_t most) const;

 private:
  RingHeader header_;
  std::vector<RingEntry> calls_;
  std::vector<RingAllocation> allocations_;
  std::vector<RingFrame> frames_;
  std::string_view texts_;
};

struct DumpGrid;

/// The launches that may be that of a grid.
struct GridLaunch {
  const RingEntry* call = nullptr;  ///< null: none of the calls has the grid's kernel and shape
  std::size_t alike = 0;            ///< how many of the calls have them, this one included
  /// `call` launches a CUDA graph, the last one before an error: no launch has the kernel, its shape and its number.
  bool of_graph = false;
};
/// The launch whose number is nearest to the grid's: the driver numbers grids as they are launched, one by one (driver
/// 580; in a program of Triton's, it was one ahead). `kernel`: the mangled name of the grid's kernel.
GridLaunch launch_of(const CallRing& ring, const DumpGrid& grid, std::string_view kernel);

}  // namespace warpwalk::crash
