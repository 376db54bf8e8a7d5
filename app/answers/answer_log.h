#pragma once

#include <filesystem>
#include <string>

#include "app/answers/answer.h"
#include "core/base/result.h"

namespace warpwalk::answers {

/// A file to which answers are appended, a line each.
class AnswerLog {
 public:
  /// `student`: a name for every answer; empty: none is recorded. `rehearsal`: the answers do not count.
  AnswerLog(std::filesystem::path file, std::string student, bool rehearsal = false);

  /// Fills in time, session and student, and appends the answer: it is in the file when this returns. On failure: one
  /// line, and the file is as before.
  base::Result<void> add(Answer answer) const;
  const std::filesystem::path& file() const { return file_; }
  const std::string& student() const { return student_; }

 private:
  std::filesystem::path file_;
  std::string student_;
  std::string session_;
  bool rehearsal_;
};

}  // namespace warpwalk::answers
