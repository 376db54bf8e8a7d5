#include "core/trace/chrome/event.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/trace/chrome/key_predictor.h"

namespace warpwalk::trace::test {
namespace {

bool read_raw(std::string_view text, RawEvent& out) {
  JsonCursor cursor(text, true);
  KeyPredictor keys;
  return read_event(cursor, out, keys);
}

TEST(Event, ReadsAllMembersInAnyOrder) {
  RawEvent event;
  ASSERT_TRUE(
      read_raw(R"({"args": {"stream": 7, "own": [1]}, "dur": 2.5, "ts": "3", "tid": "stream 7", "pid": 0, "name": "k",
                      "cat": "kernel", "ph": "X", "id": 9, "s": "g", "bp": "e", "unknown": {"ph": "M"}})",
               event));
  EXPECT_EQ(event.phase, 'X');
  EXPECT_EQ(event.scope, 'g');
  EXPECT_EQ(event.name.text.text, "k");
  EXPECT_EQ(event.category.text.text, "kernel");
  EXPECT_EQ(event.ts.type, RawValue::Type::string);
  EXPECT_EQ(event.tid.text.text, "stream 7");
  EXPECT_EQ(event.id.text.text, "9");
  ASSERT_EQ(event.args.size(), 2u);
  EXPECT_EQ(event.args[0].key, ArgKey::stream);
  EXPECT_EQ(event.args[1].key, ArgKey::other);
  EXPECT_EQ(event.args[1].value.text.text, "[1]");
}

TEST(Event, NothingStaysFromTheEventBefore) {
  RawEvent event;
  ASSERT_TRUE(read_raw(
      R"({"ph": "X", "name": "k", "pid": 1, "tid": 2, "ts": 3, "dur": 4, "cat": "c", "id": 1, "s": "p",
                      "args": {"a": 1}})",
      event));
  ASSERT_TRUE(read_raw("{}", event));
  EXPECT_EQ(event.phase, 0);
  EXPECT_EQ(event.scope, 't');
  for (const RawValue* value :
       {&event.name, &event.category, &event.pid, &event.tid, &event.id, &event.ts, &event.dur}) {
    EXPECT_EQ(value->type, RawValue::Type::null);
    EXPECT_TRUE(value->text.text.empty());
  }
  EXPECT_TRUE(event.args.empty());
}

TEST(Event, OfRepeatedMembersTheLastCounts) {
  RawEvent event;
  ASSERT_TRUE(read_raw(R"({"ph": "M", "ph": "X", "name": "a", "name": "b", "ts": 1, "ts": 2})", event));
  EXPECT_EQ(event.phase, 'X');
  EXPECT_EQ(event.name.text.text, "b");
  EXPECT_EQ(event.ts.text.text, "2");
}

TEST(Event, ArgsThatAreNoObjectSayNothing) {
  for (const char* args : {"null", "[1, 2]", "7", "\"text\""}) {
    RawEvent event;
    ASSERT_TRUE(read_raw(std::string(R"({"args": )") + args + R"(, "ph": "X"})", event));
    EXPECT_TRUE(event.args.empty());
    EXPECT_EQ(event.phase, 'X');
  }
}

TEST(Event, EveryKeyHasASpellingThatIsRead) {
  std::set<std::string_view> spellings;
  for (std::size_t i = 1; i < arg_keys; ++i) {
    const auto key = static_cast<ArgKey>(i);
    const std::string spelling(name_of(key));
    ASSERT_FALSE(spelling.empty()) << i;
    EXPECT_TRUE(spellings.insert(name_of(key)).second) << spelling;
    RawEvent event;
    ASSERT_TRUE(read_raw("{\"args\": {\"" + spelling + "\": 1, \"" + spelling + "x\": 2}}", event));
    EXPECT_EQ(event.args[0].key, key) << spelling;
    EXPECT_EQ(event.args[1].key, ArgKey::other) << spelling;
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
