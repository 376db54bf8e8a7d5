// Compares with a recorded history of PyTorch's allocator (record_allocator.py): every block, every driver call and all
// totals.
#include "core/ops/dispatch/caching_allocator.h"

#include <limits>
#include <random>
#include <set>
#include <string>
#include <unordered_map>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "core/ops/tensor/error.h"
#include "tests/ops/allocator_record.h"

namespace warpwalk::ops {
namespace {

/// Replays the driver's answers recorded on a GPU: the recorded addresses in order, up to the memory limit.
class RecordedSource : public SegmentSource {
 public:
  RecordedSource(std::vector<std::uint64_t> addresses, std::uint64_t limit)
      : addresses_(std::move(addresses)), limit_(limit) {}
  std::optional<std::uint64_t> allocate(std::uint64_t bytes) override {
    if (limit_ != 0 && held_ + bytes > limit_) return {};
    if (next_ == addresses_.size()) return {};
    held_ += bytes;
    return addresses_[next_++];
  }
  void free(std::uint64_t, std::uint64_t bytes) override { held_ -= bytes; }
  std::uint64_t held() const { return held_; }

 private:
  std::vector<std::uint64_t> addresses_;
  std::size_t next_ = 0;
  std::uint64_t limit_ = 0, held_ = 0;
};

void replay_scenario(const rapidjson::Value& scenario) {
  std::vector<std::uint64_t> segment_addresses;
  std::vector<std::string> want;
  for (const auto& event : scenario["events"].GetArray()) {
    want.push_back(text_of(event[0].GetString(), address_of(event[1]), event[2].GetUint64()));
    if (event[0] == "S") segment_addresses.push_back(address_of(event[1]));
  }
  RecordedSource source(segment_addresses, scenario["limit"].GetUint64());
  EventLog log;
  CachingAllocator allocator(source, &log);
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
    const rapidjson::Value& totals = scenario["totals"][i];
    ASSERT_EQ(allocator.allocated(), totals[0].GetUint64() * recorded_unit) << "step " << i;
    ASSERT_EQ(allocator.reserved(), totals[1].GetUint64() * recorded_unit) << "step " << i;
    ASSERT_EQ(source.held(), allocator.reserved());
    if (const auto state = scenario["states"].FindMember(std::to_string(i).c_str());
        state != scenario["states"].MemberEnd()) {
      ASSERT_EQ(state_text(allocator.segments()), state_text(state->value)) << "step " << i;
      ++states;
    }
  }
  EXPECT_EQ(states, scenario["states"].MemberCount());
  EXPECT_EQ(log.lines, want);
  EXPECT_EQ(failed, want_failed);
}

TEST(CachingAllocator, DoesWhatPyTorchsDidOnAnH200) {
  const rapidjson::Document json = recorded("allocator.json");
  ASSERT_FALSE(json.HasParseError());
  ASSERT_EQ(json["scenarios"].Size(), 6u);
  std::size_t failed = 0, given_back = 0;
  for (const auto& scenario : json["scenarios"].GetArray()) {
    SCOPED_TRACE(scenario["name"].GetString());
    replay_scenario(scenario);
    failed += scenario["failed"].Size();
    for (const auto& event : scenario["events"].GetArray()) given_back += event[0] == "F";
  }
  EXPECT_GT(failed, 10u) << "the record should hold requests that were refused";
  EXPECT_GT(given_back, 10u) << "and segments that went back";
}

/// A driver with limited memory. It returns increasing addresses and never reuses one.
class CountingSource : public SegmentSource {
 public:
  explicit CountingSource(std::uint64_t capacity) : capacity_(capacity) {}
  std::optional<std::uint64_t> allocate(std::uint64_t bytes) override {
    if (bytes > capacity_ - held_) return {};
    held_ += bytes;
    const std::uint64_t address = next_;
    next_ += bytes;
    sizes_[address] = bytes;
    return address;
  }
  void free(std::uint64_t address, std::uint64_t bytes) override {
    ASSERT_EQ(sizes_.at(address), bytes);
    sizes_.erase(address);
    held_ -= bytes;
  }
  std::uint64_t held() const { return held_; }

 private:
  std::uint64_t capacity_, held_ = 0, next_ = base;
  std::map<std::uint64_t, std::uint64_t> sizes_;
};

TEST(CachingAllocator, TellsEveryChangeWithItsSums) {
  CountingSource source(100 * mib);
  EventLog log;
  CachingAllocator allocator(source, &log);
  const std::uint64_t a = allocator.allocate(1000);
  allocator.free(a);
  allocator.empty_cache();
  ASSERT_EQ(log.changes.size(), 4u);
  const MemoryChange& made = log.changes[1];
  EXPECT_EQ(made.kind, MemoryChange::Kind::allocate);
  EXPECT_EQ(made.bytes, 1000u);
  EXPECT_EQ(made.rounded_bytes, 1024u);
  EXPECT_EQ(made.segment, a);
  EXPECT_EQ(made.segment_bytes, 2 * mib);
  EXPECT_EQ(made.allocated, 1024u);
  EXPECT_EQ(made.reserved, 2 * mib);
  const MemoryChange& freed = log.changes[2];
  EXPECT_EQ(freed.kind, MemoryChange::Kind::free);
  EXPECT_EQ(freed.bytes, 1000u);
  EXPECT_EQ(freed.allocated, 0u);
  EXPECT_EQ(freed.reserved, 2 * mib);
  EXPECT_EQ(log.changes[0].kind, MemoryChange::Kind::segment_allocate);
  EXPECT_EQ(log.changes[0].reserved, 2 * mib);
  EXPECT_EQ(log.changes[3].kind, MemoryChange::Kind::segment_free);
  EXPECT_EQ(log.changes[3].reserved, 0u);
  EXPECT_EQ(allocator.peak_allocated(), 1024u);
  EXPECT_EQ(allocator.peak_reserved(), 2 * mib);
}

// The boundary cases of PyTorch's get_allocation_size, each on an empty cache.
TEST(CachingAllocator, SegmentsByTheSizeOfTheFirstRequest) {
  struct Case {
    std::uint64_t bytes, segment;
  };
  for (const Case& c : {Case{1, 2 * mib},
                        {mib, 2 * mib},
                        {mib + 1, 20 * mib},
                        {10 * mib - 512, 20 * mib},
                        {10 * mib - 511, 10 * mib},
                        {10 * mib, 10 * mib},
                        {10 * mib + 1, 12 * mib},
                        {20 * mib, 20 * mib},
                        {21 * mib, 22 * mib}}) {
    CountingSource source(100 * mib);
    CachingAllocator allocator(source, nullptr);
    allocator.allocate(c.bytes);
    EXPECT_EQ(allocator.reserved(), c.segment) << c.bytes;
    EXPECT_EQ(allocator.segments()[0].small, c.segment == 2 * mib);
  }
}

TEST(CachingAllocator, NothingIsHeldForNoBytes) {
  CountingSource source(mib);  // smaller than any segment
  CachingAllocator allocator(source, nullptr);
  EXPECT_EQ(allocator.allocate(0), 0u);
  allocator.free(0);
  EXPECT_EQ(source.held(), 0u);
}

TEST(CachingAllocator, SaysWhatIsHeldWhenThereIsNoRoom) {
  CountingSource source(22 * mib);
  CachingAllocator allocator(source, nullptr);
  allocator.allocate(1);
  for (const std::uint64_t bytes : {21 * mib, std::uint64_t{1} << 60, std::numeric_limits<std::uint64_t>::max()}) {
    try {
      allocator.allocate(bytes);
      ADD_FAILURE() << bytes;
    } catch (const OpError& error) {
      const std::string line = error.what();
      EXPECT_THAT(line, ::testing::HasSubstr(std::to_string(bytes) + " B requested"));
      EXPECT_THAT(line,
                  ::testing::HasSubstr("tensors hold 512 B, " + std::to_string(2 * mib - 512) + " B more are cached"));
    }
  }
  EXPECT_NE(allocator.allocate(5 * mib), 0u) << "what fits is still given";
}

TEST(CachingAllocator, FreeingWhatIsNoBlockIsRefused) {
  CountingSource source(100 * mib);
  CachingAllocator allocator(source, nullptr);
  const std::uint64_t a = allocator.allocate(2048);
  EXPECT_THROW(allocator.free(a + 512), OpError);
  allocator.free(a);
  EXPECT_THROW(allocator.free(a), OpError);
  EXPECT_EQ(allocator.allocated(), 0u);
}

TEST(CachingAllocator, SegmentsGoBackWithIt) {
  CountingSource source(100 * mib);
  {
    CachingAllocator allocator(source, nullptr);
    allocator.allocate(5);
    allocator.allocate(30 * mib);
  }
  EXPECT_EQ(source.held(), 0u);
}

TEST(CachingAllocator, BlocksNeverOverlapAndAllIsCounted) {
  CountingSource source(300 * mib);
  CachingAllocator allocator(source, nullptr);
  std::mt19937_64 random(7);
  std::map<std::uint64_t, std::uint64_t> live;  // address, bytes
  for (int i = 0; i < 4000; ++i) {
    if (!live.empty() && random() % 2 == 0) {
      const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      allocator.free(victim->first);
      live.erase(victim);
    } else {
      const std::uint64_t bytes = 1 + random() % (std::uint64_t{1} << (1 + random() % 24));
      try {
        live[allocator.allocate(bytes)] = bytes;
      } catch (const OpError&) {
        allocator.empty_cache();
      }
    }
    std::uint64_t end = 0, in_use = 0, reserved = 0;
    std::size_t blocks = 0;
    for (const auto& segment : allocator.segments()) {
      bool free_before = false;
      ASSERT_GE(segment.address, end);
      end = segment.address;
      for (const auto& block : segment.blocks) {
        ASSERT_EQ(block.address, end);
        end += block.bytes;
        ASSERT_FALSE(free_before && !block.in_use) << "free neighbours are joined";
        free_before = !block.in_use;
        if (!block.in_use) continue;
        ASSERT_EQ(live.at(block.address), block.requested);
        ASSERT_GE(block.bytes, block.requested);
        in_use += block.bytes;
        ++blocks;
      }
      ASSERT_EQ(end, segment.address + segment.bytes);
      reserved += segment.bytes;
    }
    ASSERT_EQ(blocks, live.size());
    ASSERT_EQ(in_use, allocator.allocated());
    ASSERT_EQ(reserved, allocator.reserved());
    ASSERT_EQ(reserved, source.held());
  }
}

}  // namespace
}  // namespace warpwalk::ops
