#pragma once

#include <filesystem>

#include "app/pages/context.h"

namespace warpwalk::shell {

/// The second trace, with which a view compares the open document. It is read in the background, and only its summary
/// is kept.
class ComparedTrace {
 public:
  /// Both must outlive this object.
  ComparedTrace(pages::Opened& opened, pages::Messages& messages) : opened_(opened), messages_(messages) {}

  /// Reads the second trace of the view if it is another one, and takes over what has been read.
  void watch();
  /// The trace is read again, even if it is the same file.
  void forget() { file_.clear(); }
  /// The file that is being read, or null.
  const std::filesystem::path* reading() const { return loader_.busy() ? &loader_.file() : nullptr; }
  /// The view compares with nothing, and nothing is read for it.
  void stop();
  /// The trace, or an empty path until it is read.
  std::filesystem::path file() const { return opened_.compared ? file_ : std::filesystem::path(); }

 private:
  pages::Opened& opened_;
  pages::Messages& messages_;
  document::Loader loader_;
  std::filesystem::path file_;  // that is read or summarised
};

}  // namespace warpwalk::shell
