#include "instrumentation/inject/buffer_pool.h"

#include <cstdlib>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

class Pool : public ::testing::Test {
 protected:
  ~Pool() override {
    for (std::uint8_t* const buffer : taken_) std::free(buffer);
  }
  // Takes a buffer and checks that it is writable and not handed out twice.
  bool take() {
    std::uint8_t* const buffer = pool_.take();
    if (buffer == nullptr) return false;
    buffer[0] = buffer[BufferPool::buffer_bytes - 1] = 1;
    EXPECT_TRUE(taken_.insert(buffer).second) << "given out twice";
    return true;
  }

  BufferPool pool_;
  std::set<std::uint8_t*> taken_;
};

TEST_F(Pool, GivesSoManyAndThenNone) {
  for (std::size_t n = 0; n < BufferPool::max_buffers; ++n) ASSERT_TRUE(take()) << n;
  EXPECT_FALSE(take());
  pool_.refill();
  EXPECT_FALSE(take()) << "more than are allowed";
  pool_.give_back(*taken_.begin());
  taken_.erase(taken_.begin());
  EXPECT_TRUE(take());
  EXPECT_FALSE(take());
}

TEST_F(Pool, ReadyOnesCount) {
  pool_.refill();
  pool_.refill();
  std::size_t given = 0;
  while (take()) ++given;
  EXPECT_EQ(given, BufferPool::max_buffers);
}

TEST_F(Pool, OnlyItsOwnAreTakenBack) {
  std::uint8_t foreign = 0;
  pool_.give_back(&foreign);
  EXPECT_TRUE(take());
  EXPECT_FALSE(taken_.contains(&foreign));
}

TEST_F(Pool, ReleasedOnesMakeRoom) {
  pool_.refill();
  std::uint8_t* const held = pool_.take();
  pool_.release();
  std::size_t given = 0;
  while (take()) ++given;
  EXPECT_EQ(given, BufferPool::max_buffers - 1) << "CUPTI holds one";
  taken_.insert(held);
}

TEST_F(Pool, ThreadsDoNotGetTheSame) {
  std::set<std::uint8_t*> of_one, of_other;
  const auto take_some = [&](std::set<std::uint8_t*>& into) {
    for (int n = 0; n < 20; ++n) into.insert(pool_.take());
  };
  std::thread refilling([&] { pool_.refill(); });
  std::thread taking([&] { take_some(of_one); });
  take_some(of_other);
  refilling.join();
  taking.join();
  taken_.insert(of_one.begin(), of_one.end());
  taken_.insert(of_other.begin(), of_other.end());
  EXPECT_EQ(taken_.size(), 40u);
  while (take()) {
  }  // takes the remaining prepared buffers, so that they are freed
}

}  // namespace
}  // namespace warpwalk::instrumentation
