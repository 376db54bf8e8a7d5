// `query` as people and scripts use it, and traces from stdin.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/app/parsed_json.h"
#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Runs a line of the shell; `status` is the exit status of its last command.
Outcome shell(const std::string& line) {
  Outcome outcome;
  std::FILE* const pipe = popen(line.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  if (pipe == nullptr) return outcome;
  char block[4096];
  for (std::size_t n = 0; (n = fread(block, 1, sizeof block, pipe)) > 0;) outcome.out.append(block, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

const char* const two_names = "SELECT kind, count(*) AS n FROM slices WHERE kind IN ('op', 'kernel') GROUP BY kind";

TEST(QueryVerb, PrintsAnAlignedTable) {
  const Outcome outcome = run({"query", walk("mlp_train"), two_names});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.out,
            "kind      n\n"
            "kernel   56\n"
            "op      270\n");
}

TEST(QueryVerb, PrintsCsvAndJson) {
  EXPECT_EQ(run({"query", walk("mlp_train"), two_names, "--csv"}).out, "kind,n\nkernel,56\nop,270\n");
  const Outcome outcome = run({"query", walk("mlp_train"), two_names, "--json"});
  EXPECT_EQ(outcome.out, "[\n{\"kind\": \"kernel\", \"n\": 56},\n{\"kind\": \"op\", \"n\": 270}\n]\n");
  EXPECT_EQ(parsed_json(outcome.out).Size(), 2u);
  EXPECT_EQ(run({"query", walk("mlp_train"), "SELECT 1 WHERE 0", "--json"}).out, "[]\n");
  EXPECT_EQ(run({"query", walk("mlp_train"), "SELECT 1 AS x WHERE 0"}).out, "x\n");
}

TEST(QueryVerb, ValuesOfEveryKindArePrintedExactly) {
  const std::string values =
      "SELECT 1.5 AS real, NULL AS x, x'00ff' AS bytes, 'a\"b,' || char(10) || char(1) AS text, -7 AS x, 1e999 AS more";
  const Outcome csv = run({"query", walk("relu_matmul"), values, "--csv"});
  EXPECT_EQ(csv.out, "real,x,bytes,text,x,more\n1.5,,00ff,\"a\"\"b,\n\x01\",-7,inf\n");
  const rapidjson::Document json = parsed_json(run({"query", walk("relu_matmul"), values, "--json"}).out);
  ASSERT_EQ(json.Size(), 1u);
  EXPECT_EQ(json[0]["real"].GetDouble(), 1.5);
  EXPECT_TRUE(json[0]["x"].IsNull());
  EXPECT_EQ(json[0]["x_2"].GetInt(), -7) << "a name that occurs twice";
  EXPECT_STREQ(json[0]["bytes"].GetString(), "00ff");
  EXPECT_STREQ(json[0]["text"].GetString(), "a\"b,\n\x01");
  EXPECT_TRUE(json[0]["more"].IsNull()) << "JSON has no infinity";
  EXPECT_THAT(run({"query", walk("relu_matmul"), values}).out, HasSubstr("1.500     x'00ff'  a\"b,    -7   inf"));
}

TEST(QueryVerb, DescribesItsTablesWithoutReadingAFile) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"query", "--schema"}, {"query", "missing.json", ".schema"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    for (const char* const table :
         {"slices", "kernels", "launches", "ops", "gaps", "copies", "python", "annotations", "memory", "gpus", "path"})
      EXPECT_THAT(outcome.out, HasSubstr(fmt::format("{}: ", table)));
    EXPECT_THAT(outcome.out, HasSubstr("  duration_ns         INTEGER  ns\n"));
  }
  const Outcome one = run({"query", "missing.json", ".schema gaps"});
  EXPECT_THAT(one.out, StartsWith("gaps: "));
  EXPECT_THAT(one.out, Not(HasSubstr("kernels: ")));
  EXPECT_THAT(run({"query", "missing.json", ".tables"}).out, HasSubstr("kernels        kernels, by start\n"));
}

TEST(QueryVerb, BadUsageIsOneLine) {
  const std::string file = walk("relu_matmul");
  for (const auto& [arguments, words] : std::initializer_list<std::pair<std::vector<std::string>, std::string>>{
           {{"query"}, "no trace given"},
           {{"query", file}, "no statement given"},
           {{"query", file, "SELEC 1"}, "syntax error; warpwalk query --schema"},
           {{"query", file, "SELECT nme FROM kernels"}, "did you mean name?"},
           {{"query", file, "DELETE FROM kernels"}, "only SELECT"},
           {{"query", file, "SELECT 1", "--csv", "--json"}, "exclude each other"},
           {{"query", file, ".schema nothing"}, "no such table: nothing"},
           {{"query", file, ".help"}, "unknown word .help"},
           {{"query", "missing.json", "SELECT 1"}, "missing.json"},
           {{"query", file, "--export", "/nowhere/deep/out.sqlite"}, "/nowhere/deep/out.sqlite"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
    EXPECT_EQ(outcome.out, "") << words;
    EXPECT_THAT(outcome.error, HasSubstr(words));
  }
}

TEST(QueryVerb, ExportsADatabaseAndReplacesNothingElse) {
  const Folder folder;
  const std::string out = folder.at("walk.sqlite"), taken = folder.file("notes.txt", "mine");
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = run({"query", walk("relu_matmul"), "--export", out});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_TRUE(text_of(out).starts_with("SQLite format 3"));
  }
  const Outcome refused = run({"query", walk("relu_matmul"), "--export", taken});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.error, HasSubstr("notes.txt: exists and is not a database that warpwalk exported"));
  EXPECT_EQ(text_of(taken), "mine");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"notes.txt", "walk.sqlite"}));
}

TEST(QueryVerb, AnEndlessStatementEndsWithASignal) {
  Program program({"query", walk("relu_matmul"),
                   "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(program.running()) << program.error();
  kill(program.pid(), SIGINT);
  EXPECT_EQ(program.wait().status, 128 + SIGINT);
}

TEST(QueryVerb, AFullDiskIsNoSuccess) {
  const Outcome outcome = run({"query", walk("relu_matmul"), "SELECT * FROM slices", "--csv"}, {}, "/dev/full");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
}

TEST(StandardInput, IsReadAsATracePlainOrGzip) {
  for (const char* const reader : {"cat", "zcat"})
    for (const std::string& verb :
         {std::string("query - \"") + two_names + "\" --csv", std::string("info - --json -")}) {
      const Outcome outcome =
          shell(fmt::format("{} '{}' | '{}' {} 2>&1", reader, walk("mlp_train"), WARPWALK_PROGRAM, verb));
      EXPECT_EQ(outcome.status, 0) << outcome.out;
      EXPECT_THAT(outcome.out, verb[0] == 'q' ? HasSubstr("kernel,56\n") : HasSubstr("\"kernels\": 56,"));
    }
  const Outcome text = shell(fmt::format("'{}' info - < '{}'", WARPWALK_PROGRAM, walk("relu_matmul")));
  EXPECT_THAT(text.out, StartsWith("stdin\n"));
  const Outcome picture = shell(
      fmt::format("cat '{}' | '{}' render - --text --scene boardroom --at b1", walk("relu_matmul"), WARPWALK_PROGRAM));
  EXPECT_EQ(picture.status, 0);
  EXPECT_FALSE(picture.out.empty());
}

TEST(StandardInput, MessagesCallItStdinAndNothingStays) {
  const Folder folder;
  for (const char* const content : {"", "these are words"}) {
    const Outcome outcome = shell(
        fmt::format("printf '{}' | TMPDIR='{}' '{}' info - 2>&1", content, folder.path().string(), WARPWALK_PROGRAM));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, StartsWith("warpwalk: stdin"));
    EXPECT_THAT(outcome.out, Not(HasSubstr(folder.path().string())));
  }
  EXPECT_TRUE(folder.names().empty());
  const Outcome window = run({"-"}, {"DISPLAY=", "WAYLAND_DISPLAY="});
  EXPECT_EQ(window.status, 2);
  EXPECT_THAT(window.error, StartsWith("warpwalk: stdin: nothing was read"));
}

}  // namespace
}  // namespace warpwalk::testing
