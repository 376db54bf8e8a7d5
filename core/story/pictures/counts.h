#pragma once

#include <optional>
#include <string>

#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One counter of a kernel, shown instead of a time.
struct CountedLine {
  std::string key;  ///< name of the counter in the trace
  std::string label;
  std::string note;  ///< what is counted, in words
  Figure count;
  std::string each_label;      ///< name of the ratio
  std::optional<Figure> each;  ///< a ratio that says more than the count
  double shown = 1;
  bool current = false;

  template <class V>
  void visit(V& v) const {
    v.data(key, label, note, count, each_label, each, shown, current);
    if (shown > 0) v.line("counted: ", label, ": ", count, each ? ", " + each->text() : "", "; ", note);
  }
};

/// One counter of a real GPU beside the simulated one.
struct ComparedLine {
  std::string key;  ///< name of the counter in the trace
  std::string label;
  std::string note;  ///< what is counted, in words
  Figure measured;
  Figure simulated;
  std::optional<Figure> error;  ///< none if the measured count is 0 and the simulated one is not
  double off = 0;               ///< the error as a share of the measured value; of percentages, of 100 points
  double shown = 1;

  template <class V>
  void visit(V& v) const {
    v.data(key, label, note, measured, simulated, error, off, shown);
    if (shown > 0)
      v.line("compared: ", label, ": measured ", measured, ", simulated ", simulated,
             error ? ", error " + error->text() : "", "; ", note);
  }
};

}  // namespace warpwalk::story
