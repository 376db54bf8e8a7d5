#include "instrumentation/row_codec.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::instrumentation {
namespace {

// Fills every member with its own random value, of varying magnitude.
class Filler {
 public:
  explicit Filler(unsigned seed) : random_(seed) {}
  void number(std::uint64_t& value) { value = bits(); }
  void number(std::uint32_t& value) { value = static_cast<std::uint32_t>(bits()); }
  void number(std::int32_t& value) { value = static_cast<std::int32_t>(bits()); }
  void at(std::uint64_t& time) { time = bits(); }
  void after(std::uint64_t& time, std::uint64_t) { time = bits(); }
  void next(std::uint32_t& value) { value = static_cast<std::uint32_t>(bits()); }
  void text(std::string_view& value) {
    static const std::string letters(200, 'x');
    value = std::string_view(letters).substr(0, random_() % 200);
  }

 private:
  std::uint64_t bits() { return random_() >> (random_() % 64); }
  std::mt19937_64 random_;
};

// Prints all members of a row as text.
class Teller {
 public:
  void number(std::uint64_t value) { out += std::to_string(value) + " "; }
  void number(std::int32_t value) { out += std::to_string(value) + " "; }
  void number(std::uint32_t value) { out += std::to_string(value) + " "; }
  void at(std::uint64_t value) { number(value); }
  void after(std::uint64_t value, std::uint64_t) { number(value); }
  void next(std::uint32_t value) { number(value); }
  void text(std::string_view value) { out += std::string(value) + "|"; }
  std::string out;
};

std::string text_of(const Row& row) {
  Teller teller;
  teller.out = std::to_string(row.index()) + ": ";
  std::visit([&](const auto& r) { std::decay_t<decltype(r)>::layout(teller, r); }, row);
  return teller.out;
}

template <std::size_t... Index>
std::vector<Row> one_of_each(unsigned seed, std::index_sequence<Index...>) {
  std::vector<Row> rows{Row(std::in_place_index<Index>)...};
  Filler filler(seed);
  for (Row& row : rows) std::visit([&](auto& r) { std::decay_t<decltype(r)>::layout(filler, r); }, row);
  return rows;
}
std::vector<Row> one_of_each(unsigned seed) {
  return one_of_each(seed, std::make_index_sequence<std::variant_size_v<Row>>{});
}

std::string payload_of(const std::vector<Row>& rows) {
  FrameEncoder encoder;
  for (const Row& row : rows) encoder.add(row);
  return std::string(encoder.frame().substr(frame_header_bytes));
}

TEST(RowCodec, EveryRowComesBackAsItWas) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::vector<Row> rows = one_of_each(seed);
    const std::vector<Row> more = one_of_each(seed + 1000);
    rows.insert(rows.end(), more.begin(), more.end());
    const std::string payload = payload_of(rows);
    FrameDecoder decoder(payload);
    for (const Row& row : rows) {
      const auto back = decoder.next();
      ASSERT_TRUE(back) << seed << ' ' << text_of(row);
      EXPECT_EQ(text_of(*back), text_of(row)) << seed;
    }
    EXPECT_FALSE(decoder.next());
    EXPECT_FALSE(decoder.damaged());
  }
}

TEST(RowCodec, ATypicalKernelTakesFewBytes) {
  FrameEncoder encoder;
  KernelRow kernel;
  kernel.start = 1'700'000'000'000'000'000;
  kernel.end = kernel.start + 1500;
  kernel.queued = kernel.start - 4000;
  kernel.submitted = kernel.start - 600;
  kernel.grid = {1024, 1, 1};
  kernel.block = {256, 1, 1};
  kernel.name = 1;
  kernel.correlation = 5000;
  encoder.add(kernel);
  const std::size_t first = encoder.bytes();
  kernel.start += 5000, kernel.end += 5000, kernel.queued += 5000, kernel.submitted += 5000, kernel.correlation += 1;
  encoder.add(kernel);
  EXPECT_LE(encoder.bytes() - first, 36u);
}

TEST(RowCodec, LongTextsAreCutOff) {
  const std::string text(max_text_bytes + 500, 'a');
  const std::string payload = payload_of({Row(Name{3, text})});
  FrameDecoder decoder(payload);
  const auto back = decoder.next();
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<Name>(*back).text, text.substr(0, max_text_bytes));
}

TEST(RowCodec, CutOffAnywhereItGivesTheRowsBefore) {
  const std::vector<Row> rows = one_of_each(7);
  const std::string payload = payload_of(rows);
  for (std::size_t cut = 0; cut < payload.size(); ++cut) {
    const std::string part = payload.substr(0, cut);
    FrameDecoder decoder(part);
    std::size_t n = 0;
    while (const auto row = decoder.next()) {
      ASSERT_LT(n, rows.size());
      EXPECT_EQ(text_of(*row), text_of(rows[n]));
      ++n;
    }
    EXPECT_LT(n, rows.size());
  }
}

TEST(RowCodec, DamageIsNoticedOrReadAndNeverMore) {
  const std::string payload = payload_of(one_of_each(11));
  std::mt19937 random(5);
  std::size_t noticed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = payload;
    for (int n = 0; n < 3; ++n) damaged[random() % damaged.size()] = static_cast<char>(random());
    FrameDecoder decoder(damaged);
    std::size_t rows = 0;
    while (decoder.next()) ++rows;
    EXPECT_LE(rows, damaged.size());
    noticed += decoder.damaged();
  }
  EXPECT_GT(noticed, 300u);
}

}  // namespace
}  // namespace warpwalk::instrumentation
