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

/// The blocks that an armed program has left (PID.blocks.json), by address. The error is one line that names the file.
base::Result<std::vector<AllocatorBlock>> read_allocator_blocks(const std::filesystem::path& file);

/// The block that covers the address; null: none does.
const AllocatorBlock* block_at(const std::vector<AllocatorBlock>& blocks, std::uint64_t address);

/// "a block of PyTorch's allocator, 40,000 B at 0x7f00, in use"
std::string block_text(const AllocatorBlock& block);

}  // namespace warpwalk::words
