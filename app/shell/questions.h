#pragma once

#include <chrono>
#include <map>
#include <string>

#include "app/draw/ui.h"
#include "app/shell/session.h"

namespace warpwalk::shell {

/// Questions of the stage: an option is chosen, then committed to; the stage shows the right answer, and the person's
/// answer is kept.
class Questions {
 public:
  /// All of it must outlive this object.
  Questions(Session& session, const Host& host, pages::Messages& messages)
      : session_(session), host_(host), messages_(messages) {}

  /// Whether the stage waits for an answer. Several keys may come in one frame, so the stage is made for each of them.
  bool asks();
  /// Marks an option, counted from 0.
  void choose(double option);
  /// The chosen option is the answer; without one, the question is skipped. The motion shows what happens.
  void commit();
  /// Digits choose; Enter commits, unless Tab has put the focus on something else. Returns whether the key was for the
  /// question.
  bool key(const draw::KeyPress& press, draw::UiMemory& focus);
  /// Makes the stage. Notes when a question appears, and hands over the answer once the stage has shown it.
  void update();

 private:
  using Clock = std::chrono::steady_clock;

  void keep_answer(const story::Question& question, const std::string& name);

  Session& session_;
  const Host& host_;
  pages::Messages& messages_;
  std::string asked_;                    // the question on the stage, until its answer is kept
  Clock::time_point asked_at_;           // when it appeared
  double answered_in_ = 0;               // seconds from then to the answer
  std::map<std::string, int> attempts_;  // at each question
  std::string error_;                    // of the last answer that was to be kept
};

}  // namespace warpwalk::shell
