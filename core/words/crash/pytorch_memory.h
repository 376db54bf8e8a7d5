#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::words {

/// A block of memory of PyTorch's caching allocator.
struct AllocatorBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t wanted = 0;  ///< that the program asked for; the last time, if the block is free
  std::string state;         ///< "active_allocated", "active_pending_free" or "inactive", as PyTorch calls them
};

/// A tensor of PyTorch that is in the memory of a GPU.
struct DumpTensor {
  std::uint64_t address = 0;                 ///< of its first element
  std::string name;                          ///< of a variable or parameter; empty: unknown
  std::string dtype;                         ///< "float32"
  std::vector<std::int64_t> shape, strides;  ///< elements
  std::uint64_t element_bytes = 0;

  /// From the first byte to the end of the last element.
  std::uint64_t span_bytes() const;
};

/// What an armed program has left of PyTorch's memory (PID.blocks.json) when an exception ended it.
struct PytorchMemory {
  std::vector<AllocatorBlock> blocks;  ///< by address
  std::vector<DumpTensor> tensors;     ///< by address, those with a name first
};

/// The error is one line that names the file.
base::Result<PytorchMemory> read_pytorch_memory(const std::filesystem::path& file);

/// The block that covers the address; null: none does.
const AllocatorBlock* block_at(const PytorchMemory& memory, std::uint64_t address);
/// The tensor whose first element is at the address, or else the smallest one that covers it; null: there is none.
const DumpTensor* tensor_at(const PytorchMemory& memory, std::uint64_t address);

/// "a block of PyTorch's allocator, 40,000 B at 0x7f00, in use"
std::string block_text(const AllocatorBlock& block);
/// "`index`, int64 [10000]", with the strides of one that is not contiguous.
std::string tensor_text(const DumpTensor& tensor);

}  // namespace warpwalk::words
