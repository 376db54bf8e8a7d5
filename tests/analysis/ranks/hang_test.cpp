// Which ranks hang: dumps that PyTorch 2.11 wrote on two H200s (tests/trace/record_flight.py), and dumps made here.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/analysis/ranks/hang/hang_report.h"
#include "core/trace/flight/read_dump.h"
#include "core/words/hang_text.h"
#include "tests/analysis/assets.h"

namespace warpwalk::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using trace::flight::State;

using Ranks = std::vector<std::int64_t>;

/// An entry of a dump.
struct Entry {
  std::string name = "all_reduce";
  std::int64_t number = 1;  ///< of the collective, or of the message
  std::string state = "completed";
  std::int64_t line = 41;
  std::string group = "0";
  std::string sizes = "[[10]]";
  std::string type = "Float";
};

bool is_message_name(const Entry& entry) { return entry.name.starts_with("send") || entry.name.starts_with("recv"); }

/// A dump as JSON. `groups`: their names and ranks. `first`: the number of the first record.
std::string dump_json(const std::vector<Entry>& entries, std::int64_t first = 0,
                      const std::vector<std::pair<std::string, std::string>>& groups = {{"0", "[0, 1, 2, 3]"}}) {
  std::string config, list;
  for (const auto& [name, ranks] : groups)
    config += fmt::format(R"({}"{}": {{"name": "{}", "desc": "{}", "ranks": "{}"}})", config.empty() ? "" : ", ", name,
                          name, name == "0" ? "default_pg" : "undefined", ranks);
  for (const Entry& entry : entries) {
    const bool message = is_message_name(entry);
    list += fmt::format(
        R"({}{{"record_id": {}, "pg_id": {}, "process_group": ["{}", "{}"], "collective_seq_id": {}, "p2p_seq_id": {},
             "profiling_name": "nccl:{}", "time_created_ns": {}, "input_sizes": {}, "output_sizes": {},
             "input_dtypes": ["{}"], "output_dtypes": ["{}"], "state": "{}", "retired": {}, "is_p2p": {},
             "timeout_ms": 600000, "frames": [
               {{"name": "all_reduce", "filename": "/x/site-packages/torch/distributed/distributed_c10d.py", "line": 9}},
               {{"name": "step", "filename": "/home/me/train.py", "line": {}}}]}})",
        list.empty() ? "" : ", ", first, entry.group == "0" ? 0 : 1, entry.group,
        entry.group == "0" ? "default_pg" : "undefined", message ? 0 : entry.number, message ? entry.number : 0,
        entry.name, 1'764'441'995'000'000'000 + first * 1'000'000'000, entry.sizes, entry.sizes, entry.type, entry.type,
        entry.state, entry.state == "completed", message, entry.line);
    ++first;
  }
  return fmt::format(R"({{"version": "2.10", "pg_config": {{{}}}, "entries": [{}]}})", config, list);
}

/// Dumps by rank.
HangReport hang_of(const std::vector<std::pair<std::int64_t, std::string>>& dumps) {
  trace::flight::Dumps read;
  Ranks ranks;
  for (const auto& [rank, json] : dumps) {
    const auto one = trace::flight::read_dump_text(json, fmt::format("rank_{}", rank), read);
    EXPECT_TRUE(one.is_dump) << one.error.value_or("");
    ranks.push_back(rank);
  }
  return hang_report(read, ranks);
}

HangReport recorded(std::string_view name) {
  const auto report = read_hang({std::string(WARPWALK_SOURCE_DIR) + "/tests/trace/data/flight/" + std::string(name)});
  EXPECT_TRUE(report) << name;
  return report ? *report : HangReport();
}

std::string verdict(const HangReport& report) {
  const std::string text = words::hang_verdict(english(), report);
  EXPECT_THAT(text, Not(HasSubstr("(no ")));
  for (const Wait& wait : report.waits)
    EXPECT_THAT(words::wait_text(english(), report, wait), Not(HasSubstr("(no "))) << text;
  return text;
}

const Entry reduced_1{}, reduced_2{.number = 2};

TEST(Hang, ARankThatNeverCalls) {
  const Entry waits{.number = 3, .state = "scheduled", .line = 77};
  const std::string there = dump_json({reduced_1, reduced_2, waits});
  const HangReport report = hang_of({{0, there}, {1, there}, {2, there}, {3, dump_json({reduced_1, reduced_2})}});
  ASSERT_EQ(report.waits.size(), 1u);
  const Wait& wait = report.waits[0];
  EXPECT_EQ(wait.collective, "all_reduce");
  EXPECT_EQ(wait.sequence, 3);
  EXPECT_THAT(wait.waiting, ElementsAre(0, 1, 2));
  EXPECT_THAT(wait.missing, ElementsAre(3));
  EXPECT_EQ(wait.state(), State::scheduled);
  EXPECT_FALSE(wait.mismatch);
  EXPECT_EQ(
      verdict(report),
      "Rank 3 never called all_reduce 3 of group 0 (default_pg), for which ranks 0 to 2 have waited since "
      "2025-11-29 18:46:37 UTC at train.py:77. The last call of rank 3 is all_reduce 2 of group 0 (default_pg) at "
      "train.py:41, which is complete.");
}

TEST(Hang, RanksWithoutADumpAreUnknown) {
  const std::string there = dump_json({reduced_1, {.number = 2, .state = "started"}});
  const HangReport report = hang_of({{0, there}, {2, there}});
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_TRUE(report.waits[0].missing.empty());
  EXPECT_THAT(report.waits[0].unknown, ElementsAre(1, 3));
  EXPECT_THAT(report.no_dump, ElementsAre(1, 3));
  EXPECT_THAT(verdict(report), HasSubstr("Ranks 0 and 2 have waited in all_reduce 2 of group 0 (default_pg) at "
                                         "train.py:41 since"));
  EXPECT_THAT(verdict(report), HasSubstr("There is no dump of ranks 1 and 3, so it is not known who"));
}

TEST(Hang, SizesTypesAndKindsThatDoNotFit) {
  const auto second = [](Entry entry) {
    entry.number = 2;
    entry.state = "started";
    return dump_json({reduced_1, entry}, 0, {{"0", "[0, 1, 2]"}});
  };
  const auto of = [&](const Entry& other) {
    const HangReport report = hang_of({{0, second({})}, {1, second(other)}, {2, second({})}});
    EXPECT_EQ(report.waits.size(), 1u);
    return report;
  };
  const HangReport size = of({.line = 55, .sizes = "[[20]]"});
  ASSERT_TRUE(size.waits[0].mismatch);
  EXPECT_EQ(size.waits[0].mismatch->kind, MismatchKind::size);
  EXPECT_THAT(size.waits[0].mismatch->ranks, ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
  EXPECT_THAT(verdict(size), HasSubstr("In all_reduce 2 of group 0 (default_pg), the ranks give different numbers of "
                                       "elements: ranks 0 and 2 all_reduce of [[10]] at train.py:41, rank 1 all_reduce "
                                       "of [[20]] at train.py:55. Ranks 0 to 2 have waited in it since"));
  const HangReport type = of({.type = "BFloat16"});
  ASSERT_TRUE(type.waits[0].mismatch);
  EXPECT_EQ(type.waits[0].mismatch->kind, MismatchKind::type);
  EXPECT_THAT(verdict(type), HasSubstr("rank 1 all_reduce of BFloat16"));
  const HangReport kind = of({.name = "broadcast", .line = 56});
  ASSERT_TRUE(kind.waits[0].mismatch);
  EXPECT_EQ(kind.waits[0].mismatch->kind, MismatchKind::collective);
  EXPECT_EQ(kind.waits[0].collective, "all_reduce");
  EXPECT_THAT(verdict(kind), HasSubstr("In collective 2 of group 0 (default_pg), the ranks call different collectives: "
                                       "ranks 0 and 2 all_reduce at train.py:41, rank 1 broadcast at train.py:56."));
  // The same number of elements in another shape is what NCCL takes, too.
  EXPECT_FALSE(of({.sizes = "[[2, 5]]"}).waits[0].mismatch);
}

TEST(Hang, SizesThatMayDiffer) {
  for (const std::string name : {"all_to_all", "all_to_all_single", "all_gather_v"}) {
    const auto call = [&](const std::string& sizes) {
      return dump_json({{.name = name, .state = "started", .sizes = sizes}}, 0, {{"0", "[0, 1]"}});
    };
    const HangReport report = hang_of({{0, call("[[10]]")}, {1, call("[[30]]")}});
    EXPECT_FALSE(report.waits.at(0).mismatch) << name;
  }
}

TEST(Hang, AnotherOrder) {
  const auto calls = [](const std::string& first, const std::string& second) {
    return dump_json({{.name = first, .number = 7, .state = "started", .line = 53},
                      {.name = second, .number = 8, .state = "scheduled", .line = 54}},
                     0, {{"0", "[0, 1]"}});
  };
  const HangReport report = hang_of({{0, calls("all_reduce", "broadcast")}, {1, calls("broadcast", "all_reduce")}});
  ASSERT_EQ(report.waits.size(), 1u);
  ASSERT_TRUE(report.waits[0].mismatch);
  EXPECT_EQ(report.waits[0].mismatch->kind, MismatchKind::order);
  EXPECT_EQ(report.waits[0].behind, 1u);
  EXPECT_THAT(verdict(report), HasSubstr("From collective 7 of group 0 (default_pg) on, the ranks call the same "
                                         "collectives in another order: rank 0 all_reduce at train.py:53, rank 1 "
                                         "broadcast at train.py:53."));
}

// An earlier disagreement is the cause, although that call is complete.
TEST(Hang, AnEarlierMismatch) {
  const auto calls = [](const std::string& sizes, bool waits) {
    std::vector<Entry> entries = {{.sizes = sizes}};
    if (waits) entries.push_back({.number = 2, .state = "scheduled"});
    return dump_json(entries, 0, {{"0", "[0, 1]"}});
  };
  const HangReport report = hang_of({{0, calls("[[10]]", true)}, {1, calls("[[20]]", false)}});
  ASSERT_TRUE(report.waits.at(0).mismatch);
  EXPECT_EQ(report.waits[0].mismatch->sequence, 1);
  EXPECT_THAT(report.waits[0].missing, ElementsAre(1));
  EXPECT_THAT(verdict(report), HasSubstr("Rank 0 has waited in all_reduce 2 of group 0 (default_pg) since"));
  const HangReport complete = hang_of({{0, calls("[[10]]", false)}, {1, calls("[[20]]", false)}});
  ASSERT_EQ(complete.waits.size(), 1u);
  EXPECT_EQ(complete.waits[0].state(), State::completed);
  EXPECT_THAT(verdict(complete), HasSubstr("No collective is open."));
}

TEST(Hang, TwoGroupsAndTheCauseFirst) {
  const std::vector<std::pair<std::string, std::string>> groups = {{"0", "[0, 1, 2, 3]"}, {"1", "[2, 3]"}};
  // Rank 3 is nowhere; rank 2 waits for it in group 1, and all others wait for rank 2 and rank 3 in group 0.
  const std::string first = dump_json({reduced_1, {.number = 2, .state = "scheduled"}}, 0, groups);
  const std::string second = dump_json(
      {reduced_1, {.name = "broadcast", .number = 1, .state = "scheduled", .line = 90, .group = "1"}}, 0, groups);
  const HangReport report = hang_of({{0, first}, {1, first}, {2, second}, {3, dump_json({reduced_1}, 0, groups)}});
  ASSERT_EQ(report.waits.size(), 2u);
  EXPECT_THAT(report.suspects, ElementsAre(3));
  EXPECT_EQ(report.groups[report.waits[0].group].name, "1");
  EXPECT_THAT(report.waits[0].missing, ElementsAre(3));
  EXPECT_TRUE(report.waits[0].because_of.empty());
  EXPECT_THAT(report.waits[1].missing, ElementsAre(2, 3));
  EXPECT_THAT(report.waits[1].because_of, ElementsAre(0));
  EXPECT_THAT(verdict(report), HasSubstr("Rank 3 never called broadcast 1 of group 1, for which rank 2 has waited"));
  EXPECT_THAT(verdict(report), HasSubstr("One more call is open."));
  EXPECT_THAT(words::wait_text(english(), report, report.waits[1]),
              HasSubstr("Rank 2 waits in broadcast 1 of group 1 at train.py:90."));
}

// Two groups, and in each another rank is missing: the answer names both.
TEST(Hang, SeveralSuspects) {
  const std::vector<std::pair<std::string, std::string>> groups = {{"0", "[0, 1]"}, {"1", "[2, 3]"}};
  const auto waits = [&](const std::string& group) {
    return dump_json({{.group = group}, {.number = 2, .state = "scheduled", .group = group}}, 0, groups);
  };
  const HangReport report = hang_of({{0, waits("0")},
                                     {1, dump_json({reduced_1}, 0, groups)},
                                     {2, waits("1")},
                                     {3, dump_json({{.group = "1"}}, 0, groups)}});
  EXPECT_THAT(report.suspects, ElementsAre(1, 3));
  EXPECT_THAT(verdict(report), HasSubstr("In all open calls together, the others wait for ranks 1 and 3."));
}

TEST(Hang, ACircle) {
  const std::vector<std::pair<std::string, std::string>> groups = {{"0", "[0, 1]"}, {"1", "[0, 1]"}};
  const auto of = [&](const std::string& group) {
    return dump_json({reduced_1, {.group = "1"}, {.number = 2, .state = "scheduled", .group = group}}, 0, groups);
  };
  const HangReport report = hang_of({{0, of("1")}, {1, of("0")}});
  ASSERT_EQ(report.waits.size(), 2u);
  EXPECT_TRUE(report.waits[0].circle && report.waits[1].circle);
  EXPECT_THAT(verdict(report),
              HasSubstr("Ranks 0 and 1 wait for each other, each in a call that another has not made"));
}

// Ring buffers that dropped the beginning: numbers decide, not places.
TEST(Hang, ADroppedBeginning) {
  std::vector<Entry> early, late;
  for (std::int64_t i = 90; i < 100; ++i) early.push_back({.number = i});
  for (std::int64_t i = 95; i < 100; ++i) late.push_back({.number = i});
  late.push_back({.number = 100, .state = "scheduled"});
  const std::vector<std::pair<std::string, std::string>> groups = {{"0", "[0, 1]"}};
  const HangReport report = hang_of({{0, dump_json(early, 89, groups)}, {1, dump_json(late, 95, groups)}});
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_EQ(report.waits[0].sequence, 100);
  EXPECT_THAT(report.waits[0].missing, ElementsAre(0));
  EXPECT_THAT(report.dropped, ElementsAre(89, 95));
  // Without a call of this group in its dump, the other rank may have called it long ago.
  const HangReport unsure = hang_of(
      {{0, dump_json({{.group = "1"}}, 5000, {{"0", "[0, 1]"}, {"1", "[0, 2]"}})}, {1, dump_json(late, 95, groups)}});
  ASSERT_EQ(unsure.waits.size(), 1u);
  EXPECT_TRUE(unsure.waits[0].missing.empty());
  EXPECT_THAT(unsure.waits[0].unsure, ElementsAre(0));
  EXPECT_THAT(verdict(unsure), HasSubstr("The dump of rank 0 does not go back far enough"));
}

TEST(Hang, ScheduledAndStarted) {
  const auto call = [](const std::string& state) {
    return dump_json({reduced_1, {.number = 2, .state = state}}, 0, {{"0", "[0, 1]"}});
  };
  EXPECT_THAT(verdict(hang_of({{0, call("scheduled")}, {1, call("scheduled")}})),
              HasSubstr("All ranks have called all_reduce 2 of group 0 (default_pg) at train.py:41, but it is not "
                        "complete on ranks 0 and 1"));
  EXPECT_EQ(hang_of({{0, call("started")}, {1, call("scheduled")}}).waits.at(0).state(), State::started);
}

// All others have completed a collective that needs every rank: the GPU of the one that has not is to blame.
TEST(Hang, AGpuThatStopped) {
  const auto call = [](const std::string& name, const std::string& state) {
    return dump_json({reduced_1, {.name = name, .number = 2, .state = state}}, 0, {{"0", "[0, 1]"}});
  };
  const HangReport report =
      hang_of({{0, call("_all_gather_base", "completed")}, {1, call("_all_gather_base", "scheduled")}});
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_TRUE(report.waits[0].stopped());
  EXPECT_THAT(report.suspects, ElementsAre(1));
  EXPECT_THAT(verdict(report), HasSubstr("not complete on rank 1"));
  EXPECT_THAT(verdict(report), HasSubstr("So the work of rank 1 on the GPU stopped"));
  EXPECT_FALSE(hang_of({{0, call("broadcast", "completed")}, {1, call("broadcast", "scheduled")}}).waits[0].stopped());
}

TEST(Hang, Messages) {
  const std::vector<std::pair<std::string, std::string>> groups = {{"0", "[4, 6]"}};
  const Entry recv{.name = "recv 1<-0", .number = 2, .state = "scheduled", .line = 12};
  const HangReport missing =
      hang_of({{4, dump_json({reduced_1}, 0, groups)}, {6, dump_json({reduced_1, recv}, 0, groups)}});
  ASSERT_EQ(missing.waits.size(), 1u);
  EXPECT_TRUE(missing.waits[0].message);
  EXPECT_THAT(missing.waits[0].waiting, ElementsAre(6));
  EXPECT_THAT(missing.waits[0].missing, ElementsAre(4));
  EXPECT_THAT(verdict(missing),
              HasSubstr("Rank 4 never called a send to rank 6 in group 0 (default_pg), for which rank 6 "
                        "has waited since 2025-11-29 18:46:36 UTC at train.py:12."));
  const Entry send{.name = "send 0->1", .number = 5, .state = "started", .sizes = "[[99]]"};
  const HangReport size =
      hang_of({{4, dump_json({reduced_1, send}, 0, groups)}, {6, dump_json({reduced_1, recv}, 0, groups)}});
  ASSERT_EQ(size.waits.size(), 1u);
  ASSERT_TRUE(size.waits[0].mismatch);
  EXPECT_EQ(size.waits[0].mismatch->kind, MismatchKind::size);
  EXPECT_THAT(verdict(size), HasSubstr("[[99]]"));
}

TEST(Hang, NothingIsOpen) {
  const HangReport report = hang_of({{0, dump_json({reduced_1}, 0, {{"0", "[0, 1]"}})}});
  EXPECT_TRUE(report.waits.empty());
  EXPECT_EQ(
      verdict(report),
      "No collective is open in these dumps: the last call, all_reduce 1 of group 0 (default_pg) at train.py:41, is "
      "complete. There is no dump of rank 1.");
  EXPECT_THAT(verdict(hang_of({{0, dump_json({})}})), HasSubstr("TORCH_FR_BUFFER_SIZE"));
}

TEST(Hang, Recorded) {
  EXPECT_THAT(verdict(recorded("missing")),
              HasSubstr("Rank 1 never called all_reduce 4 of group 0 (default_pg), for which rank 0 has waited since "
                        "2026-11-29 18:46:"));
  EXPECT_THAT(verdict(recorded("missing")), HasSubstr("at record_flight.py:45"));
  EXPECT_EQ(recorded("json").waits.at(0).missing, Ranks{1});
  const HangReport timeout = recorded("timeout");  // as the watchdog wrote it
  EXPECT_EQ(timeout.waits.at(0).missing, Ranks{1});
  const HangReport size = recorded("size");
  EXPECT_EQ(size.waits.at(0).mismatch.value().kind, MismatchKind::size);
  EXPECT_EQ(size.waits[0].complete, Ranks{1});
  // Rank 0 was still inside its call of the broadcast: the recorder calls that one complete.
  const HangReport order = recorded("order");
  EXPECT_EQ(order.waits.at(0).mismatch.value().kind, MismatchKind::order);
  EXPECT_EQ(order.waits[0].sequence, 4);
  EXPECT_EQ(order.waits[0].behind, 1u);
  const HangReport message = recorded("p2p");
  ASSERT_EQ(message.waits.size(), 1u);
  EXPECT_EQ(message.waits[0].collective, "recv from rank 1");
  EXPECT_EQ(message.waits[0].missing, Ranks{1});
  EXPECT_EQ(recorded("dropped").waits.at(0).sequence, 101);
  EXPECT_EQ(recorded("dropped").waits[0].missing, Ranks{1});
  const HangReport cycle = recorded("cycle");
  ASSERT_EQ(cycle.waits.size(), 2u);
  EXPECT_TRUE(cycle.waits[0].circle);
}

// Batches, coalesced collectives, uneven splits, two groups: all of them are complete, also where the dump has only
// what was active, among it the parts of coalesced calls.
TEST(Hang, RecordedWithoutAHang) {
  EXPECT_THAT(verdict(recorded("complete")),
              HasSubstr("No collective is open: the last call, gather 8 of group 0 (default_pg) at record_flight.py:"));
  EXPECT_TRUE(recorded("active").waits.empty());
  EXPECT_THAT(verdict(recorded("active")),
              HasSubstr("No collective is open. These dumps have no call that is complete"));
  EXPECT_TRUE(recorded("dropped").problems.empty());
}

/// A temporary folder with files.
class HangFolder {
 public:
  HangFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "hangXXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~HangFolder() { std::filesystem::remove_all(path_); }
  HangFolder(const HangFolder&) = delete;
  HangFolder& operator=(const HangFolder&) = delete;
  void write(std::string_view name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(HangFiles, AFolder) {
  const HangFolder folder;
  EXPECT_FALSE(has_dumps({folder.path()}));
  const auto none = read_hang({folder.path()});
  EXPECT_FALSE(none);
  folder.write("notes.txt", "nothing");
  folder.write("nccl_trace_rank_3", dump_json({reduced_1}));
  folder.write("nccl_trace_rank_0", dump_json({reduced_1, {.number = 2, .state = "scheduled"}}));
  folder.write("_dump_1.json", dump_json({reduced_1, {.number = 2, .state = "scheduled"}}));
  folder.write("nccl_trace_rank_0.old", dump_json({reduced_1}));
  folder.write("mine.pickle", dump_json({reduced_1}));
  EXPECT_TRUE(has_dumps({folder.path()}));
  const auto report = read_hang({folder.path()});
  ASSERT_TRUE(report) << report.error();
  EXPECT_THAT(report->ranks, ElementsAre(0, 1, 3));
  EXPECT_THAT(report->waits.at(0).waiting, ElementsAre(0, 1));
  EXPECT_THAT(report->waits[0].missing, ElementsAre(3));
  EXPECT_THAT(report->waits[0].unknown, ElementsAre(2));
  ASSERT_EQ(report->problems.size(), 3u);
  EXPECT_THAT(report->problems[0], HasSubstr("mine.pickle: its name does not say its rank"));
  EXPECT_THAT(report->problems[1], HasSubstr("nccl_trace_rank_0.old: is a second dump of rank 0"));
  EXPECT_EQ(report->problems[2], "1 other file is no dump of the flight recorder");
}

TEST(HangWords, ListsOfRanks) {
  const auto list = [](const Ranks& ranks) { return words::rank_list(english(), ranks); };
  EXPECT_EQ(list({3}), "rank 3");
  EXPECT_EQ(list({0, 1}), "ranks 0 and 1");
  EXPECT_EQ(list({0, 2, 3, 4, 9}), "ranks 0, 2 to 4 and 9");
  EXPECT_EQ(list({0, 2, 4, 6, 8, 10, 12, 14, 16, 18}), "ranks 0, 2, 4, 6, 8, 10, 12, 14 and 2 more");
}

}  // namespace
}  // namespace warpwalk::analysis
