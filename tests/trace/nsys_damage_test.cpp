// Databases that are damaged, locked, hostile, or of another program.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "tests/trace/nsys_database.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using ::testing::HasSubstr;

NsysRead read_nsys_file(const std::filesystem::path& file) {
  NsysRead read;
  read.result = nsys::read_nsys(file, {}, read.trace, read.problems);
  return read;
}

using Connection = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
Connection connect(const std::filesystem::path& file) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
  return {handle, &sqlite3_close};
}
void execute(const Connection& connection, const char* sql) {
  EXPECT_EQ(sqlite3_exec(connection.get(), sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
}

std::vector<std::pair<std::string, std::string>> contents(const TemporaryFolder& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files.emplace_back(entry.path().filename().string(), read_file(entry.path()));
  std::ranges::sort(files);
  return files;
}

// A database with enough rows for several pages in each table.
NsysDatabase many_rows() {
  NsysDatabase database = two_processes();
  database.run("BEGIN");
  for (int i = 0; i < 100; ++i) {
    database.range(59, global_id(100, 101), 10000 + i * 100, 10090 + i * 100,
                   fmt::format("aten::op{}, seq = {}", i, i));
    database.call(global_id(100, 101), 10000 + i * 100, 10050 + i * 100, "cudaLaunchKernel_v7000", 100 + i);
    database.kernel(global_id(100), 0, 7 + i % 3, 20000 + i * 10, 20005 + i * 10, fmt::format("kernel{}", i % 7),
                    100 + i);
  }
  database.run("COMMIT");
  return database;
}

TEST(NsysDamage, IsRecognisedByItsFirstBytes) {
  EXPECT_TRUE(nsys::is_sqlite(two_processes().bytes()));
  EXPECT_FALSE(nsys::is_sqlite("SQLite format 3"));
  EXPECT_FALSE(nsys::is_sqlite("{\"traceEvents\": []}"));
  EXPECT_FALSE(nsys::is_sqlite(""));
}

TEST(NsysDamage, FilesAreReadAndNothingIsWritten) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "50% of a run? #1.sqlite";
  write_file(file, two_processes().bytes());
  const auto before = contents(folder);
  const NsysRead read = read_nsys_file(file);
  ASSERT_FALSE(read.result.error) << *read.result.error;
  EXPECT_EQ(read.result.events, 6u);
  EXPECT_EQ(read.result.bytes, std::filesystem::file_size(file));
  EXPECT_TRUE(contents(folder) == before);
}

TEST(NsysDamage, AWriteAheadLogIsReadWithoutWriting) {
  const TemporaryFolder folder;
  write_file(folder / "live.sqlite", two_processes().bytes());
  const Connection writer = connect(folder / "live.sqlite");
  execute(writer,
          "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; "
          "UPDATE StringIds SET value = 'renamed' WHERE value = 'softmax'");
  // Copies, because connections of one process share the index of the log.
  for (const char* ending : {"", "-wal", "-shm"}) {
    const std::string bytes = read_file(folder / (std::string("live.sqlite") + ending));
    write_file(folder / (std::string("whole.sqlite") + ending), bytes);
    if (ending != std::string("-shm")) write_file(folder / (std::string("part.sqlite") + ending), bytes);
  }
  const auto before = contents(folder);
  const NsysRead whole = read_nsys_file(folder / "whole.sqlite");
  EXPECT_NE(whole.find("renamed"), no_slice);
  EXPECT_TRUE(whole.problems.rows().empty());
  const NsysRead part = read_nsys_file(folder / "part.sqlite");
  EXPECT_NE(part.find("softmax"), no_slice);
  EXPECT_THAT(part.problem(ProblemKind::truncated), HasSubstr("part.sqlite-wal"));
  EXPECT_TRUE(contents(folder) == before);
}

TEST(NsysDamage, ALogThatWasWrittenBackNeedsNoIndex) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "closed.sqlite";
  write_file(file, two_processes().bytes());
  execute(connect(file), "PRAGMA journal_mode = wal; UPDATE StringIds SET value = 'renamed' WHERE value = 'softmax'");
  const auto before = contents(folder);
  ASSERT_EQ(before.size(), 1u);
  EXPECT_NE(read_nsys_file(file).find("renamed"), no_slice);
  EXPECT_TRUE(contents(folder) == before);
}

TEST(NsysDamage, LockedAndUnfinishedFiles) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "locked.sqlite", copy = folder / "copy.sqlite";
  write_file(file, many_rows().bytes());
  const Connection writer = connect(file);
  execute(writer, "PRAGMA cache_size = 1; BEGIN EXCLUSIVE; UPDATE StringIds SET value = value || '!'");
  EXPECT_THAT(read_nsys_file(file).result.error.value_or(""), HasSubstr("locked by another program"));
  // As after a crash: the journal is there, and nobody holds a lock.
  write_file(copy, read_file(file));
  write_file(folder / "copy.sqlite-journal", read_file(folder / "locked.sqlite-journal"));
  const auto before = contents(folder);
  EXPECT_THAT(read_nsys_file(copy).result.error.value_or(""), HasSubstr("did not finish"));
  EXPECT_TRUE(contents(folder) == before);
  execute(writer, "ROLLBACK");
}

TEST(NsysDamage, CutOffFiles) {
  const std::string bytes = many_rows().bytes();
  for (const std::size_t size :
       {std::size_t{16}, std::size_t{99}, std::size_t{100}, std::size_t{511}, bytes.size() / 2, bytes.size() - 1}) {
    const NsysRead read = read_database(bytes.substr(0, size));
    EXPECT_THAT(read.result.error.value_or(""), HasSubstr("cut off")) << size;
    EXPECT_THAT(read.result.error.value_or(""), HasSubstr(std::to_string(size))) << size;
    EXPECT_EQ(read.result.error.value_or("\n").find('\n'), std::string::npos);
  }
  const TemporaryFolder folder;
  write_file(folder / "cut.sqlite", bytes.substr(0, 1000));
  EXPECT_THAT(read_nsys_file(folder / "cut.sqlite").result.error.value_or(""), HasSubstr("cut off"));
}

TEST(NsysDamage, PipesAndMissingFiles) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(read_nsys_file(folder / "pipe").result.error.value_or(""), HasSubstr("write the database to a file"));
  EXPECT_TRUE(read_nsys_file(folder / "missing").result.error);
}

TEST(NsysDamage, DatabasesOfOtherPrograms) {
  const auto error_of = [](NsysDatabase& database, const char* sql) {
    database.run(sql);
    return read_database(database).result.error.value_or("");
  };
  NsysDatabase empty;
  EXPECT_THAT(error_of(empty, ""), HasSubstr("without CUDA or NVTX events"));
  NsysDatabase no_tables;
  std::string drop;
  for (const char* table : {"RUNTIME", "KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE", "SYNCHRONIZATION"})
    drop += fmt::format("DROP TABLE CUPTI_ACTIVITY_KIND_{};", table);
  EXPECT_THAT(error_of(no_tables, (drop + "DROP TABLE NVTX_EVENTS").c_str()), HasSubstr("nsys profile --trace=cuda"));
  EXPECT_THAT(error_of(no_tables, "DROP TABLE StringIds; DROP TABLE META_DATA_EXPORT"),
              HasSubstr("without the tables of Nsight Systems"));
  EXPECT_THAT(error_of(no_tables, "CREATE TABLE StringTable (_id_ INTEGER, value TEXT)"), HasSubstr("nvprof"));
  // A view is not a table: what it runs is not known.
  NsysDatabase view;
  view.run(drop + "DROP TABLE NVTX_EVENTS");
  EXPECT_TRUE(read_database(view).result.error);
  view.run(
      "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start FROM n) "
      "SELECT start FROM n");
  EXPECT_TRUE(read_database(view).result.error);
  NsysDatabase beside = two_processes();
  beside.run(
      "DROP TABLE ThreadNames; CREATE VIEW ThreadNames AS WITH RECURSIVE n(globalTid) AS (SELECT 1 UNION ALL "
      "SELECT globalTid FROM n) SELECT globalTid, 1 AS nameId FROM n");
  EXPECT_EQ(read_database(beside).result.events, 6u);
}

TEST(NsysDamage, TextsThatAreNotUtf8) {
  NsysDatabase database;
  database.kernel(global_id(1), 0, 7, 1, 2, "bad \xff\\n \xc3 name", 1);
  const NsysRead read = read_database(database);
  EXPECT_NE(read.find("bad \xef\xbf\xbd\\n \xef\xbf\xbd name"), no_slice);
  EXPECT_THAT(read.problem(ProblemKind::invalid_utf8), HasSubstr("not UTF-8"));
}

TEST(NsysDamage, TimesThatCannotBe) {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max(), min = -max;
  NsysDatabase database;
  database.kernel(1, 0, 7, -500, -400, "before the start", 1);
  database.kernel(1, 0, 7, 900, 800, "ends first", 1);
  database.kernel(1, 0, 7, 10, max, "never ends", 1);
  database.kernel(1, 0, 7, max, max, "too late", 1);
  database.kernel(1, 0, 7, min, 5, "too early", 1);
  database.kernel(1, 0, 7, 0, 0, "untimed", 1);
  const NsysRead read = read_database(database);
  EXPECT_EQ(read.result.events, 6u);
  EXPECT_EQ(read.trace.slices.size(), 4u);
  EXPECT_EQ(read.trace.slices.start[read.find("before the start")], -500);
  EXPECT_EQ(read.trace.slices.duration[read.find("before the start")], 100);
  EXPECT_EQ(read.trace.slices.duration[read.find("ends first")], 0);
  EXPECT_EQ(read.trace.slices.duration[read.find("never ends")], 0);
  EXPECT_EQ(read.problems.count_of(ProblemKind::time_out_of_range), 4u);
  EXPECT_THAT(read.problem(ProblemKind::time_out_of_range), HasSubstr("row 2 of CUPTI_ACTIVITY_KIND_KERNEL"));
  EXPECT_EQ(read.problems.count_of(ProblemKind::untimed), 1u);
}

TEST(NsysDamage, ValuesThatCannotBe) {
  NsysDatabase database;
  database.call(global_id(1, 2), 0, 10, "cudaLaunchKernel_v7000", -7);
  database.kernel(global_id(1), -3, -9, 20, 30, "odd", 1LL << 40);
  database.run(
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridY = 0, registersPerThread = -1, "
      "staticSharedMemory = 9223372036854775807, contextId = 'one', demangledName = 999, shortName = 998");
  database.run("INSERT INTO NVTX_EVENTS (start, eventType, text) VALUES (50, 59, 'open')");
  const NsysRead read = read_database(database);
  const KernelDetail& kernel = read.trace.kernels[0];
  EXPECT_EQ(kernel.grid, (std::array<std::int32_t, 3>{}));
  EXPECT_EQ(kernel.block[0], 128);
  EXPECT_EQ(kernel.registers, absent);
  EXPECT_EQ(kernel.shared_bytes, absent);
  EXPECT_EQ(kernel.context, absent);
  EXPECT_EQ(kernel.correlation, absent);
  EXPECT_EQ(kernel.launch, no_slice);
  EXPECT_THAT(read.problem(ProblemKind::bad_shape), HasSubstr("grid"));
  EXPECT_THAT(read.problem(ProblemKind::missing_field), HasSubstr("StringIds"));
  EXPECT_EQ(read.trace.slices.duration[read.find("open")], 0);
}

TEST(NsysDamage, StopsAtTheMemoryCapAndWhenCancelled) {
  NsysDatabase database = two_processes();
  database.run(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i, i + 1, 0, 1, i, 1, 0, NULL FROM n");
  const std::string bytes = database.bytes();
  nsys::Options options;
  options.memory_cap_bytes = 1000;
  const NsysRead capped = read_database(bytes, options);
  EXPECT_TRUE(capped.result.stopped);
  EXPECT_LT(capped.result.events, 5000u);
  EXPECT_EQ(capped.trace.slices.size(), capped.result.events);
  EXPECT_THAT(capped.problem(ProblemKind::memory_cap), HasSubstr("CUPTI_ACTIVITY_KIND_RUNTIME"));
  nsys::Options cancels;
  std::uint64_t calls = 0, share = 0;
  cancels.go_on = [&](const nsys::Progress& progress) {
    EXPECT_LE(progress.bytes_read, progress.bytes_total);
    EXPECT_GE(progress.bytes_read, share);
    share = progress.bytes_read;
    return ++calls < 2;
  };
  const NsysRead cancelled = read_database(bytes, cancels);
  EXPECT_EQ(calls, 2u);
  EXPECT_TRUE(cancelled.result.stopped);
  EXPECT_EQ(cancelled.result.events, 8191u);
  EXPECT_GT(cancelled.problems.count_of(ProblemKind::cancelled), 0u);
}

TEST(NsysDamage, OneBrokenTableDoesNotTakeTheOthersAlong) {
  const std::string bytes = many_rows().bytes();
  const NsysRead whole = read_database(bytes);
  std::size_t damaged = 0, lost_rows = 0;
  for (std::size_t page = 512; page < bytes.size(); page += 512) {
    std::string broken = bytes;
    std::fill_n(broken.begin() + static_cast<std::ptrdiff_t>(page), 512, '\xa5');
    const NsysRead read = read_database(broken);
    if (read.result.error || read.problems.count_of(ProblemKind::lost_event) == 0) continue;
    ++damaged;
    EXPECT_LE(read.trace.slices.size(), whole.trace.slices.size());
    lost_rows += read.trace.slices.size() < whole.trace.slices.size() ? 1 : 0;
    EXPECT_THAT(read.problem(ProblemKind::lost_event), HasSubstr("is damaged after"));
  }
  // The others are the pages of tables without rows.
  EXPECT_GT(lost_rows, 20u);
  EXPECT_LT(damaged - lost_rows, 10u);
}

TEST(NsysDamage, NoFlippedByteCrashes) {
  const std::string bytes = many_rows().bytes();
  std::mt19937 random(7);
  const auto any = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int round = 0; round < 200; ++round) {
    std::string broken = bytes;
    const std::size_t flips = 1 + any(8);
    for (std::size_t i = 0; i < flips; ++i) {
      // Half of them in the first pages: the header, the schema, and the roots of the tables.
      const std::size_t at = 16 + any((round % 2 == 0 ? 8192 : broken.size()) - 16);
      broken[at] = static_cast<char>(broken[at] ^ static_cast<char>(1 + any(255)));
    }
    const NsysRead read = read_database(broken);
    EXPECT_EQ(read.result.events == 0, read.result.error.has_value()) << round;
    EXPECT_EQ(read.result.error.value_or("").find('\n'), std::string::npos) << round;
    for (SliceId s = 0; s < read.trace.slices.size(); ++s) {
      ASSERT_LT(read.trace.slices.track[s], read.trace.tracks.size()) << round;
      ASSERT_GE(read.trace.slices.duration[s], 0) << round;
    }
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
