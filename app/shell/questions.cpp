#include "app/shell/questions.h"

namespace warpwalk::shell {

bool Questions::asks() {
  if (!session_.opened().document) return false;
  update();
  const story::Stage& stage = *session_.opened().stage;
  return stage.question && stage.question->asked();
}

void Questions::choose(double option) {
  if (!asks()) return;
  const story::Question& question = *session_.opened().stage->question;
  if (!(option >= 0 && option < static_cast<double>(question.options.size()))) return;
  session_.opened().predictions.choose(question.key, question.about, static_cast<std::size_t>(option));
}

void Questions::commit() {
  if (!asks()) return;
  pages::Opened& opened = session_.opened();
  const story::Question& question = *opened.stage->question;
  if (question.chosen)
    opened.predictions.answer(question.key, question.about, *question.chosen);
  else
    opened.predictions.skip(question.key, question.about);
  answered_in_ = std::chrono::duration<double>(Clock::now() - asked_at_).count();
  View view = opened.view;
  if (view.moment.kind == story::Moment::Kind::beat) view.moment.phase = 0;
  session_.go(view);
  update();
}

bool Questions::key(const draw::KeyPress& press, draw::UiMemory& focus) {
  if (!asks() || press.control) return false;
  const story::Question& question = *session_.opened().stage->question;
  if (press.key == draw::Key::character && press.character >= U'1' && press.character <= U'9') {
    const std::size_t option = press.character - U'1';
    choose(static_cast<double>(option));
    if (focus.focus_shown && option < question.options.size()) focus.focus = "question." + std::to_string(option);
    return true;
  }
  if (press.key != draw::Key::enter) return false;
  const std::string chosen = question.chosen ? "question." + std::to_string(*question.chosen) : "";
  if (focus.focus_shown && focus.focus != chosen) return false;
  focus.focus.clear();  // what was clicked last does not get the key as well
  focus.focus_shown = false;
  commit();
  return true;
}

void Questions::update() {
  session_.update_stage();
  const auto& stage = session_.opened().stage;
  if (!stage->question) {
    asked_.clear();
    return;
  }
  const story::Question& question = *stage->question;
  const std::string name = question.key + " " + question.about;
  if (question.asked()) {
    if (asked_ != name) asked_at_ = Clock::now();
    asked_ = name;
    return;
  }
  if (asked_ != name) return;  // answered before
  asked_.clear();
  keep_answer(question, name);
}

void Questions::keep_answer(const story::Question& question, const std::string& name) {
  const pages::Opened& opened = session_.opened();
  answers::Answer answer;
  answer.walk = opened.view.file.filename().string();
  answer.follow = opened.view.follow;
  answer.scene = opened.stage->scene;
  answer.beat = opened.stage->beat;
  answer.key = question.key;
  answer.about = question.about;
  answer.question = question.text;
  answer.options = question.options;
  answer.chosen = question.chosen;
  answer.right = *question.right;
  answer.seconds = answered_in_;
  answer.attempt = ++attempts_[opened.view.file.string() + " " + name];
  if (!host_.keep_answer) return;
  const auto kept = host_.keep_answer(answer);
  const std::string error = kept ? "" : kept.error();
  if (!error.empty() && error != error_) messages_.error(error);  // once, not with every answer
  error_ = error;
}

}  // namespace warpwalk::shell
