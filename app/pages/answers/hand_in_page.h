#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/answers/answer.h"
#include "app/draw/text/text_field.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// A sheet on which a student hands in what was answered to questions on this computer: as a file, or as a text to
/// paste. Nothing is sent.
class HandInPage final : public Page {
 public:
  explicit HandInPage(const Context& context) : Page(context) { student_.text = context.environment.student; }

  bool open(Action by) override;
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &memory_; }
  void report(Report& report) const override;

 private:
  enum class Way : unsigned char { none, file, word };
  Way fields(draw::Ui& ui, const draw::Box& box);
  void hand_in(Way way);

  draw::UiMemory memory_;
  draw::TextField student_;
  std::vector<answers::Answer> answers_;
  std::size_t first_tries_ = 0, right_ = 0;  // questions that were answered, and those that were right at once
  std::string note_;                         // what was done last, one line
};

}  // namespace warpwalk::pages
