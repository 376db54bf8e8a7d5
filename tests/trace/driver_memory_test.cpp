// Driver allocations as `warpwalk record` writes them, intact and damaged.
#include "core/trace/driver_memory.h"

#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::trace {
namespace {

using Rows = std::vector<std::tuple<std::int64_t, std::uint64_t, std::int64_t, std::int64_t>>;

Rows rows_of(const std::vector<std::string>& instants) {
  std::string events;
  for (const std::string& instant : instants) events += (events.empty() ? "" : ",\n") + instant;
  const ReadResult read = read_trace_text(R"({"traceEvents": [)" + events + "]}");
  EXPECT_FALSE(read.error) << *read.error;
  Rows rows;
  for (const DriverMemory& row : read.trace.driver_memory)
    rows.emplace_back(row.time, row.address, row.bytes, row.device);
  return rows;
}

std::string instant(int time, std::string_view name, std::string_view args, std::string_view category = "cuda_memory") {
  return fmt::format(
      R"({{"ph": "i", "cat": "{}", "s": "t", "name": "{}", "pid": 1, "tid": 2, "ts": {}, "args": {{{}}}}})", category,
      name, time, args);
}
std::string args(std::uint64_t address, std::int64_t bytes, std::string_view kind = "Device", int device = 0) {
  return fmt::format(R"("Addr": {}, "Bytes": {}, "kind": "{}", "device": {}, "correlation": 7)", address, bytes, kind,
                     device);
}

TEST(DriverMemory, WhatIsTakenAndGivenBackByTime) {
  EXPECT_EQ(rows_of({instant(30, "release", args(4096, 100)), instant(10, "allocation", args(4096, 100)),
                     instant(20, "allocation", args(4096, 300, "Device", 1)),
                     instant(40, "allocation", args(4096, 50, "Array"))}),
            (Rows{{10000, 4096, 100, 0}, {20000, 4096, 300, 1}, {30000, 4096, -100, 0}, {40000, 4096, 50, 0}}));
}

TEST(DriverMemory, OtherMemoryIsNone) {
  EXPECT_EQ(rows_of({instant(1, "allocation", args(1, 2, "Pinned")), instant(1, "allocation", args(3, 2, "Managed")),
                     instant(1, "allocation", args(5, 2, "Pageable")),
                     instant(1, "allocation", args(7, 2, "Device Static"))}),
            Rows{});
}

// A pool is one allocation with its current size. Allocations from the pool are not counted.
TEST(DriverMemory, APoolIsOnePiece) {
  const auto pooled = [](int address, int bytes, int of_pool) {
    return args(static_cast<std::uint64_t>(address), bytes) +
           fmt::format(R"(, "pool": 4096, "pool bytes": {}, "pool used": 1)", of_pool);
  };
  const auto pool = [](int bytes) {
    return fmt::format(R"("Addr": 4096, "Bytes": {}, "used": 0, "device": 0)", bytes);
  };
  EXPECT_EQ(rows_of({instant(1, "pool created", pool(1000)), instant(2, "allocation", pooled(4096, 10, 1000)),
                     instant(3, "allocation", pooled(4196, 500, 2000)), instant(4, "release", pooled(4096, 10, 2000)),
                     instant(5, "pool trimmed", pool(0)), instant(6, "allocation", pooled(4096, 10, 1000)),
                     instant(7, "pool destroyed", pool(1000))}),
            (Rows{{1000, 4096, 1000, 0},
                  {3000, 4096, -1000, 0},
                  {3000, 4096, 2000, 0},
                  {5000, 4096, -2000, 0},
                  {6000, 4096, 1000, 0},
                  {7000, 4096, -1000, 0}}));
}

// An allocation that overlaps a live one shows that the live one was freed.
TEST(DriverMemory, ALostReleaseIsMadeUpFor) {
  EXPECT_EQ(rows_of({instant(1, "allocation", args(1000, 100)), instant(2, "allocation", args(1000, 50)),
                     instant(3, "release", args(1000, 50)), instant(4, "allocation", args(2000, 100)),
                     instant(5, "allocation", args(2200, 100)), instant(6, "allocation", args(2050, 200)),
                     instant(7, "allocation", args(2050, 200, "Device", 1))}),
            (Rows{{1000, 1000, 100, 0},
                  {2000, 1000, -100, 0},
                  {2000, 1000, 50, 0},
                  {3000, 1000, -50, 0},
                  {4000, 2000, 100, 0},
                  {5000, 2200, 100, 0},
                  {6000, 2000, -100, 0},
                  {6000, 2200, -100, 0},
                  {6000, 2050, 200, 0},
                  {7000, 2050, 200, 1}}));
}

TEST(DriverMemory, DamageIsPassedOver) {
  constexpr std::int64_t huge = std::int64_t{1} << 59;
  EXPECT_EQ(
      rows_of({instant(1, "release", args(1, 2)), instant(2, "allocation", args(1, 0)),
               instant(3, "allocation", args(1, -5)), instant(4, "allocation", R"("Addr": 1, "Bytes": 2)"),
               instant(5, "allocation", R"("Addr": "x", "Bytes": 2, "kind": "Device", "device": 0)"),
               instant(6, "allocation", R"("Addr": 1, "Bytes": 2, "kind": 3, "device": 0)"),
               instant(7, "allocation", args(1, 10)), instant(8, "", args(1, 10)), instant(9, "release", args(1, 9999)),
               instant(10, "release", args(1, 10)), instant(11, "allocation", args(1, 10) + R"(, "pool": 7)"),
               instant(12, "allocation", args(1, 10), "other"),
               instant(13, "allocation", args(1, std::int64_t{1} << 61)), instant(14, "allocation", args(1, huge)),
               instant(15, "allocation", args(huge + 1, huge)), instant(16, "allocation", args(3 * huge, huge))}),
      (Rows{{7000, 1, 10, 0}, {9000, 1, -10, 0}, {14000, 1, huge, 0}, {15000, huge + 1, huge, 0}}));
}

}  // namespace
}  // namespace warpwalk::trace
