// The file of answers: what is written can be read, and what cannot be read is named.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/answers/answer_log.h"
#include "app/answers/option_counts.h"
#include "app/answers/read_answers.h"
#include "app/answers/summary.h"

namespace warpwalk::answers {
namespace {

using ::testing::HasSubstr;

Answer some_answer(std::optional<std::size_t> chosen = 1) {
  Answer answer;
  answer.time = "2026-11-23T05:20:11Z";
  answer.session = "s1";
  answer.student = "Ada \"L\"\n";
  answer.walk = "relu.json.gz";
  answer.follow = "op:2";
  answer.scene = "lanes";
  answer.beat = 2;
  answer.key = "lanes.fold";
  answer.about = "kernel 4 sm 0";
  answer.question = "How many sectors – and why?";
  answer.options = {"1 sector", "4 sectors", "8 sectors"};
  answer.chosen = chosen;
  answer.right = 2;
  answer.seconds = 3.5;
  answer.attempt = 1;
  return answer;
}

class AnswersFile : public ::testing::Test {
 protected:
  AnswersFile() : folder_(std::filesystem::temp_directory_path() / ("warpwalk_answers." + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~AnswersFile() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return folder_ / "deeper" / "answers.jsonl"; }
  std::string text() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::filesystem::path folder_;
};

TEST(AnswerLine, IsReadAsItWasWritten) {
  for (const std::optional<std::size_t> chosen : {std::optional<std::size_t>(0), std::optional<std::size_t>(2), {}}) {
    const std::string line = json_line(some_answer(chosen));
    EXPECT_THAT(line, ::testing::Not(HasSubstr("\n")));
    const ReadAnswers read = parse_answers(line, "a");
    EXPECT_TRUE(read.problems.empty()) << read.problems.front();
    ASSERT_EQ(read.answers.size(), 1u);
    EXPECT_EQ(read.answers.front(), some_answer(chosen));
  }
  EXPECT_THAT(json_line(some_answer(2)), HasSubstr(R"("correct":true)"));
  EXPECT_THAT(json_line(some_answer({})), HasSubstr(R"("answer":null,"right":"8 sectors","correct":false)"));
}

TEST(AnswerLines, WhatCannotBeReadIsNamedAndTheRestIsKept) {
  const std::string good = json_line(some_answer());
  const std::pair<std::string, std::string> wrong[] = {
      {"{", "byte"},
      {"[]", "not a JSON object"},
      {"{}", "\"warpwalk_answer\" is missing"},
      {R"({"warpwalk_answer": 2})", "is not 1"},
      {R"({"warpwalk_answer": 1})", "\"key\" is missing"},
      {R"({"warpwalk_answer": 1, "key": 3})", "\"key\" is not a string"},
      {R"({"warpwalk_answer": 1, "key": "a", "question": "b", "options": ["x"]})", "\"options\""},
      {R"({"warpwalk_answer": 1, "key": "a", "question": "b", "options": ["x", 1]})", "\"options\""},
      {R"({"warpwalk_answer": 1, "key": "a", "question": "b", "options": ["x", "y"], "answer": "z", "right": "x"})",
       "\"answer\" is not one of \"options\""},
      {R"({"warpwalk_answer": 1, "key": "a", "question": "b", "options": ["x", "y"], "answer": "y", "right": null})",
       "\"right\""},
      {R"({"warpwalk_answer": 1, "key": "a", "question": "b", "options": ["x", "y"], "answer": "y", "right": "x", "seconds": -1})",
       "\"seconds\""},
      {R"({"warpwalk_answer": 1, "key": "a", "question": "\uDDDD", "options": ["x", "y"], "answer": "y", "right": "x"})",
       "not a character"},
      {std::string(3, '['), "byte"},
      {std::string(60000, '['), "byte"},
      {std::string(70000, ' ') + "x", "longer than"},
      {"\"\xff\xfe\"", "byte"},
      {std::string("\0\0", 2), "byte"},
  };
  for (const auto& [line, words] : wrong) {
    const ReadAnswers read = parse_answers(good + "\n\n" + line + "\r\n" + good, "class.jsonl");
    EXPECT_EQ(read.answers.size(), 2u) << line.substr(0, 200);
    ASSERT_EQ(read.problems.size(), 1u) << line.substr(0, 200);
    EXPECT_TRUE(read.problems.front().starts_with("class.jsonl: line 3: ")) << read.problems.front();
    EXPECT_THAT(read.problems.front(), HasSubstr(words));
    EXPECT_THAT(read.problems.front(), ::testing::Not(HasSubstr("\n")));
  }
}

TEST_F(AnswersFile, GrowsByALineForEachAnswer) {
  const AnswerLog log(file(), "Ada");
  Answer answer = some_answer();
  for (int i = 1; i <= 3; ++i) {
    answer.attempt = i;
    const auto done = log.add(answer);
    EXPECT_TRUE(done) << done.error();
    const ReadAnswers read = parse_answers(text(), "a");
    ASSERT_EQ(read.answers.size(), static_cast<std::size_t>(i));  // it is there at once
    EXPECT_EQ(read.answers.back().attempt, i);
    EXPECT_EQ(read.answers.back().student, "Ada");
    EXPECT_FALSE(read.answers.back().session.empty());
    EXPECT_TRUE(std::regex_match(read.answers.back().time, std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")));
  }
}

// A class hands in files, texts that were pasted, and some of it twice.
TEST_F(AnswersFile, AFolderOfAClassIsReadOnce) {
  Answer first = some_answer(0), second = some_answer(2);
  first.student = "";
  second.session = "s2";
  const std::string lines = handed_in_lines({first}, "Bob");
  EXPECT_THAT(lines, HasSubstr(R"("student":"Bob")"));
  const std::string word = handed_in_word(handed_in_lines({second}, "Eve"));
  std::filesystem::create_directories(folder_ / "class" / "Eve");
  const auto file_of = [&](const char* name, const std::string& text) {
    std::ofstream(folder_ / "class" / name) << text;
  };
  file_of("bob.jsonl", lines);
  file_of("bob-2.jsonl", lines);
  file_of("Eve/onlinetext.html", "<p>" + word + "</p><p>" + word.substr(0, 40) + "</p>");
  file_of("photo.png", "png");
  const ReadAnswers read = read_answers({folder_ / "class"});
  ASSERT_EQ(read.answers.size(), 2u);
  EXPECT_EQ(read.answers[0].student, "Ada \"L\"\n");  // it had a name
  EXPECT_EQ(read.answers[1].student, "Bob");
  ASSERT_EQ(read.problems.size(), 2u);
  EXPECT_THAT(read.problems[0], HasSubstr("its end is missing; copy it again"));
  EXPECT_THAT(read.problems[1], HasSubstr("photo.png: has no answers"));
  EXPECT_EQ(read_answers({folder_ / "none"}).problems.size(), 1u);
}

TEST(OptionCount, CountsFirstAnswersOfOneQuestion) {
  Answer again = some_answer(2), rehearsed = some_answer(2), elsewhere = some_answer(2), changed = some_answer(0);
  again.attempt = 2;
  rehearsed.rehearsal = true;
  elsewhere.about = "kernel 5 sm 0";
  changed.options.pop_back();
  changed.right = 0;
  Answer german = some_answer(2);
  german.question = "Wie viele Sektoren?";
  german.options = {"1 Sektor", "4 Sektoren", "8 Sektoren"};
  const OptionCounts counts =
      count_options({some_answer(0), some_answer(2), some_answer({}), again, rehearsed, elsewhere, changed, german},
                    "relu.json.gz", "lanes.fold", "kernel 4 sm 0", 3);
  EXPECT_EQ(counts.options, (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_EQ(counts.answered, 3u);
  EXPECT_EQ(counts.shown, 1u);
}

TEST_F(AnswersFile, ARehearsalIsMarked) {
  ASSERT_TRUE(AnswerLog(file(), "", true).add(some_answer()));
  ASSERT_TRUE(AnswerLog(file(), "").add(some_answer()));
  const ReadAnswers read = parse_answers(text(), "a");
  ASSERT_EQ(read.answers.size(), 2u);
  EXPECT_TRUE(read.answers[0].rehearsal);
  EXPECT_FALSE(read.answers[1].rehearsal);
}

TEST_F(AnswersFile, NoNameIsRecordedUnlessThereIsOne) {
  ASSERT_TRUE(AnswerLog(file(), "").add(some_answer()));
  EXPECT_THAT(text(), ::testing::Not(HasSubstr("student")));
}

TEST_F(AnswersFile, ALineThatWasLeftUnfinishedSpoilsNoOther) {
  std::filesystem::create_directories(file().parent_path());
  std::ofstream(file()) << json_line(some_answer()) << "\n{\"warpwalk_ans";
  ASSERT_TRUE(AnswerLog(file(), "").add(some_answer()));
  const ReadAnswers read = parse_answers(text(), "a");
  EXPECT_EQ(read.answers.size(), 2u);
  EXPECT_EQ(read.problems.size(), 1u);
}

TEST_F(AnswersFile, WhereNothingCanBeWrittenOneLineSaysSo) {
  for (const char* const where : {"/proc/nowhere/answers.jsonl", "/dev/null", "/", ""}) {
    const auto done = AnswerLog(where, "").add(some_answer());
    ASSERT_FALSE(done) << where;
    EXPECT_THAT(done.error(), HasSubstr("answers cannot be kept"));
    EXPECT_THAT(done.error(), HasSubstr("--answers FILE"));
    EXPECT_THAT(done.error(), ::testing::Not(HasSubstr("\n")));
  }
  // A pipe would block the window.
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(AnswerLog(folder_ / "pipe", "").add(some_answer()));
}

// A limit on the size of files simulates a full disk.
TEST_F(AnswersFile, OnAFullDiskTheFileStaysAsItWas) {
  const AnswerLog log(file(), "");
  ASSERT_TRUE(log.add(some_answer()));
  const std::string before = text();
  const auto add_with_little_room = [&] {
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = before.size() + 20;
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto done = log.add(some_answer());
    return !done && done.error().find("answers cannot be kept") != std::string::npos && text() == before;
  };
  EXPECT_EXIT(std::exit(add_with_little_room() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

TEST(Summary, CountsFirstAttempts) {
  std::vector<Answer> answers;
  const auto add = [&](std::optional<std::size_t> chosen, double seconds, const char* student, int attempt = 1) {
    Answer answer = some_answer(chosen);
    answer.seconds = seconds;
    answer.student = student;
    answer.attempt = attempt;
    answers.push_back(answer);
  };
  add(2, 4, "Ada");
  add(1, 2, "Bo");
  add(1, 9, "Cy");
  add(0, 3, "Ada");
  add({}, 1, "Bo");
  add(2, 1, "Bo", 2);  // knows the answer by now
  Answer other = some_answer(2);
  other.walk = "other.json";
  other.student = "Di";
  answers.push_back(other);
  const std::vector<QuestionSummary> questions = summarise(answers);
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[0].walk, "relu.json.gz");
  EXPECT_EQ(questions[0].right, "8 sectors");
  EXPECT_EQ(questions[0].asked, 5u);
  EXPECT_EQ(questions[0].answered, 4u);
  EXPECT_EQ(questions[0].correct, 1u);
  EXPECT_EQ(questions[0].most_common_wrong, "4 sectors");
  EXPECT_EQ(questions[0].most_common_wrong_count, 2u);
  EXPECT_EQ(questions[0].median_seconds, 3.5);
  EXPECT_EQ(questions[1].most_common_wrong_count, 0u);
  const std::vector<StudentSummary> students = summarise_students(answers);
  ASSERT_EQ(students.size(), 4u);
  EXPECT_EQ(students[0].student, "Ada");
  EXPECT_EQ(students[0].answered, 2u);
  EXPECT_EQ(students[0].correct, 1u);
  EXPECT_EQ(students[1].asked, 2u);
  EXPECT_EQ(students[1].answered, 1u);
}

}  // namespace
}  // namespace warpwalk::answers
