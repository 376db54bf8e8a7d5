#pragma once

// Common to the tests of the allocator: recorded histories of PyTorch's allocator (record_allocator.py,
// allocator/record_settings.py), and the texts that are compared.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "core/ops/dispatch/caching_allocator.h"

namespace warpwalk::ops {

constexpr std::uint64_t recorded_unit = 512, mib = 1 << 20;
/// Recorded addresses are in units of `recorded_unit`, relative to the lowest one. The base makes them nonzero.
constexpr std::uint64_t base = 0x700000000000;
std::uint64_t address_of(const rapidjson::Value& steps);

/// A change of the memory: "+ ADDRESS BYTES", the address relative to `base`.
std::string text_of(std::string_view kind, std::uint64_t address, std::uint64_t bytes);

/// Segments and blocks of the allocator, and of a record, in the same form. Blocks that do not follow one another fail
/// the test.
std::string state_text(const std::vector<CachingAllocator::Segment>& segments);
std::string state_text(const rapidjson::Value& segments);

/// A file of the folder data.
rapidjson::Document recorded(std::string_view file);

/// Keeps what the allocator reports.
class EventLog : public Observer {
 public:
  void memory(const MemoryChange& change) override;
  std::vector<MemoryChange> changes;
  std::vector<std::string> lines;  ///< text_of each
};

}  // namespace warpwalk::ops
