#include "core/words/crash/allocator_blocks.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <rapidjson/document.h>

#include "core/base/exact_json.h"
#include "core/base/quantity_text.h"
#include "core/platform/read_file.h"
#include "core/words/crash/crash_names.h"

namespace warpwalk::words {
namespace {

std::uint64_t number(const rapidjson::Value& object, const char* key) {
  const auto member = object.FindMember(key);
  return member != object.MemberEnd() && member->value.IsUint64() ? member->value.GetUint64() : 0;
}

}  // namespace

base::Result<std::vector<AllocatorBlock>> read_allocator_blocks(const std::filesystem::path& file) {
  const auto text = platform::read_text_file(file);
  if (!text) return base::Error{text.error()};
  rapidjson::Document document;
  if (base::parse_exact(text->text, document).IsError() || !document.IsArray())
    return base::Error{fmt::format("{}: is no list of PyTorch's segments of memory", file.string())};
  std::vector<AllocatorBlock> found;
  for (const rapidjson::Value& segment : document.GetArray()) {
    if (!segment.IsObject()) continue;
    const auto blocks = segment.FindMember("blocks");
    if (blocks == segment.MemberEnd() || !blocks->value.IsArray()) continue;
    std::uint64_t at = number(segment, "address");
    for (const rapidjson::Value& block : blocks->value.GetArray()) {
      if (!block.IsObject()) break;
      const auto state = block.FindMember("state");
      found.push_back({at, number(block, "bytes"), number(block, "wanted"),
                       state != block.MemberEnd() && state->value.IsString() ? state->value.GetString() : ""});
      at += found.back().bytes;
    }
  }
  std::ranges::sort(found, {}, &AllocatorBlock::address);
  return found;
}

const AllocatorBlock* block_at(const std::vector<AllocatorBlock>& blocks, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(blocks, address, {}, &AllocatorBlock::address);
  if (after == blocks.begin()) return nullptr;
  const AllocatorBlock& block = *std::prev(after);
  return address - block.address < block.bytes ? &block : nullptr;
}

std::string block_text(const AllocatorBlock& block) {
  const auto bytes = [](std::uint64_t n) { return base::with_thousands(static_cast<std::int64_t>(n)); };
  const bool in_use = block.state == "active_allocated";
  return fmt::format("a block of PyTorch's allocator, {} B at {}, {}", bytes(in_use ? block.wanted : block.bytes),
                     address_text(block.address),
                     in_use                      ? "in use"
                     : block.state == "inactive" ? "free"
                                                 : "freed, while a stream still uses it");
}

}  // namespace warpwalk::words
