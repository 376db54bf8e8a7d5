// Questions of the stage: an option is chosen, then committed to; the stage shows the right answer, and the person's
// answer is saved.
#include "app/shell/shell.h"

namespace warpwalk::shell {

// Several keys may come in one frame, so the stage is found for each of them.
bool Shell::asks() {
  if (!document_) return false;
  find_stage();
  watch_question();
  return stage_->question && stage_->question->asked();
}

void Shell::choose_option(double option) {
  if (!asks() || !(option >= 0 && option < static_cast<double>(stage_->question->options.size()))) return;
  predictions_.choose(stage_->question->key, stage_->question->about, static_cast<std::size_t>(option));
}

// The chosen option is the answer; without one, the question is skipped. The motion shows what happens.
void Shell::commit_answer() {
  if (!asks()) return;
  const story::Question& question = *stage_->question;
  if (question.chosen)
    predictions_.answer(question.key, question.about, *question.chosen);
  else
    predictions_.skip(question.key, question.about);
  answered_in_ = std::chrono::duration<double>(Clock::now() - asked_at_).count();
  if (view_.moment.kind == story::Moment::Kind::beat && !transport_.reduced_motion) view_.moment.phase = 0;
  waited_ = 0;
  note_ = {};
  find_stage();
  watch_question();
}

// Digits choose; Enter commits, unless Tab has put the focus on something else. Returns whether the key was for the
// question.
bool Shell::question_key(const draw::KeyPress& press) {
  if (!asks() || press.control) return false;
  const story::Question& question = *stage_->question;
  if (press.key == draw::Key::character && press.character >= U'1' && press.character <= U'9') {
    const std::size_t option = press.character - U'1';
    choose_option(static_cast<double>(option));
    if (memory_.focus_shown && option < question.options.size()) memory_.focus = "question." + std::to_string(option);
    return true;
  }
  if (press.key != draw::Key::enter) return false;
  const std::string chosen = question.chosen ? "question." + std::to_string(*question.chosen) : "";
  if (memory_.focus_shown && memory_.focus != chosen) return false;
  memory_.focus.clear();  // what was clicked last does not get the key as well
  memory_.focus_shown = false;
  commit_answer();
  return true;
}

// Notes when a question appears, and hands over the answer once the stage has shown it.
void Shell::watch_question() {
  if (!stage_ || !stage_->question) {
    asked_.clear();
    return;
  }
  const story::Question& question = *stage_->question;
  const std::string name = question.key + " " + question.about;
  if (question.asked()) {
    if (asked_ != name) asked_at_ = Clock::now();
    asked_ = name;
    return;
  }
  if (asked_ != name) return;  // answered before
  asked_.clear();
  answers::Answer answer;
  answer.walk = view_.file.filename().string();
  answer.follow = view_.follow;
  answer.scene = stage_->scene;
  answer.beat = stage_->beat;
  answer.key = question.key;
  answer.about = question.about;
  answer.question = question.text;
  answer.options = question.options;
  answer.chosen = question.chosen;
  answer.right = *question.right;
  answer.seconds = answered_in_;
  answer.attempt = ++attempts_[view_.file.string() + " " + name];
  if (!host_.keep_answer) return;
  const std::string error = host_.keep_answer(answer);
  if (!error.empty() && error != answers_error_) report_error(error);  // once, not with every answer
  answers_error_ = error;
}

}  // namespace warpwalk::shell
