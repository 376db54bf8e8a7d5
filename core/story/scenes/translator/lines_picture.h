#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/code.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One text of the kernel with what each line cost in the simulated launch, as in Nsight Compute's source page.
struct LinesPane {
  /// The figures of a line; empty where there is nothing to count.
  struct Costs {
    std::string instructions;  ///< warp instructions
    std::string stall;         ///< warp-cycles that warps waited
    std::string reason;        ///< the main one, by Nsight Compute's name
    std::string sectors;       ///< of global memory; "8,192 / 1,024" if fewer would have been possible
    std::string conflicts;     ///< extra wavefronts of shared memory

    template <class V>
    void visit(V& v) const {
      v.data(instructions, stall, reason, sectors, conflicts);
    }
    /// The figures with their names, for transcripts and tips.
    std::string text(const std::vector<std::pair<std::string, std::string>>& columns) const;
  };
  struct Row {
    std::string number;  ///< line, or address
    std::string text;
    Costs costs;
    double heat = 0;               ///< relative to the hottest line, by the chosen metric
    std::int64_t rank = 0;         ///< 1: the hottest; 0: not ranked
    bool chosen = false;           ///< the line that is looked at
    bool fellow = false;           ///< comes from the same source line
    std::int64_t source_line = 0;  ///< 0: none, or not known
    std::string tip;               ///< where its warps waited, and its requests

    template <class V>
    void visit(V& v) const {
      v.data(number, text, heat, rank, chosen, fellow, source_line, tip);
      v.part(costs);
    }
  };

  std::string name;                                          ///< of the text: "Source"
  std::string note;                                          ///< "line 9: 78 % of Stall"
  std::vector<std::pair<std::string, std::string>> columns;  ///< head and explanation: those of Costs without `reason`
  std::vector<Row> rows;                                     ///< a part of the text around the chosen line
  std::size_t focus = 0;                                     ///< the chosen one among the rows
  std::string elsewhere_name, total_name;
  Costs elsewhere;                         ///< of instructions without a line in this text
  Costs total;                             ///< of the launch
  std::int64_t ranks = 0;                  ///< lines that can be chosen
  std::string next;                        ///< the button to the next hottest line
  std::string rank_control, line_control;  ///< set by choosing a line

  template <class V>
  void visit(V& v) const {
    v.data(name, note, columns, focus, elsewhere_name, total_name, ranks, next, rank_control, line_control);
    v.line(name, ": ", note);
    constexpr std::int64_t ranks_in_words = 10;
    for (const Row& row : rows) {
      v.part(row);
      if (row.chosen || (row.rank > 0 && row.rank <= ranks_in_words))
        v.line(row.chosen ? "> " : "", row.number, ": ", row.text, ": ", row.costs.text(columns));
    }
    v.part(elsewhere);
    v.part(total);
    v.line(elsewhere_name, ": ", elsewhere.text(columns));
    v.line(total_name, ": ", total.text(columns));
  }
};

}  // namespace warpwalk::story
