#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/pictures/bars.h"
#include "core/story/pictures/counts.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One line of the receipt.
struct ReceiptLine {
  std::string key;  ///< cpu, launch, queue, kernel
  std::string label;
  std::string note;  ///< the meaning of the line
  std::int64_t start = 0;
  std::int64_t end = 0;
  /// The hatched parts, each from and until, to scale as the line is: the profiler's own work, or the share of other
  /// work in this call.
  std::vector<std::pair<std::int64_t, std::int64_t>> hatched_parts;
  std::string hatched;  ///< the meaning of the hatched parts, in two or three words
  Role role = Role::op;
  std::optional<Figure> time;
  std::optional<Figure> share;
  double shown = 1;
  bool current = false;

  template <class V>
  void visit(V& v) const {
    v.data(key, label, note, start, end, hatched_parts, hatched, role, time, share, shown, current);
    if (shown > 0) v.line("line: ", label, ": ", *time, share ? ", " + share->text() : "");
  }
};

/// A station of the company and the hardware that it represents.
struct Station {
  std::string company;
  std::string hardware;
  std::string value;    ///< from this trace; empty if it does not say
  std::string missing;  ///< then the reason
  Origin origin = Origin::measured;
  std::string formula;  ///< of a derived value
  std::string task;     ///< the task of this desk, or of this hardware; empty in later beats
  double folded = 1;    ///< 0: the company's name, 1: the hardware's

  template <class V>
  void visit(V& v) const {
    v.data(company, hardware, value, missing, origin, formula, task, folded);
    v.line("station: ", company, " = ", hardware, ": ", value.empty() ? missing : value);
    if (!task.empty()) v.line(hardware, ": ", task);
  }
};

struct ReceiptPicture {
  std::vector<Station> stations;
  std::vector<ReceiptLine> lines;
  std::int64_t from = 0;
  std::int64_t to = 1;
  std::optional<Figure> total;
  double total_shown = 0;
  std::string head_receipt, head_time, head_share, word_total;  ///< texts of the narration
  std::vector<CountedLine> counted;                             ///< instead of lines, if the trace lacks times
  std::string banner;  ///< over `counted` and `compared`: their source, if it is not the trace
  std::vector<ComparedLine> compared;
  std::string head_measured, head_simulated, head_error;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, total, total_shown, head_receipt, head_time, head_share, word_total, banner, head_measured,
           head_simulated, head_error);
    v.each(stations);
    v.each(lines);
    v.each(counted);
    if (!banner.empty()) v.line("banner: ", banner);
    v.each(compared);
    if (total && total_shown > 0) v.line("total: ", *total);
  }
};

}  // namespace warpwalk::story
