#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "app/draw/ui.h"
#include "app/shell/session/session.h"

namespace warpwalk::shell {

/// Questions of the stage: an option is chosen, then committed to. A wrong one is refused with a reason, and another
/// one may be chosen; then the stage shows the answer. Each answer is kept, and counts for the score.
class Questions {
 public:
  /// All of it must outlive this object.
  Questions(Session& session, const Host& host, pages::Messages& messages)
      : session_(session), host_(host), messages_(messages) {}

  /// Whether the stage waits for an answer. Several keys may come in one frame, so the stage is made for each of them.
  bool asks();
  /// Marks an option, counted from 0.
  void choose(double option);
  /// The chosen option is the answer; without one, the question is skipped. Once it is right or skipped, the motion
  /// shows what happens.
  void commit();
  /// Digits choose; Enter commits, unless Tab has put the focus on something else. Returns whether the key was for the
  /// question.
  bool key(const draw::KeyPress& press, draw::UiMemory& focus);
  /// Makes the stage. Notes when a question appears, and hands over the answer once the stage has shown it.
  void update();

 private:
  using Clock = std::chrono::steady_clock;

  void keep_answer(const story::Question& question, const std::string& name, std::optional<std::size_t> chosen,
                   std::optional<std::size_t> right);
  // The right option of a question that is still asked: the stage hides it.
  std::optional<std::size_t> right_option(const story::Question& question);

  Session& session_;
  const Host& host_;
  pages::Messages& messages_;
  std::string asked_;                    // the question on the stage, until its answer is kept
  std::size_t tried_ = 0;                // wrong answers to it that were kept
  Clock::time_point asked_at_;           // when it appeared, or was answered last
  double answered_in_ = 0;               // seconds from then to the answer
  std::map<std::string, int> attempts_;  // at each question
  std::string error_;                    // of the last answer that was to be kept
};

}  // namespace warpwalk::shell
