#include "app/shell/session/questions.h"

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
  if (question.was_tried(static_cast<std::size_t>(option))) return;
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
  session_.update_stage();
  if (opened.stage->question && opened.stage->question->asked()) return update();  // a wrong answer: another try
  // The answer is kept after the move, which clears messages: an error of keeping it stays.
  View view = opened.view;
  if (view.moment.is_beat()) view.moment.phase = 0;
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
  const story::Question question = *stage->question;
  const std::string name = question.key + " " + question.about;
  if (question.asked()) {
    if (asked_ == name && question.tried.size() > tried_) {
      keep_answer(question, name, question.tried.back(), right_option(question));
      asked_at_ = Clock::now();
    }
    if (asked_ != name) asked_at_ = Clock::now();
    asked_ = name;
    tried_ = question.tried.size();
    return;
  }
  if (asked_ != name) return;  // answered before
  asked_.clear();
  session_.opened().score.add(session_.opened().view.file.string() + " " + name,
                              !question.correct()      ? story::Score::Outcome::shown
                              : question.tried.empty() ? story::Score::Outcome::first_try
                                                       : story::Score::Outcome::later);
  keep_answer(question, name, question.chosen, question.right);
}

std::optional<std::size_t> Questions::right_option(const story::Question& question) {
  pages::Opened& opened = session_.opened();
  const story::Predictions said = opened.predictions;
  opened.predictions.skip(question.key, question.about);
  session_.update_stage();
  const std::optional<story::Question>& shown = opened.stage->question;
  const std::optional<std::size_t> right = shown ? shown->right : std::nullopt;
  opened.predictions = said;
  session_.update_stage();
  return right;
}

void Questions::keep_answer(const story::Question& question, const std::string& name, std::optional<std::size_t> chosen,
                            std::optional<std::size_t> right) {
  if (!right) return;  // no option is, so the answer is neither right nor wrong
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
  answer.chosen = chosen;
  answer.right = *right;
  answer.seconds = answered_in_;
  answer.attempt = ++attempts_[opened.view.file.string() + " " + name];
  if (!host_.keep_answer) return;
  const auto kept = host_.keep_answer(answer);
  const std::string error = kept ? "" : kept.error();
  if (!error.empty() && error != error_) messages_.error(error);  // once, not with every answer
  error_ = error;
}

}  // namespace warpwalk::shell
