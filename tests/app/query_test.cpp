// SQL about traces, against values that are counted by hand.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "app/query/database.h"
#include "app/query/table.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Rows as texts: "a|1|" with an empty text for NULL.
class Collected : public Rows {
 public:
  void columns(const std::vector<std::string>& all) override { names = all; }
  bool row(const std::vector<Value>& values) override {
    std::string line;
    for (const Value& value : values) {
      if (&value != &values.front()) line += '|';
      if (value.kind == Value::Kind::integer) line += std::to_string(value.integer);
      if (value.kind == Value::Kind::real) line += fmt::format("{}", value.real);
      if (value.kind == Value::Kind::text || value.kind == Value::Kind::blob) line += value.bytes;
    }
    rows.push_back(line);
    return rows.size() < most;
  }
  std::vector<std::string> names, rows;
  std::size_t most = 1'000'000;
};

// Two ops in a frame, one inside the other, and a third; three pieces of GPU work with a gap of 20 us.
constexpr std::string_view small_trace = R"json({"traceEvents": [
  {"ph": "X", "cat": "python_function", "name": "train.py(7): step", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
  {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 10, "dur": 40},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 20, "dur": 20},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 25, "dur": 5,
   "args": {"correlation": 5, "cbid": 211}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 55, "dur": 30},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 57, "dur": 2,
   "args": {"correlation": 6}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 62, "dur": 3,
   "args": {"correlation": 7}},
  {"ph": "X", "cat": "kernel", "name": "void gemm<4>(float*)", "pid": 0, "tid": 7, "ts": 60, "dur": 10,
   "args": {"device": 0, "stream": 7, "correlation": 5, "grid": [4, 2, 1], "block": [128, 1, 1],
            "registers per thread": 32, "shared memory": 1024, "est. achieved occupancy %": 50}},
  {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 7, "ts": 90, "dur": 5,
   "args": {"device": 0, "stream": 7, "correlation": 6, "grid": [1, 1, 1], "block": [512, 1, 1]}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)", "pid": 0, "tid": 9, "ts": 91, "dur": 2,
   "args": {"device": 0, "stream": 9, "correlation": 7, "bytes": 4096}}
]})json";

class Query : public ::testing::Test {
 protected:
  void open(std::string_view text) {
    read_ = trace::read_trace_text(text);
    ASSERT_FALSE(read_.error) << *read_.error;
    auto opened = Database::open(read_.trace);
    ASSERT_TRUE(opened) << opened.error();
    database_ = *std::move(opened);
  }
  void SetUp() override { open(small_trace); }

  std::vector<std::string> rows(std::string_view statement) {
    Collected result;
    const auto done = database_->run(statement, result);
    EXPECT_TRUE(done) << statement << ": " << (done ? "" : done.error());
    return result.rows;
  }
  std::string error(std::string_view statement) {
    Collected result;
    const auto done = database_->run(statement, result);
    EXPECT_FALSE(done) << statement;
    EXPECT_TRUE(result.rows.empty()) << statement;
    return done ? "" : done.error();
  }

  trace::ReadResult read_;
  std::unique_ptr<Database> database_;
};

TEST_F(Query, KernelsHaveTheirLaunchParametersAndTimes) {
  EXPECT_THAT(
      rows("SELECT number, name, start_ns, end_ns, duration_ns, device, stream FROM kernels"),
      ElementsAre("0|void gemm<4>(float*)|60000|70000|10000|0|7", "1|ncclDevKernel_AllReduce|90000|95000|5000|0|7"));
  EXPECT_THAT(rows("SELECT grid_x, grid_y, grid_z, blocks, block_x, threads_per_block, registers, shared_bytes,"
                   " occupancy_pct FROM kernels"),
              ElementsAre("4|2|1|8|128|128|32|1024|50", "1|1|1|1|512|512|||"));
  EXPECT_THAT(rows("SELECT short_name, class, launch_delay_ns, correlation FROM kernels"),
              ElementsAre("gemm|compute|35000|5", "ncclDevKernel_AllReduce|communication|33000|6"));
}

TEST_F(Query, IdsJoinWorkLaunchesOpsAndSlices) {
  EXPECT_THAT(rows("SELECT k.name, l.start_ns, o.name, p.name, s.kind, k.op_name, k.line FROM kernels k"
                   " JOIN launches l ON l.id = k.launch JOIN ops o ON o.id = k.op LEFT JOIN ops p ON p.id = o.parent"
                   " JOIN slices s ON s.id = l.id ORDER BY k.start_ns"),
              ElementsAre("void gemm<4>(float*)|25000|aten::mm|aten::linear|runtime call|aten::mm|train.py(7): step",
                          "ncclDevKernel_AllReduce|57000|aten::relu||runtime call|aten::relu|train.py(7): step"));
  EXPECT_THAT(rows("SELECT c.name, c.bytes, l.name, l.works, l.work = c.id, c.op_name FROM copies c"
                   " JOIN launches l ON l.id = c.launch"),
              ElementsAre("Memcpy DtoH (Device -> Pinned)|4096|cudaMemcpyAsync|1|1|aten::relu"));
}

TEST_F(Query, OpsHaveTheirOwnTimes) {
  EXPECT_THAT(rows("SELECT name, duration_ns, self_ns, gpu_ns, gpu_total_ns, kernels, copies, thread FROM ops"),
              ElementsAre("aten::linear|40000|20000|0|10000|0|0|1", "aten::mm|20000|15000|10000|10000|1|0|1",
                          "aten::relu|30000|25000|7000|7000|1|1|1"));
  EXPECT_THAT(rows("SELECT name, gpu_ns, parent FROM python"), ElementsAre("train.py(7): step|17000|"));
}

TEST_F(Query, GapsAndTheirPartsAddUp) {
  EXPECT_THAT(rows("SELECT device, start_ns, end_ns, duration_ns, work_name, op_name, line FROM gaps"),
              ElementsAre("0|70000|90000|20000|ncclDevKernel_AllReduce|aten::relu|train.py(7): step"));
  EXPECT_THAT(rows("SELECT sum(p.duration_ns) FROM gap_parts p JOIN gaps g ON g.id = p.gap"), ElementsAre("20000"));
  EXPECT_THAT(rows("SELECT duration_ns, computing_ns, communicating_ns, idle_ns FROM gpus"),
              ElementsAre("35000|10000|5000|20000"));
  EXPECT_THAT(rows("SELECT min(start_ns), max(end_ns), sum(duration_ns) FROM path"), ElementsAre("0|100000|100000"));
}

TEST_F(Query, ArgumentsThatHaveNoColumnAreKeptAsJson) {
  open(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2,)"
       R"( "args": {"my key": "mine", "n": 3}}]})");
  EXPECT_THAT(rows("SELECT json_extract(args, '$.\"my key\"'), json_extract(args, '$.n') FROM slices"),
              ElementsAre("mine|3"));
}

// Of each pair, the second statement cannot use an index or an order: unary plus forbids SQLite to tell of the
// condition.
TEST_F(Query, SearchesFindWhatAScanFinds) {
  std::string events;
  for (int i = 0; i < 300; ++i)
    events +=
        fmt::format(R"({}{{"ph": "X", "cat": "cpu_op", "name": "op{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}}})",
                    i == 0 ? "" : ",", i % 7, 1 + i % 3, 10 * i, i % 11);
  open("{\"traceEvents\": [" + events + "]}");
  const std::pair<const char*, const char*> pairs[] = {
      {"SELECT count(*) FROM ops a JOIN ops b ON a.name = b.name",
       "SELECT count(*) FROM ops a JOIN ops b ON +a.name = +b.name"},
      {"SELECT count(*) FROM ops a JOIN ops b ON a.duration_ns = b.duration_ns",
       "SELECT count(*) FROM ops a JOIN ops b ON +a.duration_ns = +b.duration_ns"},
      {"SELECT count(*) FROM ops a JOIN ops b ON b.start_ns > a.start_ns AND b.start_ns <= a.end_ns",
       "SELECT count(*) FROM ops a JOIN ops b ON +b.start_ns > a.start_ns AND +b.start_ns <= a.end_ns"},
      {"SELECT count(*) FROM ops a JOIN slices b ON b.id = a.id",
       "SELECT count(*) FROM ops a JOIN slices b ON +b.id = +a.id"},
      {"SELECT id FROM ops WHERE start_ns BETWEEN 100000 AND 200000.5 ORDER BY id",
       "SELECT id FROM ops WHERE +start_ns BETWEEN 100000 AND 200000.5 ORDER BY id"},
      {"SELECT name FROM ops WHERE name = 'OP3' COLLATE NOCASE",
       "SELECT name FROM ops WHERE +name = 'OP3' COLLATE NOCASE"},
      {"SELECT id FROM slices WHERE id IN (5, 3, 999, -1, 3.0) ORDER BY id",
       "SELECT id FROM slices WHERE +id IN (5, 3, 999, -1, 3.0) ORDER BY id"},
      {"SELECT id FROM slices WHERE id >= 290.5 OR id < 2 ORDER BY id",
       "SELECT id FROM slices WHERE +id >= 290.5 OR +id < 2 ORDER BY id"},
      {"SELECT count(*) FROM ops WHERE thread = '2'", "SELECT count(*) FROM ops WHERE +thread = 2"},
      {"SELECT count(*) FROM ops WHERE duration_ns < 'a'", "SELECT count(*) FROM ops WHERE +duration_ns < 'a'"},
      {"SELECT count(*) FROM ops WHERE name > 'op3'", "SELECT count(*) FROM ops WHERE +name > 'op3'"},
      {"SELECT name, count(*), sum(duration_ns) FROM ops GROUP BY name",
       "SELECT name, count(*), sum(duration_ns) FROM ops GROUP BY +name ORDER BY name"},
      {"SELECT name, count(*) FROM ops GROUP BY name ORDER BY name DESC",
       "SELECT name, count(*) FROM ops GROUP BY +name ORDER BY +name DESC"},
      {"SELECT DISTINCT thread FROM ops ORDER BY thread", "SELECT DISTINCT +thread FROM ops ORDER BY 1"},
      {"SELECT parent, count(*) FROM slices GROUP BY parent", "SELECT parent, count(*) FROM slices GROUP BY +parent"},
  };
  for (const auto& [searched, scanned] : pairs) {
    const auto want = rows(scanned);
    EXPECT_FALSE(want.empty()) << scanned;
    EXPECT_EQ(rows(searched), want) << searched;
  }
  EXPECT_THAT(rows("SELECT count(*) FROM ops WHERE id = NULL"), ElementsAre("0"));
}

TEST_F(Query, NamesOfAnyBytesStayAsTheyAre) {
  open(
      R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a\"b',\n\u0001\u0000c ü", "pid": 1, "tid": "main", "ts": 1, "dur": 2}]})");
  EXPECT_THAT(rows("SELECT name FROM ops"), ElementsAre(std::string("a\"b',\n\x01\0c \xc3\xbc", 12)));
  EXPECT_THAT(rows("SELECT thread FROM ops WHERE thread = 'main'"), ElementsAre("main"));
  EXPECT_THAT(rows("SELECT count(*) FROM ops WHERE thread > 5"), ElementsAre("1")) << "texts come after numbers";
}

TEST_F(Query, OnlyReadsOneStatement) {
  for (const char* const statement :
       {"DELETE FROM kernels", "INSERT INTO kernels(name) VALUES('x')", "CREATE TABLE t(x)", "CREATE TEMP TABLE t(x)",
        "DROP TABLE kernels", "ATTACH '/tmp/warpwalk-never.sqlite' AS x", "PRAGMA journal_mode = OFF", "VACUUM",
        "BEGIN"})
    EXPECT_THAT(error(statement), HasSubstr("only SELECT")) << statement;
  EXPECT_THAT(error("SELECT 1; SELECT 2"), HasSubstr("more than one statement"));
  EXPECT_THAT(error(""), HasSubstr("empty"));
  EXPECT_THAT(error("-- only a comment"), HasSubstr("empty"));
  EXPECT_THAT(error("SELECT ?"), HasSubstr("parameters"));
  EXPECT_THAT(rows("SELECT 1; -- a comment\n ;"), ElementsAre("1"));
  EXPECT_THAT(rows("PRAGMA table_info(gaps)").front(), HasSubstr("0|id|INTEGER"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/warpwalk-never.sqlite"));
}

TEST_F(Query, AnErrorHasSqlitesMessageAndAHint) {
  for (const auto& [statement, words] : std::initializer_list<std::pair<const char*, std::vector<const char*>>>{
           {"SELECT nme FROM kernels", {"no such column: nme", "did you mean name?", "--schema"}},
           {"SELECT * FROM kernel", {"no such table: kernel", "did you mean kernels?", "--schema"}},
           {"SELECT k.duraton_ns FROM kernels k", {"no such column: k.duraton_ns", "did you mean duration_ns?"}},
           {"SELEC 1", {"syntax error", "--schema"}}}) {
    const std::string line = error(statement);
    for (const char* const word : words) EXPECT_THAT(line, HasSubstr(word)) << statement;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST_F(Query, AnEndlessStatementCanBeStoppedAndARowCanBeTheLast) {
  int asked = 0;
  database_->set_stop([&] { return ++asked == 3; });
  EXPECT_THAT(error("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"),
              HasSubstr("stopped"));
  EXPECT_EQ(asked, 3);
  Collected few;
  few.most = 4;
  EXPECT_TRUE(database_->run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", few));
  EXPECT_THAT(few.rows, ElementsAre("1", "2", "3", "4"));
}

class Export : public Query {
 protected:
  void SetUp() override {
    Query::SetUp();
    folder_ = std::filesystem::temp_directory_path() / fmt::format("warpwalk-export-{}", ::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(std::string_view name, std::string_view text = {}) const {
    if (!text.empty()) std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  /// The first column of the first row.
  static std::string ask(const std::string& path, const char* statement) {
    sqlite3* connection = nullptr;
    std::string answer = "no answer";
    EXPECT_EQ(sqlite3_open_v2(path.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    const auto keep = [](void* to, int, char** values, char**) {
      *static_cast<std::string*>(to) = values[0] == nullptr ? "NULL" : values[0];
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(connection, statement, keep, &answer, nullptr), SQLITE_OK) << sqlite3_errmsg(connection);
    sqlite3_close(connection);
    return answer;
  }
  std::filesystem::path folder_;
};

TEST_F(Export, TheFileHasTheSameTables) {
  const std::string out = file("out.sqlite");
  ASSERT_TRUE(database_->write(out));
  EXPECT_EQ(files(), 1u) << "something is left beside it";
  EXPECT_EQ(ask(out, "PRAGMA integrity_check"), "ok");
  EXPECT_EQ(ask(out, "SELECT count(*) FROM slices"), "10");
  EXPECT_EQ(ask(out, "SELECT o.name FROM kernels k JOIN ops o ON o.id = k.op ORDER BY k.start_ns LIMIT 1"), "aten::mm");
  EXPECT_EQ(ask(out, "SELECT duration_ns FROM gaps"), "20000");
  EXPECT_EQ(ask(out, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"), std::to_string(tables().size()));
  EXPECT_THAT(ask(out, "SELECT sql FROM sqlite_schema WHERE name = 'kernels'"),
              HasSubstr("duration_ns INTEGER, -- ns"));
  ASSERT_TRUE(database_->write(out)) << "an exported file may be replaced";
  EXPECT_EQ(rows("SELECT count(*) FROM kernels").front(), "2") << "the database still answers";
}

TEST_F(Export, AnotherFileIsNotReplaced) {
  const std::string text = file("notes.txt", "mine"), other = file("other.sqlite"), empty = file("empty.sqlite");
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(other.c_str(), &connection), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(connection, "CREATE TABLE t(x)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(connection);
  for (const std::string& taken : {text, other}) {
    const auto done = database_->write(taken);
    ASSERT_FALSE(done) << taken;
    EXPECT_THAT(done.error(), HasSubstr("not a database that warpwalk exported"));
    EXPECT_FALSE(check_exportable(taken));
  }
  EXPECT_EQ(ask(other, "SELECT count(*) FROM t"), "0");
  std::ofstream(empty).close();
  EXPECT_TRUE(database_->write(empty)) << "an empty file holds nothing to lose";
  for (const std::string& place : {folder_.string(), file("no/such/folder.sqlite"), std::string("/dev/null")})
    EXPECT_FALSE(database_->write(place)) << place;
  EXPECT_EQ(files(), 3u) << "something is left beside them";
}

TEST_F(Export, AStoppedExportLeavesNothing) {
  std::string events;
  for (int i = 0; i < 20'000; ++i)
    events += fmt::format(R"({}{{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": {}, "dur": 1}})",
                          i == 0 ? "" : ",", 2 * i);
  open("{\"traceEvents\": [" + events + "]}");
  database_->set_stop([] { return true; });
  const auto done = database_->write(file("out.sqlite"));
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error(), HasSubstr("stopped; nothing was written"));
  EXPECT_EQ(files(), 0u);
}

TEST(QueryTables, EachIsDescribed) {
  for (const Table& table : tables()) {
    EXPECT_NE(table.meaning, "") << table.name;
    EXPECT_EQ(table.id != Table::Id::none, table.columns.front().name == "id") << table.name;
    for (const Column& column : table.columns) EXPECT_NE(column.meaning, "") << table.name << "." << column.name;
    EXPECT_THAT(schema_text(), HasSubstr(fmt::format("{}: {}\n", table.name, table.meaning)));
    EXPECT_THAT(tables_text(), HasSubstr(std::string(table.meaning)));
  }
  EXPECT_EQ(schema_text("nothing"), "");
  EXPECT_THAT(schema_text("gaps"), ::testing::StartsWith("gaps: "));
}

}  // namespace
}  // namespace warpwalk::query
