#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/pages/page.h"
#include "core/analysis/time/idle_lines.h"

namespace warpwalk::pages {

/// The sheet that answers why the GPU is idle: a verdict in one sentence with the line to blame, the span divided by
/// what the GPU did, and a list: the longest gaps, each split by cause, with what the CPU did meanwhile; or the lines
/// of the program by the idle time in which the CPU was in them. Keys: Up, Down, Page Up, Page Down, Home and End
/// choose a row, Left and Right a GPU, Tab the other list, Enter goes to the gap or line. Rows can be clicked.
class IdlePage final : public Page {
 public:
  explicit IdlePage(const Context& context) : Page(context) {}

  bool open(Action) override { return opened().document != nullptr; }
  void paint(draw::Ui& ui) override;
  void document_changed() override;

 private:
  /// The rows of the list for the chosen GPU.
  struct Lists {
    std::size_t device = 0;
    std::string verdict;
    std::vector<std::size_t> gaps;  ///< by length
    std::vector<analysis::IdleLine> lines;
  };

  void choose_device(const draw::Ui& ui);
  void paint_list(draw::Ui& ui, const draw::Box& box);
  void go_to(const analysis::IdleGap& gap);
  void go_to(const analysis::IdleLine& line);

  std::size_t device_ = 0;  ///< which of the reports is shown
  std::size_t cursor_ = 0;  ///< the row that Enter goes to
  bool by_line_ = false;
  std::optional<analysis::CodePlaces> places_;  ///< of the document, once it was needed
  std::optional<Lists> lists_;
};

}  // namespace warpwalk::pages
