#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/draw/ui.h"
#include "app/panels/outline.h"
#include "app/panels/strip.h"
#include "app/panels/transport.h"
#include "app/scenes/paint.h"
#include "app/shell/document.h"
#include "app/shell/keymap.h"
#include "app/shell/view.h"

namespace warpwalk::shell {

/// What the shell asks of the machine it runs on. Tests give their own.
struct Host {
  std::function<void(const std::string&)> copy;  ///< to the clipboard
  /// Writes the stage as a picture; answers the file or, in `second`, what went wrong.
  std::function<std::pair<std::string, std::string>(const story::Stage&, const draw::Theme&, const View&)> save_picture;
};

/// The program in a window, without the window: one frame() that owns no loop and blocks on nothing.
class Shell {
 public:
  Shell(story::Narration narration, story::Hardware hardware, Host host)
      : narration_(std::move(narration)), hardware_(std::move(hardware)), host_(std::move(host)) {}

  /// Begins to read the file; the view is taken up once it is there.
  void open(const View& view);
  /// Draws everything and answers what the person did.
  void frame(draw::Canvas& canvas, const draw::Input& input);

  /// Whether another frame is needed although nobody does anything: a motion, a file being read.
  bool moving() const;
  const draw::Theme& theme() const;
  void set_theme(std::string_view name);
  const View& view() const { return view_; }
  const Document* document() const { return document_.get(); }
  /// The stage as it was drawn last; none before the first trace is there.
  const std::optional<story::Stage>& stage() const { return stage_; }
  const std::string& note() const { return note_; }
  const panels::OutlineState& outline() const { return outline_; }
  bool presenting() const { return presenting_; }
  bool playing() const { return transport_.playing; }

 private:
  void take_document(std::shared_ptr<const Document> document);
  void act(Action action);
  void keys(const draw::Input& input);
  void go(const View& view);
  void follow(const std::string& what);
  void advance(double seconds);
  void touch(const scenes::Touch& touched);
  story::SceneInput input_at(const story::Moment& moment) const;
  void paint_waiting(draw::Ui& ui);
  void paint_walk(draw::Ui& ui);
  void paint_presenting(draw::Ui& ui);
  std::optional<std::int64_t> moment_in_trace() const;

  story::Narration narration_;
  story::Hardware hardware_;
  Host host_;
  Loader loader_;
  std::shared_ptr<const Document> document_;
  std::optional<View> wanted_;  // to be taken up once its file is read
  View view_;
  story::Walk walk_;
  std::optional<story::Stage> stage_;
  draw::UiMemory memory_;
  panels::OutlineState outline_;
  panels::StripState strip_;
  panels::TransportState transport_;
  std::string note_;
  double waited_ = 0;  // seconds since the beat's motion ended, while playing
  std::size_t theme_ = 0;
  bool help_ = false;
  bool presenting_ = false;
  bool blank_ = false;
  bool greeted_ = false;
};

}  // namespace warpwalk::shell
