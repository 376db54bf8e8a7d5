#pragma once

// This folder reads, writes and sums up answers to the questions of beats. The questions themselves are in
// core/story/stage.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::answers {

/// A person's answer to one question. A line of an answers file.
struct Answer {
  std::string time;     ///< UTC: "2026-11-23T05:20:11Z"
  std::string session;  ///< the same for one start of the window
  std::string student;  ///< a name that the person set; empty: none is recorded
  std::string walk;     ///< the name of the trace's file, without its folder
  std::string follow;   ///< op:N, kernel:N or launch:N; empty: the op with the most GPU time
  std::string scene;
  int beat = 1;
  std::string key;       ///< of the question: "schedulers.pick"
  std::string about;     ///< what it was about: "kernel 12 sm 0 cycle 177"
  std::string question;  ///< its words
  std::vector<std::string> options;
  std::optional<std::size_t> chosen;  ///< index of the answer; empty: skipped
  std::size_t right = 0;              ///< index of the right option
  double seconds = 0;                 ///< from the question to the answer
  int attempt = 1;                    ///< 2 if the same question was asked anew, and so on
  bool rehearsal = false;             ///< given in a rehearsal, which does not count

  bool correct() const { return chosen == right; }
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// The answer as a line of JSON, without its line feed.
std::string json_line(const Answer& answer);

/// Answers that were read, and what was wrong with the other lines.
struct ReadAnswers {
  std::vector<Answer> answers;
  std::vector<std::string> problems;  ///< one line each: file, line, what is wrong
};

/// Reads the text of an answers file, line by line. Accepts any bytes.
ReadAnswers parse_answers(std::string_view text, std::string_view file_name);

}  // namespace warpwalk::answers
