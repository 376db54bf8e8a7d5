#include "core/trace/chrome/key_predictor.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/trace/chrome/event.h"

namespace warpwalk::trace::test {
namespace {

// Behind each event, as in a file: keys are recognised only where enough text follows.
const std::string padding(2 * Gap::longest, ' ');

// Everything that was read, in one text.
std::string all_of(const RawEvent& event) {
  std::string out(1, event.phase == 0 ? '-' : event.phase);
  out += event.scope;
  for (const RawValue* value : {&event.name, &event.category, &event.pid, &event.tid, &event.id, &event.ts, &event.dur})
    out += '|' + std::string(value->text.text);
  for (const RawArg& arg : event.args)
    out += '|' + std::to_string(static_cast<int>(arg.key)) + ' ' + std::string(arg.name.text) + '=' +
           std::string(arg.value.text.text);
  return out + '|' + std::to_string(event.irregular);
}

// Reads `text` with what `keys` knows; says where reading stopped.
std::string reading_of(const std::string& text, KeyPredictor& keys) {
  const std::string padded = text + padding;
  JsonCursor cursor(padded, true);
  RawEvent event;
  const bool read = read_event(cursor, event, keys);
  return (read ? all_of(event) : "unreadable") + '@' + std::to_string(cursor.offset());
}

const std::vector<std::string> events = {
    R"({"ph": "X", "cat": "cpu_op", "name": "add", "ts": 1.5, "args": {"External id": 3, "Ev Idx": 4}})",
    R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1.5, "args": {"correlation": 3, "name": "in args"}})",
    R"({"ph": "X", "args": null, "name": "k", "ts": 1.5})",
    R"({"name": "M", "args": {}, "ph": "M"})",
    R"({"ph": "X", "args": {"name": {"ph": "i"}, "ph": "i"}, "ph": "X"})",
    R"({})",
    R"({"args": {"args": {"args": 1}}})",
    R"({"ph": "X",})",
    R"({"ph": "X", "args": {"name": 1,}})",
    R"({ , "ph": "X"})",
    R"({"ph": "X" "name": "k"})",
    R"({"ph": "X", "na\u006de": "k", "name": "n"})",
    R"({"ph": "X", "n)"
    "\xc3\xa9"
    R"(": 1, "name": "n"})",
    R"({"ph": "X", "a key that is longer than any that is remembered, by some letters": {"ph": "i"}, "name": "n"})",
    R"({"ph": "X", "args": {"a key that is longer than any that is remembered, by some letters": 1, "name": "n"}})",
    R"({"ph"  :  "X"  ,  "name":"k"})",
};

TEST(KeyPredictor, ChangesNothingThatIsRead) {
  KeyPredictor experienced;
  for (int round = 0; round < 4; ++round)
    for (const std::string& first : events)
      for (const std::string& second : events)
        for (const std::string& event : {first, second}) {
          KeyPredictor fresh;
          ASSERT_EQ(reading_of(event, experienced), reading_of(event, fresh)) << event;
        }
}

TEST(KeyPredictor, FindsWhatFollowedBefore) {
  KeyPredictor keys;
  const std::string text = R"({"ph": )" + padding;
  keys.restart();
  EXPECT_EQ(keys.find(text), nullptr);
  keys.learn(std::string_view(text).substr(0, 7), Member::phase, ArgKey::other, std::string_view(text).substr(2, 2));
  EXPECT_EQ(keys.find(text), nullptr) << "it has followed the beginning, not itself";
  keys.restart();
  const Gap* const gap = keys.find(text);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->member, Member::phase);
  EXPECT_EQ(gap->size, 7);
  EXPECT_EQ(text.substr(gap->name_at, gap->name_size), "ph");
  keys.restart();
  EXPECT_EQ(keys.find(R"({"ph": )"), nullptr) << "words are compared only within the text";
}

TEST(KeyPredictor, KeysThatNeverRepeatAreNotAllKept) {
  KeyPredictor keys;
  for (int i = 0; i < 5000; ++i) {
    KeyPredictor fresh;
    const std::string event =
        R"({"ph": "X", "args": {"key )" + std::to_string(i) + R"(": 1}, "name )" + std::to_string(i) + R"(": 2})";
    ASSERT_EQ(reading_of(event, keys), reading_of(event, fresh));
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
