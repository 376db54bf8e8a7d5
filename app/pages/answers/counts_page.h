#pragma once

// This folder has the pages about answers to questions: how a class answered, and handing in one's own.

#include <filesystem>
#include <string>
#include <vector>

#include "app/answers/answer.h"
#include "app/answers/option_counts.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// A sheet beside the stage: how often each option of its question was answered. It shows nothing before the question
/// is answered. The answers are those of a class, from files that were named at the start or dropped on the window,
/// else those that were given on this computer.
class CountsPage final : public Page {
 public:
  explicit CountsPage(const Context& context) : Page(context), class_(context.environment.class_answers) {}

  bool open(Action by) override;
  bool take_file(const std::filesystem::path& file) override;
  void paint(draw::Ui& ui) override;
  void report(Report& report) const override;
  /// The keys of the stage work while it is shown, so that the walk goes on.
  bool takes(const draw::KeyPress&, bool) const override { return false; }

 private:
  void read();
  /// The question on the stage if its answer is known; null otherwise.
  const story::Question* answered() const;
  answers::OptionCounts counts(const story::Question& question) const;
  /// The origin of the answers, in words.
  std::string source() const;

  std::vector<std::filesystem::path> class_;  // files and folders; empty: the file of this computer
  std::vector<answers::Answer> answers_;
  std::size_t problems_ = 0;  // lines and files that could not be read
};

}  // namespace warpwalk::pages
