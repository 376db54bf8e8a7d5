#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/json/window.h"
#include "core/trace/ncu/wire.h"

namespace warpwalk::trace::ncu {

/// Whether these are the first bytes of a report of Nsight Compute (.ncu-rep), of which four are needed.
bool is_report(std::string_view first_bytes);

/// A block of a report. The views are valid until the next block is read.
struct Block {
  std::string_view header;                 ///< a message BlockHeader, without its counts
  std::vector<std::string_view> strings;   ///< what the block adds to the report's table of strings
  std::vector<std::string_view> sources;   ///< messages SourceData
  std::vector<std::string_view> launches;  ///< messages ProfileResult
  std::uint64_t other_results = 0;         ///< results of ranges, command lists and graphs, which are not read
};

/// Reads the frame of a report: the magic bytes "NVR\0", a 32-bit size and a message FileHeader, then blocks. A block
/// is a 32-bit size, a message BlockHeader, and BlockHeader.PayloadSize bytes: one after the other NumSources sources,
/// NumResults launches and the other results, each a 32-bit size and a message. All sizes are little-endian. The
/// messages are described in ProfilerReport.proto, which Nsight Compute installs in extras/FileFormat.
class Container {
 public:
  /// `window`: at the start of the file. A block that does not fit into it is skipped.
  explicit Container(Window& window) : window_(window) {}

  /// The next block; nullopt at the end, or where the file is damaged. Of a block that is cut off, the whole messages.
  std::optional<Block> next();
  /// The reason why reading ended before the file's end; empty if it did not. One line, without the file's name.
  const std::string& damage() const { return damage_; }
  /// Whether the damage is that the file ends too early.
  bool cut_off() const { return cut_off_; }
  std::uint64_t blocks() const { return blocks_; }
  /// Blocks that were larger than the window can hold.
  std::uint64_t skipped() const { return skipped_; }

 private:
  bool begin();
  bool ask(std::uint64_t bytes);
  bool skip(std::uint64_t bytes);
  std::optional<Block> fail(std::string what, bool cut_off);

  Window& window_;
  std::string damage_;
  bool cut_off_ = false;
  bool begun_ = false;
  std::size_t last_ = 0;  // bytes of the block that was returned last, which are dropped before the next one
  std::uint64_t blocks_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace warpwalk::trace::ncu
