#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "app/document/history_worker.h"
#include "app/draw/ui.h"
#include "app/panels/files.h"
#include "app/panels/observe_panel.h"
#include "app/panels/outline.h"
#include "app/panels/run_panel.h"
#include "app/panels/strip.h"
#include "app/panels/transport.h"
#include "app/run/cuda_availability.h"
#include "app/run/run_job.h"
#include "app/scenes/paint.h"
#include "app/shell/keymap.h"
#include "app/shell/lesson.h"
#include "app/shell/settings.h"
#include "app/shell/view.h"
#include "core/story/stage/glossary.h"

namespace warpwalk::shell {

enum class PictureFormat : unsigned char { png, svg };

/// How far the film of a scene is.
struct FilmProgress {
  double share = 0;   ///< 0 to 1
  bool done = false;  ///< no film is being made any more
  std::string said;   ///< then: the file that was written, or what went wrong, in one line
};

/// What the shell asks of the machine it runs on. Tests give their own.
struct Host {
  std::function<void(const std::string&)> copy;  ///< to the clipboard
  /// Writes the stage as a picture; answers the file or, in `second`, what went wrong.
  std::function<std::pair<std::string, std::string>(const story::Stage&, const draw::Theme&, const View&,
                                                    PictureFormat)>
      save_picture;
  /// Begins to film the view's scene beside the window; answers what went wrong, or nothing.
  std::function<std::string(const View&, const draw::Theme&)> start_film;
  std::function<FilmProgress()> film_progress;
  std::function<void()> cancel_film;
  /// Is told the state of the window as one line of JSON whenever it has changed; may be empty.
  std::function<void(const std::string&)> report;
  std::filesystem::path assets;  ///< where walks and lessons are
  /// Writes a walk that was run here; answers the file or, in `second`, what went wrong.
  std::function<std::pair<std::string, std::string>(const trace::Trace&)> save_walk = {};
  /// This very program, which runs what takes a process of its own; empty: there is none.
  std::filesystem::path program = {};
  /// How the followed kernel is simulated beside the window, but for the device; none: it is not.
  std::optional<run::HistoryOptions> histories = {};
  recording::NvmlSampler::Options nvml = {};  ///< how the machine's GPUs are observed
};

/// What lies over the frame.
enum class Sheet : unsigned char { none, help, glossary, files, run, observe };
std::string_view name_of(Sheet sheet);

/// The program in a window, without the window: one frame() that owns no loop and blocks on nothing.
class Shell {
 public:
  Shell(story::Narration narration, story::Hardware hardware, Host host, Settings settings = {});

  /// Begins to read the file; the view is taken up once it is there. A lesson is opened at its first step.
  void open(const View& view);
  /// Draws everything and answers what the person did.
  void frame(draw::Canvas& canvas, const draw::Input& input);
  /// What the program has to say, in one line.
  void say(std::string_view line) { note_ = line; }

  /// Whether another frame is needed at once although nobody does anything: a motion.
  bool moving() const;
  /// Whether something goes on beside the window whose progress is shown: a file being read, a film being made, an
  /// expression being run, a GPU being looked for, a kernel being simulated that the stage is about.
  bool busy() const {
    return loader_.busy() || filming_ || run_job_.busy() || (sheet_ == Sheet::run && cuda_.busy()) ||
           waits_for_history();
  }
  /// Whether GPUs are being observed: what is shown changes with every sample.
  bool observing() const { return sampler_.sampling(); }
  std::shared_ptr<const recording::GpuWatch> gpu_watch() const { return sampler_.watch(); }
  const draw::Theme& theme() const;
  const View& view() const { return view_; }
  const document::Document* document() const { return document_.get(); }
  /// The stage as it was drawn last; none before the first trace is there.
  const std::optional<story::Stage>& stage() const { return stage_; }
  const std::string& note() const { return note_; }
  const panels::OutlineState& outline() const { return outline_; }
  bool presenting() const { return presenting_; }
  bool playing() const { return transport_.playing; }
  Sheet sheet() const { return sheet_; }
  const std::optional<Lesson>& lesson() const { return lesson_; }
  std::size_t lesson_step() const { return lesson_step_; }
  /// What is to be kept; the window's size is the window's to fill in.
  const Settings& settings() const { return settings_; }
  void set_window_size(int width, int height);

 private:
  // shell.cpp
  void take_document(std::shared_ptr<const document::Document> document);
  void take_view(const View& view);
  void go(const View& view);
  void say_here(std::string line);  // until the person goes on
  void follow(const std::string& what);
  void advance(double seconds);
  void step(std::int64_t steps);
  void go_to_step(std::size_t step, bool moving);
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
  void scrub(double hundredths);
  void bookmark(std::size_t number, bool anew);
  void keys(const draw::Input& input);
  void touch(const scenes::Touch& touched);
  void answer(const panels::TransportAnswer& answer);
  void go_to_stop(std::size_t stop);

  // shell_run.cpp
  void paint_run(draw::Ui& ui);
  void start_run();
  void forget_run();
  void watch_run();
  void save_walk();

  // shell_observe.cpp
  void paint_observe(draw::Ui& ui);
  void watch_gpus();

  // shell_paint.cpp
  void paint_waiting(draw::Ui& ui);
  void paint_walk(draw::Ui& ui);
  void paint_presenting(draw::Ui& ui);
  void paint_note(draw::Canvas& canvas, const draw::Box& box);
  void paint_sheet(draw::Ui& ui);
  std::string said() const;
  std::vector<panels::FileChoice> file_choices() const;

  story::Narration narration_;
  story::Glossary glossary_;
  story::Hardware hardware_;
  Host host_;
  Settings settings_;
  document::Loader loader_;
  std::shared_ptr<const document::Document> document_;
  std::optional<View> wanted_;  // to be taken up once its file is read
  View view_;
  story::Walk walk_;
  std::optional<story::Stage> stage_;
  // What stage_ was made from: a stage is a pure function, so that the same question need not be asked twice.
  View stage_view_;
  story::Walk stage_walk_;
  std::shared_ptr<const document::Document> stage_document_;
  story::HistoryView stage_history_;
  bool stage_uses_history_ = false;
  document::HistoryWorker histories_;
  std::optional<Lesson> lesson_;
  std::size_t lesson_step_ = 0;
  draw::UiMemory memory_;
  panels::OutlineState outline_;
  panels::StripState strip_;
  panels::TransportState transport_;
  panels::FilesState files_;
  panels::RunForm run_form_;
  draw::UiMemory run_memory_;
  runs::RunJob run_job_;
  runs::CudaAvailability cuda_;
  std::string run_said_;                           // what came of the last run
  std::string run_asked_;                          // its expression
  std::optional<ops::ExpressionError> run_place_;  // there
  std::vector<run::OpCheck> run_checks_;
  panels::ObserveState observe_;
  recording::NvmlSampler sampler_;
  panels::WalkMemory walk_memory_;  // of memory_of_
  std::shared_ptr<const document::Document> memory_of_;
  std::string note_;
  std::string note_here_;          // a note that ends when the person goes on
  draw::Point parked_ = {-1, -1};  // where the pointer was at the last key
  std::string reported_;
  double waited_ = 0;  // seconds since the beat's motion ended, while playing
  double film_share_ = 0;
  std::size_t glossary_scroll_ = 0;
  std::size_t fact_ = 0;  // that the keyboard is at
  Sheet sheet_ = Sheet::none;
  bool presenting_ = false;
  bool blank_ = false;
  bool notes_ = false;
  bool filming_ = false;
  bool greeted_ = false;
};

}  // namespace warpwalk::shell
