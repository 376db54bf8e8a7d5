#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/story/pictures/bars.h"
#include "core/story/pictures/counts.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One line of the receipt.
struct ReceiptLine {
  std::string key;  ///< cpu, launch, queue, kernel
  std::string label;
  std::string note;  ///< what the line stands for, in words
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t overhead_start = 0;  ///< the profiler's own work inside it; equal to overhead_end where none
  std::int64_t overhead_end = 0;
  Role role = Role::op;
  std::optional<Figure> time;
  std::optional<Figure> share;
  double shown = 1;
  bool current = false;

  template <class V>
  void visit(V& v) const {
    v.data(key, label, note, start, end, overhead_start, overhead_end, role, time, share, shown, current);
    if (shown > 0) v.line("line: ", label, ": ", *time, share ? ", " + share->text() : "");
  }
};

/// A station of the company and the hardware that it stands for.
struct Station {
  std::string company;
  std::string hardware;
  std::string value;    ///< of this trace; empty where it does not say
  std::string missing;  ///< then: why, in words
  Origin origin = Origin::measured;
  std::string formula;  ///< of a derived value
  std::string task;     ///< what this desk, or this hardware, does, in words; empty where the scene has gone on
  double folded = 1;    ///< 0: the company's name stands, 1: the hardware's

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
  std::string head_receipt, head_time, head_share, word_profiler, word_total;  ///< worded by the narration
  std::vector<CountedLine> counted;  ///< in place of lines, where the trace has no times
  std::string banner;                ///< over `counted` and `compared`: whose counts these are, where not the trace's
  std::vector<ComparedLine> compared;
  std::string head_measured, head_simulated, head_error;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, total, total_shown, head_receipt, head_time, head_share, word_profiler, word_total, banner,
           head_measured, head_simulated, head_error);
    v.each(stations);
    v.each(lines);
    v.each(counted);
    if (!banner.empty()) v.line("banner: ", banner);
    v.each(compared);
    if (total && total_shown > 0) v.line("total: ", *total);
  }
};

}  // namespace warpwalk::story
