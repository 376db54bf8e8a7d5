// Sessions of a client of the Debug Adapter Protocol.
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/verbs/debug/transport.h"
#include "core/platform/pipe.h"
#include "tests/debug/dap_client.h"

namespace warpwalk::debug {
namespace {

using testing::DapClient;

std::string folder_of(const std::string& name) { return WARPWALK_SOURCE_DIR "/tests/history/wrong_output/" + name; }

int line_in(const std::string& name, std::string_view text) {
  std::ifstream source(folder_of(name) + "/kernel.cu");
  std::string line;
  for (int number = 1; std::getline(source, line); ++number)
    if (line.find(text) != std::string::npos) return number;
  throw std::runtime_error("no such line");
}

bool good(const rapidjson::Document& response) { return response["success"].GetBool(); }

class Dap : public ::testing::Test {
 protected:
  void start(const std::string& name) { client.launch(folder_of(name) + "/launch.json", "ptx"); }
  std::string reason() const {
    const auto* const stopped = client.event("stopped");
    return stopped == nullptr ? "" : (*stopped)["body"]["reason"].GetString();
  }
  std::string set_line(const std::string& name, int line, const std::string& more = "") {
    const auto& response = client.request(
        "setBreakpoints", fmt::format(R"({{"source": {{"path": "{}/kernel.cu"}}, "breakpoints": [{{"line": {}{}}}]}})",
                                      folder_of(name), line, more));
    const auto& breakpoint = response["body"]["breakpoints"][0];
    return breakpoint["verified"].GetBool() ? "" : breakpoint["message"].GetString();
  }
  DapClient client;
};

TEST_F(Dap, ALineBothWays) {
  start("stale_tile");
  const int line = line_in("stale_tile", "sum +=");
  EXPECT_EQ(set_line("stale_tile", line, R"(, "condition": "threadIdx.x == 37 && blockIdx.x == 1")"), "");
  client.request("continue", R"({"threadId": 1})");
  EXPECT_EQ(reason(), "breakpoint");
  EXPECT_EQ(client.line(), line);
  const auto& value = client.request("evaluate", R"({"expression": "threadIdx.x", "context": "hover"})");
  EXPECT_STREQ(value["body"]["result"].GetString(), "37 (0x25)");
  client.request("next", R"({"threadId": 66})");
  EXPECT_EQ(reason(), "step");
  EXPECT_NE(client.line(), line);
  client.request("stepBack", R"({"threadId": 66})");
  EXPECT_EQ(client.line(), line);
  client.request("reverseContinue", R"({"threadId": 66})");
  EXPECT_EQ(reason(), "entry");
  client.request("warpwalk/goToCycle", R"({"cycle": 1000000})");
  EXPECT_EQ(reason(), "goto");
  client.request("reverseContinue", R"({"threadId": 66})");
  EXPECT_EQ(reason(), "breakpoint");
  EXPECT_EQ(client.line(), line);
}

TEST_F(Dap, ThreadsScopesAndMemory) {
  start("stale_tile");
  const auto& threads = client.request("threads");
  ASSERT_EQ(threads["body"]["threads"].Size(), 2U);
  EXPECT_STREQ(threads["body"]["threads"][1]["name"].GetString(), "block (0,0,0) warp 1: threads 32 to 63");
  client.line();
  const auto& scopes = client.request("scopes", R"({"frameId": 1})");
  ASSERT_EQ(scopes["body"]["scopes"].Size(), 6U);
  const int arguments = scopes["body"]["scopes"][1]["variablesReference"].GetInt();
  const int registers = scopes["body"]["scopes"][4]["variablesReference"].GetInt();
  const auto& variables = client.request("variables", fmt::format(R"({{"variablesReference": {}}})", arguments));
  int elements = 0;
  std::string memory;
  for (const auto& variable : variables["body"]["variables"].GetArray())
    if (variable["name"] == "x") {
      elements = variable["variablesReference"].GetInt();
      memory = variable["memoryReference"].GetString();
      EXPECT_EQ(variable["indexedVariables"].GetInt(), 960);
    }
  const auto& part =
      client.request("variables", fmt::format(R"({{"variablesReference": {}, "start": 7, "count": 2}})", elements));
  ASSERT_EQ(part["body"]["variables"].Size(), 2U);
  EXPECT_STREQ(part["body"]["variables"][1]["value"].GetString(), "8");
  EXPECT_STREQ(part["body"]["variables"][1]["evaluateName"].GetString(), "x[8]");
  const auto& bytes =
      client.request("readMemory", fmt::format(R"({{"memoryReference": "{}", "offset": 4, "count": 4}})", memory));
  EXPECT_STREQ(bytes["body"]["data"].GetString(), "AACAPw==");  // 1.0f
  const auto& all = client.request("variables", fmt::format(R"({{"variablesReference": {}}})", registers));
  EXPECT_GT(all["body"]["variables"].Size(), 3U);
  EXPECT_EQ(all["body"]["variables"][0]["indexedVariables"].GetInt(), 32);
  const auto& code =
      client.request("disassemble", R"({"memoryReference": "0x0", "instructionOffset": -1, "instructionCount": 4})");
  ASSERT_EQ(code["body"]["instructions"].Size(), 4U);
  EXPECT_TRUE(good(client.request("modules")));
  EXPECT_EQ(client.request("loadedSources")["body"]["sources"].Size(), 1U);
}

TEST_F(Dap, DataAndExceptionBreakpoints) {
  start("stale_tile");
  const auto& info = client.request("dataBreakpointInfo", R"({"name": "y[70]"})");
  const std::string id = info["body"]["dataId"].GetString();
  client.request("setDataBreakpoints",
                 fmt::format(R"({{"breakpoints": [{{"dataId": "{}", "accessType": "write"}}]}})", id));
  client.request("continue", R"({"threadId": 1})");
  EXPECT_EQ(reason(), "data breakpoint");
  EXPECT_EQ(client.line(), line_in("stale_tile", "y[blockIdx.x"));
  DapClient other;
  other.launch(folder_of("missing_barrier") + "/launch.json", "ptx");
  other.request("setExceptionBreakpoints", R"({"filters": ["shared_race", "uninitialized"]})");
  other.request("continue", R"({"threadId": 1})");
  ASSERT_NE(other.event("stopped"), nullptr);
  EXPECT_STREQ((*other.event("stopped"))["body"]["reason"].GetString(), "exception");
  EXPECT_TRUE(good(other.request("exceptionInfo", R"({"threadId": 1})")));
}

/// Goes back from a wrong element; each call is a request.
struct Hunt {
  DapClient client;
  std::string name;

  explicit Hunt(std::string kernel) : name(std::move(kernel)) {
    client.launch(folder_of(name) + "/launch.json", "ptx");
    client.request("continue", R"({"threadId": 1})");  // to the end
  }
  const rapidjson::Value& ask(const std::string& arguments) {
    const auto& response = client.request("warpwalk/whoWrote", arguments);
    if (!good(response)) throw std::runtime_error(response["message"].GetString());
    return response["body"];
  }
  bool is_bug(const rapidjson::Value& place) const {
    return place.HasMember("line") && place["line"].GetInt() == line_in(name, "BUG:");
  }
  /// Whether an answer has the line among the instructions that the value came through.
  bool passes_bug(const rapidjson::Value& answer) const {
    for (const auto& step : answer["steps"].GetArray())
      if (is_bug(step)) return true;
    return false;
  }
  /// Whether one of its reads is in that line.
  bool reads_in_bug(const rapidjson::Value& answer) const {
    for (const auto& read : answer["reads"].GetArray())
      if (is_bug(read)) return true;
    return false;
  }
  static int last_read(const rapidjson::Value& answer) { return static_cast<int>(answer["reads"].Size()) - 1; }
  ~Hunt() { EXPECT_LE(client.requests(), 6) << name; }
};

TEST(DapHunts, FindEachPlantedBugInSixRequests) {
  {
    Hunt hunt("wrong_index");
    EXPECT_TRUE(hunt.reads_in_bug(hunt.ask(R"({"expression": "y[1]"})")));
  }
  {
    Hunt hunt("lost_update");
    EXPECT_TRUE(hunt.is_bug(hunt.ask(R"({"expression": "counts[0]"})")));
  }
  {
    Hunt hunt("stale_tile");
    const int last = Hunt::last_read(hunt.ask(R"({"expression": "y[0]"})"));
    EXPECT_TRUE(hunt.is_bug(hunt.ask(fmt::format(R"({{"read": {}}})", last))));
  }
  {
    Hunt hunt("overflow");
    EXPECT_TRUE(hunt.passes_bug(hunt.ask(R"({"expression": "total[537]"})")));
  }
  {
    Hunt hunt("nan_from_zero");
    EXPECT_TRUE(hunt.is_bug(hunt.ask(R"({"expression": "y[5]", "nan": true})")));
  }
  {
    Hunt hunt("missing_barrier");
    const int last = Hunt::last_read(hunt.ask(R"({"expression": "y[0]"})"));
    const auto& answer = hunt.ask(fmt::format(R"({{"read": {}}})", last));
    EXPECT_FALSE(answer["written"].GetBool());
    EXPECT_STREQ(answer["before"].GetString(), "never written");
    EXPECT_EQ(answer["later"]["line"].GetInt(), line_in("missing_barrier", "BUG:") - 1);
  }
  {
    Hunt hunt("wrong_mask");
    hunt.ask(R"({"expression": "y[1]"})");
    EXPECT_TRUE(hunt.passes_bug(hunt.ask(R"({"address": true})")));
  }
  {
    Hunt hunt("precision");
    EXPECT_TRUE(hunt.passes_bug(hunt.ask(R"({"expression": "y[0]"})")));
  }
  {
    Hunt hunt("uninitialized");
    const auto& answer = hunt.ask(R"({"expression": "y[0]"})");
    EXPECT_TRUE(hunt.reads_in_bug(answer));
    const int last = Hunt::last_read(answer);
    bool never = false;
    for (int read = last; read >= std::max(0, last - 2) && !never; --read) {
      const auto& back = hunt.ask(fmt::format(R"({{"read": {}, "go": false}})", read));
      never = !back["written"].GetBool();
      if (!never) break;
    }
    EXPECT_TRUE(never);
  }
  {
    Hunt hunt("off_by_one");
    EXPECT_TRUE(hunt.reads_in_bug(hunt.ask(R"({"expression": "y[1]"})")));
  }
}

TEST_F(Dap, VariablesOfTheSource) {
  const std::string folder = WARPWALK_SOURCE_DIR "/tests/debug/variables";
  client.launch(folder + "/ptx.json", "ptx");
  client.request("setBreakpoints", R"({"source": {"name": "kernel.cu"}, "breakpoints": [
      {"line": 9, "condition": "factor == 158 && blockIdx.x == 1"}]})");
  client.request("continue", R"({"threadId": 1})");
  ASSERT_EQ(reason(), "breakpoint");
  const std::int64_t thread = (*client.event("stopped"))["body"]["threadId"].GetInt64();
  const auto& stack = client.request("stackTrace", fmt::format(R"({{"threadId": {}}})", thread));
  ASSERT_EQ(stack["body"]["stackFrames"].Size(), 2U);
  const int caller = stack["body"]["stackFrames"][1]["id"].GetInt();
  const auto& scopes = client.request("scopes", fmt::format(R"({{"frameId": {}}})", caller));
  EXPECT_STREQ(scopes["body"]["scopes"][0]["name"].GetString(), "Locals");
  const int locals = scopes["body"]["scopes"][0]["variablesReference"].GetInt();
  const auto& shown = client.request("variables", fmt::format(R"({{"variablesReference": {}}})", locals));
  std::map<std::string, std::pair<std::string, int>> values;
  for (const auto& variable : shown["body"]["variables"].GetArray())
    values[variable["name"].GetString()] = {variable["value"].GetString(), variable["variablesReference"].GetInt()};
  EXPECT_EQ(values["i"].first, "69 (0x45)");
  EXPECT_EQ(values["pair"].first, "{a = 0.5, b = {3, 4, 5}}");
  // A number opens to the values of all lanes, a struct to its members.
  const auto& lanes = client.request("variables", fmt::format(R"({{"variablesReference": {}}})", values["i"].second));
  ASSERT_EQ(lanes["body"]["variables"].Size(), 32U);
  EXPECT_STREQ(lanes["body"]["variables"][31]["value"].GetString(), "95 (0x5f)");
  const auto& members =
      client.request("variables", fmt::format(R"({{"variablesReference": {}}})", values["pair"].second));
  EXPECT_STREQ(members["body"]["variables"][0]["name"].GetString(), "a");
  EXPECT_STREQ(members["body"]["variables"][0]["evaluateName"].GetString(), "pair.a");
  EXPECT_STREQ(members["body"]["variables"][0]["type"].GetString(), "float");
}

TEST_F(Dap, InputsAreSet) {
  start("stale_tile");
  client.line();
  const auto& scopes = client.request("scopes", R"({"frameId": 1})");
  const int arguments = scopes["body"]["scopes"][1]["variablesReference"].GetInt();
  const auto& variables = client.request("variables", fmt::format(R"({{"variablesReference": {}}})", arguments));
  int elements = 0;
  std::string memory;
  for (const auto& variable : variables["body"]["variables"].GetArray())
    if (variable["name"] == "x") {
      elements = variable["variablesReference"].GetInt();
      memory = variable["memoryReference"].GetString();
    }
  const auto& number = client.request(
      "setVariable", fmt::format(R"({{"variablesReference": {}, "name": "p2", "value": "3"}})", arguments));
  ASSERT_TRUE(good(number)) << number["message"].GetString();
  EXPECT_STREQ(number["body"]["value"].GetString(), "3");
  const auto& element = client.request(
      "setVariable", fmt::format(R"({{"variablesReference": {}, "name": "[2]", "value": "0.25"}})", elements));
  ASSERT_TRUE(good(element)) << element["message"].GetString();
  EXPECT_STREQ(element["body"]["value"].GetString(), "0.25");
  EXPECT_TRUE(good(client.request("setExpression", R"({"expression": "x[3]", "value": "x[2] * 2"})")));
  EXPECT_TRUE(good(client.request(
      "writeMemory", fmt::format(R"({{"memoryReference": "{}", "offset": 16, "data": "AACAPw=="}})", memory))));
  const auto& bytes =
      client.request("readMemory", fmt::format(R"({{"memoryReference": "{}", "offset": 8, "count": 12}})", memory));
  EXPECT_STREQ(bytes["body"]["data"].GetString(), "AACAPgAAAD8AAIA/");  // 0.25, 0.5, 1
  client.request("continue", R"({"threadId": 1})");
  const auto& late = client.request("setExpression", R"({"expression": "x[3]", "value": "1"})");
  EXPECT_FALSE(good(late));
  EXPECT_NE(std::string_view(late["message"].GetString()).find("reads it before this stop"), std::string_view::npos);
  client.request("restart");
  const auto& console = client.request("evaluate", R"({"expression": "set var x[3] = 8", "context": "repl"})");
  EXPECT_STREQ(console["body"]["result"].GetString(), "x[3] = 8\n");
}

TEST_F(Dap, Completions) {
  start("stale_tile");
  const auto labels = [&](const std::string& text) {
    std::string all;
    for (const auto& target : client
                                  .request("completions", fmt::format(R"({{"text": "{}", "column": {}}})", text,
                                                                      text.size() + 1))["body"]["targets"]
                                  .GetArray())
      all += std::string(target["label"].GetString()) + " ";
    return all;
  };
  EXPECT_EQ(labels("reverse-s"), "reverse-step reverse-stepi ");
  EXPECT_EQ(labels("print threadI"), "threadIdx.x threadIdx.y threadIdx.z ");
  EXPECT_EQ(labels("info bl"), "blocks ");
  EXPECT_EQ(labels("break col"), "column_sums ");
  EXPECT_EQ(labels("catch shared_r"), "shared_race ");
  EXPECT_EQ(labels("print x[p2 + %r1"), labels("%r1"));
  EXPECT_NE(labels(""), "");
}

TEST_F(Dap, WhatArrivesEndsWorkAndItsOwnWait) {
  start("stale_tile");
  EXPECT_EQ(set_line("stale_tile", line_in("stale_tile", "sum +=")), "");
  const int number = client.next_request();
  const auto message = [](int seq, const std::string& command, const std::string& arguments) {
    return fmt::format(R"({{"seq": {}, "type": "request", "command": "{}", "arguments": {}}})", seq, command,
                       arguments);
  };
  client.arrive(message(number, "continue", "{}"));
  client.arrive(message(number + 1, "pause", "{}"));
  client.arrive(message(number + 2, "threads", "{}"));
  client.arrive(message(number + 3, "cancel", fmt::format(R"({{"requestId": {}}})", number + 2)));
  EXPECT_TRUE(good(client.request("continue")));
  EXPECT_EQ(reason(), "pause");
  EXPECT_TRUE(good(client.request("pause")));
  EXPECT_EQ(client.event("stopped"), nullptr);
  const auto& cancelled = client.request("threads");
  EXPECT_FALSE(good(cancelled));
  EXPECT_STREQ(cancelled["message"].GetString(), "cancelled");
  EXPECT_TRUE(good(client.request("cancel")));
  EXPECT_TRUE(good(client.request("threads")));
  client.request("continue");
  EXPECT_EQ(reason(), "breakpoint");
}

TEST_F(Dap, NumbersAreShownAsTheClientAsks) {
  start("stale_tile");
  const auto& plain = client.request("evaluate", R"({"expression": "32 * 4"})");
  EXPECT_STREQ(plain["body"]["result"].GetString(), "128 (0x80)");
  const auto& hex = client.request("evaluate", R"({"expression": "32 * 4", "format": {"hex": true}})");
  EXPECT_STREQ(hex["body"]["result"].GetString(), "0x80");
}

TEST_F(Dap, LogMessagesDoNotStop) {
  start("stale_tile");
  EXPECT_EQ(
      set_line("stale_tile", line_in("stale_tile", "sum +="),
               R"(, "condition": "threadIdx.x == 37", "hitCondition": "1", "logMessage": "thread {threadIdx.x}")"),
      "");
  client.request("continue", R"({"threadId": 1})");
  EXPECT_STREQ((*client.event("output"))["body"]["output"].GetString(), "thread 37 (0x25)\n");
  EXPECT_STREQ((*client.event("stopped"))["body"]["description"].GetString(), "the launch has ended");
}

// A dump of an H200, in which a thread stored behind the shared memory of its block (tests/crash/programs/shared.cu).
TEST_F(Dap, CoreDumpsAreLookedAt) {
  client.launch(WARPWALK_SOURCE_DIR "/tests/crash/data/shared.core.gz", "auto");
  const auto& stack = client.request("stackTrace", R"({"threadId": 1})");
  ASSERT_TRUE(good(stack));
  const auto& frame = stack["body"]["stackFrames"][0];
  EXPECT_STREQ(frame["source"]["name"].GetString(), "shared.cu");
  const std::string address = frame["instructionPointerReference"].GetString();
  const auto& scopes = client.request("scopes", fmt::format(R"({{"frameId": {}}})", frame["id"].GetInt()));
  const int registers = scopes["body"]["scopes"][2]["variablesReference"].GetInt();
  const auto& shown = client.request("variables", fmt::format(R"({{"variablesReference": {}}})", registers));
  EXPECT_STREQ(shown["body"]["variables"][0]["name"].GetString(), "R0");
  const auto& code =
      client.request("disassemble", fmt::format(R"({{"memoryReference": "{}", "instructionCount": 3}})", address));
  EXPECT_EQ(code["body"]["instructions"].Size(), 3U);
  EXPECT_TRUE(good(client.request("evaluate", R"({"expression": "threadIdx.x"})")));
  const auto& step = client.request("stepBack", R"({"threadId": 1})");
  EXPECT_FALSE(good(step));
  EXPECT_STREQ(step["message"].GetString(), "a core dump can only be looked at: its program has ended");
}

TEST_F(Dap, BadMessagesGetErrors) {
  EXPECT_FALSE(good(client.request("threads")));
  EXPECT_FALSE(good(client.request("launch")));
  EXPECT_FALSE(good(client.request("launch", R"({"program": "/no/such/file"})")));
  EXPECT_FALSE(good(client.request("fly")));
  EXPECT_TRUE(client.send("{"));
  start("off_by_one");
  for (const char* const command :
       {"stackTrace", "scopes", "variables", "evaluate", "readMemory", "disassemble", "source", "setBreakpoints",
        "exceptionInfo", "setVariable", "setExpression", "writeMemory", "warpwalk/goToCycle", "warpwalk/whoWrote"})
    EXPECT_FALSE(good(client.request(command))) << command;
  EXPECT_FALSE(good(client.request("stackTrace", R"({"threadId": -5})")));
  EXPECT_FALSE(good(client.request("stackTrace", R"({"threadId": 1e300})")));
  EXPECT_FALSE(good(client.request("next", R"({"threadId": 123456789012})")));
  EXPECT_FALSE(good(client.request("evaluate", R"({"expression": "y[99999999]"})")));
  EXPECT_TRUE(good(client.request("setBreakpoints", R"({"source": {"path": "x"}, "breakpoints": 5})")));
  EXPECT_EQ(set_line("off_by_one", 5, R"(, "condition": "1 +")"),
            "the condition cannot be read: the expression ends too early");
  EXPECT_FALSE(client.send(R"({"seq": 99, "type": "request", "command": "disconnect"})"));
}

/// Serves what is in a pipe. `handle` gets a function that waits until a condition holds, or ten seconds have passed.
struct ServedPipe {
  platform::Pipe in, out;
  std::vector<std::string> arrived;
  bool gone = false;
  std::mutex mutex;
  std::condition_variable changed;

  bool wait(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(10), condition);
  }
  void serve(const std::function<bool(std::string_view)>& handle) {
    verbs::serve_messages(in.read_end(), out.write_end(), [&](const auto&) {
      return verbs::MessageServer{handle, [&](std::optional<std::string_view> message) {
                                    const std::lock_guard lock(mutex);
                                    if (message)
                                      arrived.emplace_back(*message);
                                    else
                                      gone = true;
                                    changed.notify_all();
                                  }};
    });
  }
  void send(std::string_view message) {
    const std::string text = verbs::framed(message);
    ASSERT_EQ(write(in.write_end(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
};

TEST(DapMessages, ArriveWhileAnEarlierOneIsHandled) {
  ServedPipe pipe;
  pipe.send("work");
  std::vector<std::string> handled;
  pipe.serve([&](std::string_view message) {
    handled.emplace_back(message);
    if (message == "end") return false;
    pipe.send("end");
    EXPECT_TRUE(pipe.wait([&] { return pipe.arrived.size() == 2; }));
    return true;
  });
  EXPECT_EQ(handled, (std::vector<std::string>{"work", "end"}));
  EXPECT_FALSE(pipe.gone);
}

TEST(DapMessages, EndWithTheirClient) {
  ServedPipe pipe;
  pipe.send("work");
  pipe.in.close_write_end();
  pipe.out.close_read_end();
  bool saw = false;
  pipe.serve([&](std::string_view) { return saw = pipe.wait([&] { return pipe.gone; }); });
  EXPECT_TRUE(saw);
}

TEST(DapMessages, AreFramed) {
  std::string input = "garbage\r\n\r\n" + verbs::framed("{\"a\": 1}") + "content-length: 2\r\nX: y\r\n\r\n{}" +
                      "Content-Length: 99999999999\r\n\r\n" + verbs::framed("[]") + "Content-Length: 9\r\n\r\ncut";
  std::size_t at = 0;
  verbs::MessageReader reader([&](char* into, std::size_t bytes) {
    const std::size_t part = std::min({bytes, input.size() - at, std::size_t{3}});
    input.copy(into, part, at);
    at += part;
    return static_cast<std::ptrdiff_t>(part);
  });
  EXPECT_EQ(reader.next(), "{\"a\": 1}");
  EXPECT_EQ(reader.next(), "{}");
  EXPECT_EQ(reader.next(), "[]");
  EXPECT_EQ(reader.next(), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::debug
