#include "core/trace/chrome/writer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>
#include <zlib.h>

#include "core/trace/link.h"
#include "core/trace/read/read_trace.h"
#include "tests/trace/equal.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/support.h"
#include "tests/trace/viewers.h"

namespace warpwalk::trace::test {
namespace {

rapidjson::Document written(const Trace& trace) {
  const std::string text = write_trace_text(trace);
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError());
  return document;
}

Trace overlapping_kernels() {
  std::vector<std::string> events = {slice("cpu_op", "graph", 1, 50, "", 3, 3),
                                     slice("cuda_runtime", "cudaGraphLaunch", 10, 5, "\"correlation\": 9", 3, 3)};
  for (int i = 0; i < 6; ++i)
    events.push_back(slice("kernel", fmt::format("k{}", i), 30 + i, 2.5, "\"correlation\": 9, \"stream\": 7", 0, 7));
  events.push_back(slice("gpu_user_annotation", "step", 29, 20, "", 0, 7));
  events.push_back(slice("kernel", "lonely", 60, 1, "\"correlation\": 10", 0, 7));
  events.push_back(R"({"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7"}})");
  return read_trace_text(with_events(events)).trace;
}

TEST(Writer, EveryArrowHasItsOwnIdAndBothEndsInSlices) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Trace trace = seed == 0 ? overlapping_kernels() : random_trace(seed);
    const std::vector<Event> events = events_of(written(trace));
    std::map<std::int64_t, Event> starts;
    std::size_t launches = 0;
    std::size_t last_slice = 0;
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events[i].phase == "X") last_slice = i;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      if (event.phase != "s" && event.phase != "f") continue;
      EXPECT_GT(i, last_slice);  // flows come after all slices
      if (event.phase == "s") {
        EXPECT_TRUE(starts.emplace(event.id, event).second) << "id " << event.id << " again";
      } else {
        ASSERT_TRUE(starts.contains(event.id));
        EXPECT_EQ(starts[event.id].category, event.category);
        EXPECT_EQ(starts[event.id].name, event.name);
        EXPECT_TRUE(event.binds_enclosing);
      }
      if (event.category != "ac2g") continue;
      launches += event.phase == "s";
      const bool in_slice = std::any_of(events.begin(), events.end(), [&](const Event& x) {
        return x.phase == "X" && x.pid == event.pid && x.tid == event.tid && x.ts == event.ts;
      });
      EXPECT_TRUE(in_slice) << event.phase << " " << event.id;
    }
    EXPECT_EQ(launches, trace.launched.size());  // those to work without times, too
    if (seed == 0) {
      EXPECT_EQ(launches, 6u);
    }
  }
}

TEST(Writer, PlacesAreNumbersThatViewersTake) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Trace trace = random_trace(seed);
    std::set<std::pair<std::int64_t, std::int64_t>> places;
    for (const Event& event : events_of(written(trace))) {
      ASSERT_GE(event.pid, 0);
      ASSERT_LE(event.pid, 0x7fffffff);
      ASSERT_GT(event.tid, 0);
      ASSERT_LE(event.tid, 0x7fffffff);
      places.emplace(event.pid, event.tid);
    }
    EXPECT_GE(places.size(), trace.tracks.size());
  }
}

TEST(Writer, OnOneLineSlicesNestAndKernelsStandBesideEachOther) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Trace trace = seed == 0 ? overlapping_kernels() : random_trace(seed);
    const auto lines = expect_nested(events_of(written(trace)), "seed " + std::to_string(seed));
    if (seed == 0) {
      EXPECT_EQ(lines.size(), 4u);  // a thread and three lines of one stream
      EXPECT_EQ(trace.tracks.size(), 2u);
    }
  }
}

std::string unpacked(const std::filesystem::path& file) {
  std::string text;
  const gzFile in = gzopen(file.c_str(), "rb");
  char piece[65536];
  for (int n = 0; (n = gzread(in, piece, sizeof piece)) > 0;) text.append(piece, static_cast<std::size_t>(n));
  gzclose(in);
  return text;
}

// Checks the shipped files as they are, since users open them in Perfetto.
TEST(ShippedWalks, HaveWhatViewersTake) {
  std::size_t walks = 0;
  for (const auto& file : std::filesystem::directory_iterator(WARPWALK_SOURCE_DIR "/assets/walks")) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("h200_")) continue;  // the others were written by PyTorch
    ++walks;
    rapidjson::Document document;
    const std::string text = unpacked(file.path());
    ASSERT_FALSE(document.Parse(text.data(), text.size()).HasParseError()) << name;
    EXPECT_TRUE(text.starts_with("{\"traceEvents\": [")) << name;  // all that Perfetto's UI of 2021 recognises
    expect_readable_by_viewers(document, name);
    for (const Event& event : events_of(document)) {
      EXPECT_TRUE(event.pid >= 0 && event.pid <= 0x7fffffff && event.tid >= 0 && event.tid <= 0x7fffffff) << name;
      EXPECT_GE(event.dur, 0) << name;
    }
  }
  EXPECT_GE(walks, 9u);
}

TEST(Writer, NamesTheLinesForViewers) {
  std::map<std::string, int> names;
  const rapidjson::Document document = written(overlapping_kernels());
  for (const auto& event : document["traceEvents"].GetArray())
    if (std::string_view(event["name"].GetString()) == "thread_name") ++names[event["args"]["name"].GetString()];
  EXPECT_EQ(names["stream 7"], 1);
  EXPECT_EQ(names["stream 7 (line 2)"], 1);
  EXPECT_EQ(names["stream 7 (line 3)"], 1);
}

TEST(Writer, HeadIsWhatOthersExpect) {
  Trace trace = overlapping_kernels();
  const rapidjson::Document plain = written(trace);
  EXPECT_EQ(plain["schemaVersion"].GetInt(), 1);
  EXPECT_TRUE(plain["deviceProperties"].IsArray());
  EXPECT_STREQ(plain["displayTimeUnit"].GetString(), "ms");
  EXPECT_EQ(plain["baseTimeNanoseconds"].GetInt64(), 1000);
  EXPECT_FALSE(plain.HasMember("warpwalk"));
  trace.records.expression = "relu(a @ b)";
  const std::string text = write_trace_text(trace);
  EXPECT_THAT(text, ::testing::HasSubstr("\"warpwalk\": {\"format\":1,\"expression\":\"relu(a @ b)\"}"));
  EXPECT_TRUE(text.starts_with("{\"traceEvents\": ["));  // all that Perfetto's UI of 2021 recognises
}

TEST(Writer, TimesAreExactAndNothingIsNoNumber) {
  Trace trace = read_trace_text(with_events({slice("cpu_op", "op", -0.001, 0.002)})).trace;
  trace.slices.start[0] = 1712195495505583012;
  EXPECT_THAT(write_trace_text(trace), ::testing::HasSubstr("\"ts\": 1712195495505583.012, \"dur\": 0.002"));
  Trace kernel = read_trace_text(with_events({slice("kernel", "k", 1, 1)})).trace;
  kernel.kernels[0].occupancy_pct = std::numeric_limits<double>::quiet_NaN();
  kernel.kernels[0].warps_per_sm = std::numeric_limits<double>::infinity();
  const std::string text = write_trace_text(kernel);
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("nan")));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("inf")));
}

TEST(Writer, AFileIsWholeOrNotThere) {
  const TemporaryFolder folder;
  const Trace trace = overlapping_kernels();
  const auto missing = write_trace(trace, folder / "no such folder/walk.json");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(), ::testing::HasSubstr("walk.json: cannot be written: No such file or directory"));
  ASSERT_FALSE(write_trace(trace, folder.path()));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));

  write_file(folder / "walk.json", "what was there before");
  write_file(folder / "walk.json.partial", "another writer's");
  EXPECT_TRUE(write_trace(trace, folder / "walk.json"));
  EXPECT_EQ(read_file(folder / "walk.json"), write_trace_text(trace));
  EXPECT_EQ(read_file(folder / "walk.json.partial"), "another writer's");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);

  std::filesystem::create_symlink("walk.json", folder / "link.json");
  EXPECT_TRUE(write_trace(random_trace(3), folder / "link.json"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
  EXPECT_EQ(read_file(folder / "walk.json"), write_trace_text(random_trace(3)));
}

TEST(Writer, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto full = write_trace(overlapping_kernels(), "/dev/full");
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error(), ::testing::HasSubstr("/dev/full: cannot be written completely"));
}

TEST(Writer, ThroughAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Trace trace = overlapping_kernels();
  base::Result<void> written;
  std::thread writing([&] { written = write_trace(trace, folder / "pipe"); });
  const ReadResult read = read_trace(folder / "pipe");
  writing.join();
  EXPECT_TRUE(written);
  ASSERT_FALSE(read.error) << *read.error;
  EXPECT_EQ(equal(trace, read.trace).value_or("equal"), "equal");
  EXPECT_EQ(read.bytes, write_trace_text(trace).size());
}

}  // namespace
}  // namespace warpwalk::trace::test
