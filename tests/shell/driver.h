#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "app/draw/offscreen.h"
#include "app/shell/shell.h"

namespace warpwalk::shell {

/// The folder of the recorded walks, and one of them by its name without ".json.gz".
std::filesystem::path walks_folder();
std::string walk_file(const std::string& name);
/// The contents of a file; empty if it cannot be read.
std::string file_text(const std::filesystem::path& file);
/// The words and the descriptions of GPUs as they are delivered, read once.
const story::Narration& english();
const records::Hardware& hardware();

/// Uses a shell without a window: presses keys, moves the mouse, lets time pass.
class Driver {
 public:
  /// `simulate`: the followed kernel's history is built in the background. `nvml`: the library that GPUs are observed
  /// with. `program`: replaces warpwalk's own verbs. `words`: the language. `lesson_draft`: the file of an unsaved
  /// lesson. `for_class`: without notes and lecturer's window.
  explicit Driver(float width = 1600, float height = 900, bool simulate = false,
                  const std::string& nvml = "libno-such-nvml.so.1", const std::filesystem::path& program = {},
                  story::Narration words = english(), const std::filesystem::path& lesson_draft = {},
                  bool for_class = false);

  std::string copied;
  std::string saved;
  std::string filmed;         ///< the scene that is filmed
  std::string walk_saved_to;  ///< where save_walk writes
  std::string film_error;     ///< of start_film; empty: it succeeds
  FilmProgress film;          ///< the result of film_progress
  std::vector<std::string> reports;
  std::vector<answers::Answer> answered;
  std::string answer_error;  ///< of keep_answer; empty: it succeeds

  Shell shell;

  /// Opens a file as the command line does, without a scene, and waits until it is read or refused.
  void open(const std::string& file, const std::string& follow = "");
  /// Draws frames until no background work is left: no file is read, nothing is run or simulated.
  void wait();
  void frame(double seconds = 0.02);
  /// Draws frames until nothing moves.
  void settle();
  void press(draw::Key key, bool shift = false);
  void press(char32_t character, bool control = false);
  void press_control(draw::Key key);
  void press(const draw::KeyPress& press);
  /// Every text of the very frame that gets the key.
  std::vector<std::string> texts_after(const draw::KeyPress& press);
  /// The same of the frame that gets a dropped file.
  std::vector<std::string> texts_after_drop(const std::filesystem::path& file);
  void type(const std::string& text);
  void click(float x, float y);
  void drag(float from_x, float from_y, float to_x, float to_y);
  void wheel(float x, float y, float notches);
  void drop(const std::filesystem::path& file) { drop(std::vector<std::filesystem::path>{file}); }
  void drop(const std::vector<std::filesystem::path>& files);
  /// Another page asks for a view, and it is read.
  void ask(const std::string& link);
  /// Moves the pointer; the next frame sees it.
  void point(float x, float y) { input_.mouse = {x, y}; }
  /// Draws a frame and returns every text in it, as it was drawn: cut and wrapped.
  std::vector<std::string> texts();
  /// The same of the lecturer's window, 1040 by 680 units; `input` is its mouse.
  std::vector<std::string> lecturer_texts(const draw::Input& input = {});
  /// Every text that `paint` draws on a canvas of this size.
  std::vector<std::string> texts_of(float width, float height, const std::function<void(draw::Canvas&)>& paint);
  draw::Image picture();
  /// The identity of the fonts, with which pictures can be compared.
  const std::string& type_identity() const { return offscreen_->fonts().identity.text; }

 private:
  std::unique_ptr<draw::Offscreen> offscreen_;
  draw::Input input_;
  float width_, height_;
};

}  // namespace warpwalk::shell
