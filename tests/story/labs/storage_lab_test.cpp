// The lab "storage": its schedule against a simulation by unit steps, blocks against a count of each byte's block, and
// its figures against arithmetic by hand.
#include <deque>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/labs/storage/schedule.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

constexpr const char* storage_scene = "lab/storage";

// One place where chunks are served: so many at a time, in the order in which they came.
struct Desk {
  int servers = 1;
  int length = 0;
  std::deque<int> waiting = {};
  std::deque<std::pair<int, int>> served = {};  // chunk, time left
};

// Time by time: chunks of equal size go from desk to desk; `depth` of them are under way at once. Returns the time at
// which each chunk has left the last desk.
std::vector<int> chunk_times(int chunks, int depth, std::vector<Desk> desks) {
  std::vector<int> left(static_cast<std::size_t>(chunks), -1);
  int begun = 0, ended = 0;
  for (int now = 0; ended < chunks; ++now) {
    for (bool moved = true; moved;) {
      moved = false;
      while (begun < chunks && begun - ended < depth) desks[0].waiting.push_back(begun++), moved = true;
      for (std::size_t at = 0; at < desks.size(); ++at) {
        Desk& desk = desks[at];
        std::deque<std::pair<int, int>> still;
        for (const auto& [chunk, time] : desk.served) {
          if (time > 0) {
            still.emplace_back(chunk, time);
            continue;
          }
          moved = true;
          if (at + 1 < desks.size()) {
            desks[at + 1].waiting.push_back(chunk);
          } else {
            left[static_cast<std::size_t>(chunk)] = now;
            ++ended;
          }
        }
        desk.served = still;
        while (!desk.waiting.empty() && static_cast<int>(desk.served.size()) < desk.servers) {
          desk.served.emplace_back(desk.waiting.front(), desk.length);
          desk.waiting.pop_front();
          moved = true;
        }
      }
    }
    for (Desk& desk : desks)
      for (auto& [chunk, time] : desk.served) --time;
  }
  return left;
}

// A setup whose parts take these whole times per chunk of 4,096 bytes.
StorageSetup whole_times(int chunks, int depth, int threads, int latency, int drive, int copy, int link) {
  StorageSetup setup;
  setup.file = chunks * 4096;
  setup.chunk = 4096;
  setup.depth = depth;
  setup.threads = threads;
  setup.latency = latency;
  setup.request = 1;
  setup.drives = 4096.0 / drive;
  setup.copy = 4096.0 / copy;
  setup.link = 4096.0 / link;
  setup.memory = 1e9;
  return setup;
}

TEST(StorageSchedule, IsThatOfAQueueSimulatedByUnitSteps) {
  std::size_t compared = 0;
  for (const int depth : {1, 2, 3, 8})
    for (const int threads : {1, 2, 4})
      for (const int latency : {0, 5, 23})
        for (const int drive : {1, 4, 9})
          for (const int copy : {2, 7, 20})
            for (const int link : {1, 3, 11}) {
              const StorageSetup setup = whole_times(9, depth, threads, latency, drive, copy, link);
              const int many = 1000;
              const std::vector<int> buffered =
                  chunk_times(9, depth, {{1, 3}, {many, latency}, {1, drive}, {threads, copy}, {1, link}});
              const std::vector<int> direct = chunk_times(9, depth, {{1, 3}, {many, latency}, {1, drive}, {1, link}});
              const std::vector<int> gds = chunk_times(9, depth, {{1, 1}, {many, latency}, {1, std::max(drive, link)}});
              for (const auto& [route, expected] :
                   {std::pair{Route::buffered, &buffered}, {Route::direct, &direct}, {Route::gds, &gds}}) {
                const std::vector<ChunkTimes> all = storage_schedule(setup, route);
                ASSERT_EQ(all.size(), expected->size());
                for (std::size_t i = 0; i < all.size(); ++i)
                  ASSERT_NEAR(all[i].end[part_count - 1], (*expected)[i], 1e-6)
                      << static_cast<int>(route) << " chunk " << i << ": " << depth << " " << threads << " " << latency
                      << " " << drive << " " << copy << " " << link;
                ++compared;
              }
            }
  EXPECT_EQ(compared, 3u * 4 * 3 * 3 * 3 * 3 * 3);
}

TEST(StorageSchedule, NoPartIsFasterThanTheCpusMemoryAllows) {
  StorageSetup setup;
  setup.depth = 32;
  setup.threads = 16;
  setup.drives = setup.link = setup.copy = 1000;
  setup.memory = 40;
  setup.latency = setup.request = 0;
  setup.file = 256 << 20;
  const auto rate = [&](Route route) { return static_cast<double>(setup.file) / storage_totals(setup, route).total; };
  EXPECT_NEAR(rate(Route::buffered), 40.0 / 4, 0.2);  // written, read, written, read
  EXPECT_NEAR(rate(Route::direct), 40.0 / 2, 0.2);    // written, read
  EXPECT_NEAR(rate(Route::gds), 1000, 1);
  EXPECT_EQ(storage_totals(setup, Route::gds).traffic, 0);
  EXPECT_EQ(storage_totals(setup, Route::buffered).traffic, 4.0 * (256 << 20));
}

TEST(StorageSchedule, TouchedBytesAreTheBlocksOfAllBytes) {
  for (const std::int64_t offset : {0, 1, 512, 4095, 4096, 5000})
    for (const std::int64_t bytes : {1, 511, 4095, 4096, 4097, 10000}) {
      std::set<std::int64_t> blocks;
      for (std::int64_t at = offset; at < offset + bytes; ++at) blocks.insert(at / 4096);
      EXPECT_EQ(touched_bytes(offset, bytes), static_cast<std::int64_t>(blocks.size()) * 4096)
          << offset << " " << bytes;
    }
  EXPECT_EQ(touched_bytes(7, 0), 0);
}

TEST(StorageSchedule, TheLastChunkIsShorterAndTotalsAddUp) {
  StorageSetup setup;
  setup.file = 10 * 4096 + 100;
  setup.chunk = 4 * 4096;
  const StorageTotals totals = storage_totals(setup, Route::buffered);
  EXPECT_EQ(totals.chunks, 3);
  EXPECT_EQ(totals.read, 11 * 4096);
  // Three chunks with three calls each, and every byte copied once.
  EXPECT_NEAR(totals.cpu, 9 * setup.request + (10 * 4096 + 100) / setup.copy, 1e-6);
  setup.offset = 512;
  EXPECT_EQ(storage_totals(setup, Route::gds).read, (5 + 5 + 3) * 4096);
}

TEST(Storage, RatesByHand) {
  // Four drives at 1 GB/s are the limit: 64 MiB in 67 ms and what it takes to begin and to end.
  const Stage stage =
      lab_with(storage_scene, 2, {{"route", 2}, {"drive", 1}, {"drives", 4}, {"depth", 8}, {"chunk", 1024}});
  const double expected = (64 << 20) / 4.0 + 80e3 + 5e3;
  EXPECT_EQ(fact_text(stage, "The whole file"), time_text(expected));
  EXPECT_EQ(fact_text(stage, "Limit"), "the drives are the limit");
  EXPECT_EQ(fact_text(stage, "CPU time"), time_text(64 * 5e3));
  EXPECT_EQ(fact_text(stage, "Through the CPU's memory"), bytes_text(0));
  // One copying thread at 4 GB/s behind 28 GB/s of drives.
  const Stage copying =
      lab_with(storage_scene, 2, {{"route", 0}, {"threads", 1}, {"copy", 4}, {"drive", 7}, {"drives", 4}});
  EXPECT_EQ(fact_text(copying, "Limit"), "the CPU's copies are the limit");
  EXPECT_EQ(fact_text(copying, "CPU time"), time_text((64 << 20) / 4.0 + 192 * 5e3));
  EXPECT_EQ(fact_text(lab_with(storage_scene, 2, {{"route", 1}, {"depth", 1}, {"chunk", 64}}), "Limit"),
            "too few chunks in flight");
}

TEST(Storage, WithoutGpuDirectStorageCuFileIsDirectIo) {
  const Stage direct = lab_with(storage_scene, 1, {{"route", 1}});
  const Stage compatible = lab_with(storage_scene, 1, {{"route", 2}, {"gds", 1}});
  EXPECT_EQ(fact_text(compatible, "The whole file"), fact_text(direct, "The whole file"));
  EXPECT_EQ(fact_text(compatible, "Through the CPU's memory"), bytes_text(2.0 * (64 << 20)));
  EXPECT_NE(fact_text(lab_with(storage_scene, 1, {{"route", 2}}), "The whole file"),
            fact_text(direct, "The whole file"));
}

TEST(Storage, UnalignedChunksReadMore) {
  const Stage stage = lab_with(storage_scene, 4, {{"route", 2}, {"chunk", 4}, {"offset", 512}});
  EXPECT_EQ(fact_text(stage, "Read from the drives"), bytes_text(2.0 * (64 << 20)));
  EXPECT_EQ(stage.title, "Not aligned: 100 % more bytes are read");
  const auto& cells = panel_picture<CellGrid>(stage).cells;
  ASSERT_EQ(cells.size(), 16u);  // two blocks of eight
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_EQ(cells[i].tone, i >= 1 && i < 9 ? Tone::memory : Tone::shared) << i;
  EXPECT_EQ(lab_with(storage_scene, 4).title, "Aligned: every block is asked for whole");
}

TEST(Storage, DefaultsAreRecordedWhereThereIsARecord) {
  const records::HostDeviceRecord& record = hardware().host_device;
  const auto rate = [&](const char* what) {
    const records::HostDeviceTime& time = *record.find(what, 64 << 20);
    return std::round((64 << 20) / time.done_ns());
  };
  const Stage stage = lab_with(storage_scene, 5);
  EXPECT_EQ(lab_control(stage, "link"), rate("h2d_pinned"));
  EXPECT_EQ(lab_control(lab_with(storage_scene, 2), "copy"), rate("host_copy"));
  EXPECT_EQ(lab_control(lab_without_records(storage_scene, 5), "link"), 55);
}

TEST(Storage, TasksAreDoneByTheSettings) {
  const auto done = [](std::initializer_list<std::pair<const char*, double>> settings) {
    return tasks_done(storage_scene, settings);
  };
  EXPECT_EQ(done({}), "-----");
  EXPECT_EQ(done({{"route", 0}, {"drives", 1}, {"threads", 16}}), "x----");
  EXPECT_EQ(done({{"route", 2}, {"memory", 40}}), "-----");
  EXPECT_EQ(done({{"route", 2}, {"memory", 20}}), "-x---");
  EXPECT_EQ(done({{"route", 2}, {"chunk", 64}, {"depth", 32}, {"drives", 1}}), "--x--");
  EXPECT_EQ(done({{"route", 0}, {"memory", 20}, {"copy", 16}}), "---x-");
  EXPECT_EQ(done({{"route", 1}, {"chunk", 4}, {"offset", 512}}), "----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
