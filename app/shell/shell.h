#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/answers/answer.h"
#include "app/document/document.h"
#include "app/document/history_worker.h"
#include "app/document/view.h"
#include "app/draw/ui.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_draft.h"
#include "app/pages/files/files.h"
#include "app/pages/idle.h"
#include "app/pages/kernel_lab/kernel_lab.h"
#include "app/pages/keymap.h"
#include "app/pages/lesson/lesson_view.h"
#include "app/pages/observe/observe_panel.h"
#include "app/pages/run/run_panel.h"
#include "app/pages/start/start_files.h"
#include "app/pages/start/start_view.h"
#include "app/pages/timeline/timeline.h"
#include "app/panels/note.h"
#include "app/panels/outline.h"
#include "app/panels/strip.h"
#include "app/panels/transport.h"
#include "app/run/cuda_availability.h"
#include "app/run/lab_job.h"
#include "app/run/run_job.h"
#include "app/scenes/paint.h"
#include "app/shell/lecturer_page.h"
#include "app/shell/settings.h"
#include "core/story/elements/glossary.h"
#include "core/story/records/hardware.h"

namespace warpwalk::shell {

using document::View;
using pages::Action;

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
  /// Writes the stage as a picture. Returns the file or, in `second`, an error.
  std::function<std::pair<std::string, std::string>(const story::Stage&, const draw::Theme&, const View&,
                                                    PictureFormat)>
      save_picture;
  /// Begins to film the view's scene in the background. Returns an error, or an empty text.
  std::function<std::string(const View&, const draw::Theme&)> start_film;
  std::function<FilmProgress()> film_progress;
  std::function<void()> cancel_film;
  /// Called with the state of the window as one line of JSON whenever it has changed; may be empty.
  std::function<void(const std::string&)> report;
  std::filesystem::path assets;  ///< the folder of the assets
  /// Writes a walk that was run in the window. Returns the file or, in `second`, an error.
  std::function<std::pair<std::string, std::string>(const trace::Trace&)> save_walk = {};
  /// This program, for work that needs a child process; empty: none.
  std::filesystem::path program = {};
  /// How the followed kernel is simulated in the background, except for the device; none: it is not simulated.
  std::optional<run::HistoryOptions> histories = {};
  recording::NvmlSampler::Options nvml = {};  ///< how the machine's GPUs are observed
  /// Keeps what was answered to a question. Returns an error, one line, or an empty text. May be empty.
  std::function<std::string(const answers::Answer&)> keep_answer = {};
  std::filesystem::path drafts = ".";       ///< the folder that the Kernel lab saves into
  std::filesystem::path lesson_draft = {};  ///< where an unsaved lesson is kept between two starts; empty: nowhere
};

/// The sheet or page that is open above the frame.
enum class Sheet : unsigned char { none, help, glossary, start, files, run, observe, kernel, idle, timeline, lesson };
std::string_view name_of(Sheet sheet);

/// The program's user interface without a window: one frame() that owns no loop and never blocks.
class Shell {
 public:
  Shell(story::Narration narration, story::Hardware hardware, Host host, Settings settings = {});

  /// Begins to read the file; the view is shown once the file is read. A lesson is opened at its first step.
  void open(const View& view);
  /// Opens the start page above the frame.
  void open_start_page();
  /// Draws everything and responds to the input.
  void frame(draw::Canvas& canvas, const draw::Input& input);
  /// Shows an error, one line.
  void report_error(std::string line) { note_ = {std::move(line), panels::Note::Kind::error}; }

  /// True if another frame is needed at once without any input, because something moves.
  bool moving() const;
  /// True while background work is shown: a file or folder is read, a film is made, an expression runs, a GPU is looked
  /// for, or the kernel on the stage is simulated.
  bool busy() const {
    return loader_.busy() || compare_loader_.busy() || filming_ || run_job_.busy() || folder_reader_.busy() ||
           (sheet_ == Sheet::run && cuda_.busy()) || waits_for_history() || lab_busy();
  }
  /// True while GPUs are observed: every sample changes the picture.
  bool observing() const { return sampler_.sampling(); }
  std::shared_ptr<const recording::GpuSnapshot> gpu_watch() const { return sampler_.snapshot(); }
  const draw::Theme& theme() const;
  const View& view() const { return view_; }
  const document::Document* document() const { return document_.get(); }
  /// The stage as it was drawn last; none before the first trace is read.
  const std::optional<story::Stage>& stage() const { return stage_; }
  const std::string& note() const { return note_.text; }
  panels::Note::Kind note_kind() const { return note_.kind; }
  /// The title of the window; it names what is open.
  std::string title() const;
  const panels::OutlineState& outline() const { return outline_; }
  bool presenting() const { return presenting_; }
  /// True if the window shall fill its screen.
  bool full_screen() const { return full_screen_; }
  void set_full_screen(bool on) { full_screen_ = on; }
  /// Begins or ends presenting. The clock starts when it begins; the lecturer's window closes when it ends.
  void set_presenting(bool on);
  /// True if the lecturer's window shall be open.
  bool lecturer() const { return lecturer_; }
  void set_lecturer(bool on) { lecturer_ = on && presenting_; }
  std::string lecturer_title() const;
  /// The present content of the lecturer's window.
  const LecturerPage& lecturer_page();
  /// Draws the lecturer's window. Its keys go to frame().
  void lecturer_frame(draw::Canvas& canvas);
  /// Whole seconds since presenting began, or since the clock was set to zero.
  long presented_seconds() const;
  bool playing() const { return transport_.playing; }
  Sheet sheet() const { return sheet_; }
  const std::optional<lessons::Lesson>& lesson() const { return lesson_; }
  std::size_t lesson_step() const { return lesson_step_; }
  const pages::KernelLabState& lab() const { return lab_; }
  /// The lesson that is being composed.
  const lessons::LessonDraft& lesson_draft() const { return draft_; }
  const pages::LessonPageState& lesson_page() const { return lesson_page_; }
  /// The settings to keep; the window fills in its size.
  const Settings& settings() const { return settings_; }
  void set_window_size(int width, int height);

 private:
  // shell.cpp
  void take_document(std::shared_ptr<const document::Document> document);
  void take_view(const View& view);
  void show(const View& view);
  void go(const View& view);  // like a step of the user: clears the current message
  void confirm(std::string_view key, const story::Narration::Values& values = {});
  void fail(std::string_view key, const story::Narration::Values& values = {});
  void confirm_saved(const std::filesystem::path& file);
  void follow(const std::string& what);
  void advance(double seconds);
  void step(std::int64_t steps);
  void go_to_step(std::size_t step, bool moving);
  void watch_compared();
  void watch_film();
  void want_history();
  bool waits_for_history() const;
  story::SceneInput input_at(const story::Moment& moment) const;
  std::int64_t moment_in_trace() const;
  const std::string& speaker_note() const;
  void find_stage();
  std::string state_line() const;

  // shell_act.cpp
  void act(Action action);
  void act_on_trace(Action action);
  void close();
  void toggle_lab();
  void scrub(double hundredths);
  void go_to_cycle(std::int64_t cycle);
  void go_to_stop_cycle(bool forward);
  void go_to_gap(const story::IdleGap& gap);
  void bookmark(std::size_t number, bool anew);
  void keys(const draw::Input& input);
  bool types(const draw::KeyPress& press);
  void touch(const scenes::Touch& touched);
  void go_to_card(const story::CardLink& link);
  void answer(const panels::TransportAnswer& answer);
  void go_to_stop(std::size_t stop);

  // shell_question.cpp
  bool asks();
  void choose_option(double option);
  void commit_answer();
  bool question_key(const draw::KeyPress& press);
  void watch_question();

  // shell_files.cpp
  void open_files(bool to_compare = false);
  void paint_files(draw::Ui& ui);
  void watch_folder();
  void open_file(const std::filesystem::path& file);
  void compare_with(const std::filesystem::path& file);

  // shell_start.cpp
  pages::StartContent start_content() const;
  void paint_start(draw::Ui& ui);
  void choose_start(std::size_t item);
  void open_start_lab(const story::Scene& lab);

  // shell_run.cpp
  void paint_run(draw::Ui& ui);
  void start_run();
  void watch_run();
  void save_walk();

  // shell_lab.cpp
  std::pair<std::optional<run::KernelDraft>, std::string> followed_draft() const;
  void open_lab();
  void open_lab_example(std::size_t number);
  std::vector<pages::LabEntry> lab_entries() const;
  void choose_lab_entry(std::size_t entry);
  std::optional<gpu::Device> lab_device() const;
  void start_lab(bool check);
  void run_lab();
  void watch_lab();
  bool lab_busy() const;
  void walk_lab();
  void return_to_lab();
  void save_lab();
  void paint_lab(draw::Ui& ui);
  void close_lab();

  // shell_lesson.cpp
  void find_lesson_draft();
  void keep_lesson_draft();
  void open_lesson_page();
  void add_moment();
  pages::LessonPageContent lesson_page_content() const;
  void show_fields();
  void take_fields();
  void name_steps();
  void paint_lesson_page(draw::Ui& ui);
  void edit_open_lesson();
  void save_lesson();
  void show_draft_step();

  // shell_observe.cpp
  void paint_observe(draw::Ui& ui);
  void watch_gpus();

  // shell_paint.cpp
  void paint_waiting(draw::Ui& ui);
  void paint_walk(draw::Ui& ui);
  void paint_presenting(draw::Ui& ui);
  void paint_speaker_note(draw::Canvas& canvas, const draw::Box& box);
  void paint_sheet(draw::Ui& ui);
  std::string hint() const;
  story::Narration::Values lesson_values() const;

  story::Narration narration_;
  story::Glossary glossary_;
  story::Hardware hardware_;
  Host host_;
  Settings settings_;
  document::Loader loader_;
  document::Loader compare_loader_;                      // of the second trace, of which only a summary is kept
  std::filesystem::path compared_file_;                  // that is read or summarized
  std::shared_ptr<const story::TraceSummary> compared_;  // null until it is read
  std::shared_ptr<const document::Document> document_;
  std::optional<View> wanted_;  // shown once its file is read
  View view_;
  story::Walk walk_;
  std::optional<story::Stage> stage_;
  // The input of stage_: a stage is a pure function, so it is made again only if its input has changed.
  View stage_view_;
  story::Walk stage_walk_;
  std::shared_ptr<const document::Document> stage_document_;
  story::HistoryView stage_history_;
  std::shared_ptr<const story::TraceSummary> stage_compared_;
  story::Predictions stage_predictions_;
  std::size_t stage_step_ = 0;  // of the lesson
  bool stage_uses_history_ = false;
  document::HistoryWorker histories_;
  using Clock = std::chrono::steady_clock;
  story::Predictions predictions_;       // of the open document
  std::string asked_;                    // the question on the stage, until its answer is kept
  Clock::time_point asked_at_;           // when it appeared
  double answered_in_ = 0;               // seconds from then to the answer
  std::map<std::string, int> attempts_;  // at each question
  std::string answers_error_;            // of the last answer that was to be kept
  std::optional<lessons::Lesson> lesson_;
  std::size_t lesson_step_ = 0;
  draw::UiMemory memory_;
  panels::OutlineState outline_;
  pages::IdleState idle_;
  panels::StripState strip_;
  pages::TimelineState timeline_;
  panels::TransportState transport_;
  pages::StartFiles start_files_;  // read when a page that shows it is opened
  pages::StartState start_;
  pages::FilesState files_;
  pages::FileLists file_lists_;
  document::FolderReader folder_reader_;
  pages::RunForm run_form_;
  pages::RunPanelState run_panel_;
  runs::RunJob run_job_;
  runs::CudaAvailability cuda_;
  std::string run_asked_;         // the expression of the last run
  runs::RunOutcome run_outcome_;  // of the last run, as long as the form is unchanged
  pages::KernelLabState lab_;
  runs::LabJob lab_job_;
  bool lab_wants_run_ = false;      // once the check under way has ended
  std::uint64_t lab_revision_ = 0;  // of the texts of the active version
  std::uint64_t lab_checked_ = 0;   // the revision that was checked last
  std::chrono::steady_clock::time_point lab_changed_;
  /// The document and view that were open before the walk of a run of the Kernel lab; Esc restores them.
  struct LabReturn {
    std::shared_ptr<const document::Document> document;
    View view;
  };
  std::optional<LabReturn> lab_back_;
  lessons::LessonDraft draft_;
  pages::LessonPageState lesson_page_;
  bool draft_found_ = false;           // what was kept at the last end has been looked for
  bool draft_lies_ = false;            // Host::lesson_draft is there
  std::uint64_t draft_kept_ = 0;       // the revision that is in it
  std::filesystem::path overwritten_;  // an existing file that is replaced if it is saved to again
  pages::ObserveState observe_;
  recording::NvmlSampler sampler_;
  pages::WalkMemory walk_memory_;  // belongs to memory_of_
  std::shared_ptr<const document::Document> memory_of_;
  panels::Note note_;
  draw::Point parked_ = {-1, -1};  // the pointer's place at the last key
  bool presented_ = false;         // in the frame before
  std::string reported_;
  double waited_ = 0;  // seconds since the beat's motion ended, while playing
  double film_share_ = 0;
  std::size_t glossary_scroll_ = 0;
  std::size_t fact_ = 0;  // the keyboard's cursor in the facts
  Sheet sheet_ = Sheet::none;
  bool presenting_ = false;
  bool full_screen_ = false;
  bool lecturer_ = false;
  Clock::time_point presented_at_ = Clock::now();
  /// The input of the lecturer's page, which is made again only if this has changed.
  struct LecturerKey {
    std::shared_ptr<const document::Document> document;
    View view;
    story::Walk walk;
    story::Predictions predictions;
    story::HistoryView history;
    std::shared_ptr<const story::TraceSummary> compared;
    std::size_t step = 0;  // of the lesson, from 1
    friend bool operator==(const LecturerKey&, const LecturerKey&) = default;
  };
  LecturerKey lecturer_key_;
  LecturerPage lecturer_page_;
  bool blank_ = false;
  bool notes_ = false;
  bool filming_ = false;
  bool greeted_ = false;
};

}  // namespace warpwalk::shell
