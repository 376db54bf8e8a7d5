#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "app/document/history_worker.h"
#include "app/document/view.h"
#include "app/lessons/lesson.h"
#include "app/pages/keymap.h"
#include "app/pages/messages.h"
#include "app/panels/strip.h"
#include "app/panels/transport.h"
#include "core/analysis/compare/trace_comparison.h"
#include "core/records/hardware.h"
#include "core/run/kernel_lab/run_draft.h"
#include "core/story/elements/glossary.h"
#include "core/story/stage/question.h"
#include "instrumentation/nvml_sampler.h"

namespace warpwalk::pages {

/// What stays the same while the program runs.
struct Environment {
  const story::Narration& words;
  const story::Glossary& glossary;
  const records::Hardware& hardware;
  std::filesystem::path assets;                ///< the folder of the assets
  std::filesystem::path program;               ///< this program, for work that needs a child process; empty: none
  std::filesystem::path drafts;                ///< the folder that the Kernel lab saves into
  std::filesystem::path lesson_draft;          ///< where an unsaved lesson is kept between two starts; empty: nowhere
  int threads = 1;                             ///< host threads for a simulation
  instrumentation::NvmlSampler::Options nvml;  ///< how the machine's GPUs are observed
  std::function<void()> choose_file = {};  ///< opens a dialog for a file, which then counts as dropped; none: no dialog
  bool in_browser = false;                 ///< the program is a page in a browser
  run::CudaCompiler compile_cuda = {};     ///< instead of a child process; none: there is `program`, or this process
  std::filesystem::path kept_answers = {};                ///< what was answered on this computer; empty: it is not kept
  std::vector<std::filesystem::path> class_answers = {};  ///< answers of a class: files and folders
  std::string student = {};                               ///< the name for what is handed in; empty: none was given
  /// For the launches that the Kernel lab opens: a GPU of `hardware` and how caches start; empty: as they say.
  std::string lab_gpu = {}, lab_caches = {};
};

/// A slice to choose on a page. `request` differs each time, also for the same slice.
struct PointedSlice {
  story::SliceId slice = story::no_slice;
  std::uint64_t request = 0;
  friend bool operator==(const PointedSlice&, const PointedSlice&) = default;
};

/// A lesson that gave way to a walk, which was made from one of its steps.
struct LessonAside {
  lessons::Lesson lesson;
  std::size_t step = 0;  ///< from 0
  story::Score score;
};

/// What is open, and what the window shows of it.
struct Opened {
  std::shared_ptr<const document::Document> document;  ///< null until the first file is read
  document::View view;
  bool own = false;                      ///< the document is an own trace (app/shell/session/own_trace.h)
  std::optional<document::View> wanted;  ///< shown once its file is read
  document::LeftOpen left;               ///< what of `wanted` is chosen then
  story::Walk walk;                      ///< of `view`
  PointedSlice pointed;                  ///< that the timeline chooses
  std::optional<story::Stage> stage;     ///< as it was drawn last; none without a document
  story::Predictions predictions;        ///< about the document
  story::Score score;                    ///< of the questions of the walk, or of the lesson
  /// The second trace, which the document is compared with; null: none, or it is not read yet.
  std::shared_ptr<const analysis::TraceSummary> compared;
  /// How its GPU work differs by the step; set with `compared`.
  std::shared_ptr<const analysis::TraceComparison> comparison;
  std::optional<lessons::Lesson> lesson;
  std::size_t lesson_step = 0;              ///< from 0
  std::optional<std::size_t> lesson_place;  ///< the step at which it was left last, until it is reached again
  std::optional<LessonAside> lesson_aside;  ///< Esc leads back to it
};

/// What a page can make the program do.
class Program {
 public:
  virtual ~Program() = default;

  /// Does what a key or a button does.
  virtual void act(Action action) = 0;
  /// Closes the page that is shown.
  virtual void close_page() = 0;
  /// Opens a file that is not a trace on its page; Esc leads from there back to the page that is shown now.
  virtual void take_file(const std::filesystem::path& file) = 0;
  /// The page is not for the class: presenting ends.
  virtual void end_presenting() = 0;
  /// Begins to read a file; it is shown once it is read.
  virtual void open(const std::filesystem::path& file) = 0;
  /// Shows a second trace beside the open one.
  virtual void compare(const std::filesystem::path& file) = 0;
  /// Shows a view outside of any lesson; its file is read if it is not the open one.
  virtual void show(document::View view) = 0;
  /// Shows a view of the open document.
  virtual void go(const document::View& view) = 0;
  /// Goes to the first beat of a scene or lab of the open document.
  virtual void enter(std::string_view scene) = 0;
  /// Follows a slice of the open document.
  virtual void follow(story::SliceId slice) = 0;
  /// Shows a document that a page has made, which is not in a file yet.
  virtual void take(std::shared_ptr<const document::Document> document, const document::View& view) = 0;
  /// Shows a document again that was open before.
  virtual void restore(std::shared_ptr<const document::Document> document, const document::View& view) = 0;
  /// Puts a file at the head of the recent files.
  virtual void add_recent(const std::filesystem::path& file) = 0;
};

/// What a page gets from the rest of the program. All of it outlives the page.
struct Context {
  const Environment& environment;
  const Opened& opened;
  const document::HistoryWorker& histories;  ///< of the followed kernel
  const std::vector<std::string>& recent;    ///< files that were opened, the latest first
  const panels::TransportState& transport;
  panels::StripState& strip;  ///< the stretch of time that the strip shows
  Messages& messages;
  Program& program;
};

}  // namespace warpwalk::pages
