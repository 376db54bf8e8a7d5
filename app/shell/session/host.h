#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/answers/answer.h"
#include "app/document/view.h"
#include "app/draw/theme.h"
#include "core/base/result.h"
#include "core/run/kernel_lab/run_draft.h"
#include "core/run/replay/history.h"
#include "core/story/stage/stage.h"
#include "core/trace/trace.h"
#include "instrumentation/nvml_sampler.h"

namespace warpwalk::shell {

using document::View;

enum class PictureFormat : unsigned char { png, svg };

/// The progress of a film.
struct FilmProgress {
  double share = 0;        ///< 0 to 1
  bool done = false;       ///< the film is complete, failed or cancelled, or none was started
  std::string file = {};   ///< if done: the file or folder that was written; empty: none
  std::string error = {};  ///< if done without a file: the error, one line; empty: not known
  bool cancelled = false;  ///< if done without a file: it was cancelled
};

/// The services that the shell needs from the program. Tests provide their own.
struct Host {
  std::function<void(const std::string&)> copy;  ///< puts text on the clipboard
  /// The address that opens the present view; empty for a view without one. Unset: the program is not a page.
  std::function<std::string()> address = {};
  /// Writes the stage as a picture. Returns the file. On failure: one line.
  std::function<base::Result<std::string>(const story::Stage&, const draw::Theme&, const View&, PictureFormat)>
      save_picture;
  /// Begins to film the view's scene in the background. On failure: one line.
  std::function<base::Result<void>(const View&, const draw::Theme&)> start_film;
  std::function<FilmProgress()> film_progress;
  std::function<void()> cancel_film;
  /// Called with the state of the window as one line of JSON whenever it has changed; may be empty.
  std::function<void(const std::string&)> report;
  std::filesystem::path assets;  ///< the folder of the assets
  bool for_class = false;        ///< there are no speaker's notes and no lecturer's window
  /// Writes a walk that was run in the window. Returns the file. On failure: one line.
  std::function<base::Result<std::string>(const trace::Trace&)> save_walk = {};
  /// This program, for work that needs a child process; empty: none.
  std::filesystem::path program = {};
  /// How the followed kernel is simulated in the background, except for the device; none: it is not simulated.
  std::optional<run::HistoryOptions> histories = {};
  instrumentation::NvmlSampler::Options nvml = {};  ///< how the machine's GPUs are observed
  /// Keeps what was answered to a question. On failure: one line. May be empty.
  std::function<base::Result<void>(const answers::Answer&)> keep_answer = {};
  /// Opens a dialog for a file, which then counts as dropped; empty: there is none.
  std::function<void()> choose_file = {};
  bool in_browser = false;                                ///< the program is a page in a browser
  run::CudaCompiler compile_cuda = {};                    ///< instead of a child process; may be empty
  std::filesystem::path kept_answers = {};                ///< the file of keep_answer; empty: there is none
  std::vector<std::filesystem::path> class_answers = {};  ///< answers of a class: files and folders
  std::string student = {};                               ///< the name for what is handed in; empty: none was given
  std::filesystem::path drafts = ".";                     ///< the folder that the Kernel lab saves into
  std::string lab_gpu = {}, lab_caches = {};              ///< for launches in the Kernel lab; empty: as they say
  std::filesystem::path lesson_draft = {};  ///< where an unsaved lesson is kept between two starts; empty: nowhere
};

}  // namespace warpwalk::shell
