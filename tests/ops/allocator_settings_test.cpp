// Compares the allocator under PyTorch's settings with recorded histories (allocator/record_settings.py): every block,
// every call of the driver, every mapped range, and all totals.
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/ops/dispatch/caching_allocator.h"
#include "core/ops/tensor/error.h"
#include "tests/ops/allocator_record.h"

namespace warpwalk::ops {
namespace {

/// Gives the addresses that were recorded. The allocator's requests are compared through its reports.
class RecordedAddresses : public SegmentSource {
 public:
  explicit RecordedAddresses(const rapidjson::Value& events) {
    for (const auto& event : events.GetArray()) {
      const std::uint64_t address = address_of(event[1]);
      if (event[0] == "S") segments_.push_back(address);
      if (event[0] != "M") continue;
      bool known = false;
      for (const std::uint64_t region : regions_) known = known || (address >= region && address - region < reach);
      if (!known) regions_.push_back(address);
    }
  }
  std::optional<std::uint64_t> allocate(std::uint64_t) override {
    if (next_ == segments_.size()) return {};
    return segments_[next_++];
  }
  void free(std::uint64_t, std::uint64_t) override {}
  std::optional<std::pair<std::uint64_t, std::uint64_t>> reserve_addresses() override {
    if (next_region_ == regions_.size()) return {};
    return std::pair(regions_[next_region_++], reach);
  }
  bool map(std::uint64_t, std::uint64_t) override { return true; }
  std::size_t unused() const { return segments_.size() - next_ + regions_.size() - next_region_; }

 private:
  static constexpr std::uint64_t reach = std::uint64_t{1} << 36;
  std::vector<std::uint64_t> segments_, regions_;
  std::size_t next_ = 0, next_region_ = 0;
};

AllocatorSettings settings_of(const std::string& text, std::uint64_t limit) {
  AllocatorSettings settings;
  if (limit != 0) settings.limit = limit;
  const std::string value = text.substr(text.find(':') + 1);
  if (text.starts_with("max_split_size_mb")) settings.max_split = std::stoull(value) * mib;
  if (text.starts_with("roundup_power2_divisions")) settings.round_up_divisions = std::stoull(value);
  if (text.starts_with("garbage_collection_threshold")) settings.collect_from = std::stod(value);
  if (text.starts_with("expandable_segments")) settings.expandable = true;
  return settings;
}

std::size_t replay_settings(const rapidjson::Value& scenario) {
  std::vector<std::string> want;
  for (const auto& event : scenario["events"].GetArray()) {
    const std::string_view kind = event[0].GetString();
    want.push_back(text_of(kind == "M" ? "S" : kind == "U" ? "F" : kind, address_of(event[1]), event[2].GetUint64()));
  }
  RecordedAddresses source(scenario["events"]);
  EventLog log;
  CachingAllocator allocator(source, &log,
                             settings_of(scenario["settings"].GetString(), scenario["limit"].GetUint64()));
  std::unordered_map<std::uint64_t, std::uint64_t> live;
  std::set<std::uint64_t> failed, want_failed;
  for (const auto& identity : scenario["failed"].GetArray()) want_failed.insert(identity.GetUint64());
  std::size_t states = 0;
  for (rapidjson::SizeType i = 0; i < scenario["steps"].Size(); ++i) {
    const rapidjson::Value& action = scenario["steps"][i];
    if (action.Empty()) {
      allocator.empty_cache();
    } else if (action.Size() == 1) {
      allocator.free(live.at(action[0].GetUint64()));
    } else {
      try {
        live[action[0].GetUint64()] = allocator.allocate(action[1].GetUint64());
      } catch (const OpError&) {
        failed.insert(action[0].GetUint64());
      }
    }
    EXPECT_EQ(allocator.allocated(), scenario["totals"][i][0].GetUint64() * recorded_unit) << "step " << i;
    EXPECT_EQ(allocator.reserved(), scenario["totals"][i][1].GetUint64() * recorded_unit) << "step " << i;
    EXPECT_EQ(allocator.inactive_split(), scenario["inactive"][i].GetUint64() * recorded_unit) << "step " << i;
    if (testing::Test::HasFailure()) break;
    if (const auto state = scenario["states"].FindMember(std::to_string(i).c_str());
        state != scenario["states"].MemberEnd()) {
      EXPECT_EQ(state_text(allocator.segments()), state_text(state->value)) << "step " << i;
      ++states;
    }
  }
  if (testing::Test::HasFailure()) return states;
  EXPECT_EQ(states, scenario["states"].MemberCount());
  EXPECT_EQ(log.lines, want);
  EXPECT_EQ(failed, want_failed);
  EXPECT_EQ(source.unused(), 0u);
  return states;
}

TEST(AllocatorSettings, DoWhatPyTorchDidOnAnH200) {
  const rapidjson::Document json = recorded("allocator_settings.json");
  ASSERT_FALSE(json.HasParseError());
  ASSERT_EQ(json["scenarios"].Size(), 9u);
  std::map<std::string, std::size_t> kinds;
  for (const auto& scenario : json["scenarios"].GetArray()) {
    SCOPED_TRACE(scenario["name"].GetString());
    EXPECT_GE(replay_settings(scenario), 5u);
    for (const auto& event : scenario["events"].GetArray()) ++kinds[event[0].GetString()];
    if (HasFailure()) return;
  }
  // The record must reach what the settings change.
  EXPECT_GT(kinds["F"], 20u);
  EXPECT_GT(kinds["M"], 20u);
  EXPECT_GT(kinds["U"], 10u);
}

// By hand, from the documentation of roundup_power2_divisions: 1,200 MiB with 4 divisions becomes 1,280 MiB.
TEST(AllocatorSettings, RoundingByPartsOfAPowerOfTwo) {
  AllocatorSettings settings;
  settings.round_up_divisions = 4;
  EXPECT_EQ(CachingAllocator::rounded(1200 * mib, settings), 1280 * mib);
  EXPECT_EQ(CachingAllocator::rounded(1024 * mib, settings), 1024 * mib);
  EXPECT_EQ(CachingAllocator::rounded(1, settings), 512u);
  EXPECT_EQ(CachingAllocator::rounded(2048, settings), 2048u);
  EXPECT_EQ(CachingAllocator::rounded(2049, settings), 2560u);
}

}  // namespace
}  // namespace warpwalk::ops
