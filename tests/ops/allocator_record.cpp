#include "tests/ops/allocator_record.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace warpwalk::ops {

std::uint64_t address_of(const rapidjson::Value& steps) { return base + steps.GetUint64() * recorded_unit; }

std::string text_of(std::string_view kind, std::uint64_t address, std::uint64_t bytes) {
  return std::string(kind) + " " + std::to_string(address - base) + " " + std::to_string(bytes);
}

std::string state_text(const std::vector<CachingAllocator::Segment>& segments) {
  std::stringstream out;
  for (const auto& segment : segments) {
    out << "\n" << segment.address - base << " " << segment.bytes << (segment.small ? " small:" : " large:");
    std::uint64_t at = segment.address;
    for (const auto& block : segment.blocks) {
      EXPECT_EQ(block.address, at);
      at += block.bytes;
      out << " " << block.bytes << (block.in_use ? "+" : "-") << block.requested;
    }
  }
  return out.str();
}

std::string state_text(const rapidjson::Value& segments) {
  std::stringstream out;
  for (const auto& segment : segments.GetArray()) {
    out << "\n" << segment[0].GetUint64() * recorded_unit << " " << segment[1].GetUint64();
    out << (segment[2].GetInt() == 1 ? " small:" : " large:");
    for (const auto& block : segment[3].GetArray())
      out << " " << block[0].GetUint64() << (block[2].GetInt() == 1 ? "+" : "-") << block[1].GetUint64();
  }
  return out.str();
}

rapidjson::Document recorded(std::string_view file) {
  std::ifstream in(WARPWALK_TEST_DATA "/" + std::string(file));
  std::stringstream text;
  text << in.rdbuf();
  rapidjson::Document json;
  json.Parse(text.str().c_str());
  return json;
}

void EventLog::memory(const MemoryChange& change) {
  static constexpr std::string_view kinds[] = {"+", "-", "S", "F"};
  changes.push_back(change);
  lines.push_back(text_of(kinds[static_cast<std::size_t>(change.kind)], change.address, change.bytes));
}

}  // namespace warpwalk::ops
