#include "tests/shell/driver.h"

#include <fstream>
#include <sstream>

#include "app/draw/svg.h"
#include "core/records/hardware.h"
#include "core/trace/chrome/writer.h"

namespace warpwalk::shell {

std::filesystem::path walks_folder() { return std::string(WARPWALK_SOURCE_DIR) + "/assets/walks"; }

std::string walk_file(const std::string& name) {
  return std::string(WARPWALK_SOURCE_DIR) + "/assets/walks/" + name + ".json.gz";
}

std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const story::Narration& english() {
  static const story::Narration words = [] {
    auto read = story::Narration::load(std::string(WARPWALK_SOURCE_DIR) + "/assets/narration/en");
    EXPECT_TRUE(read) << read.error();
    return *std::move(read);
  }();
  return words;
}

const records::Hardware& hardware() {
  static const records::Hardware shipped = [] {
    auto [read, error] = records::load_hardware(std::string(WARPWALK_SOURCE_DIR) + "/assets/devices");
    EXPECT_FALSE(error) << *error;
    return read;
  }();
  return shipped;
}

namespace {

// Only a window that simulates has all questions; without them, keys go from beat to beat.
Settings with_questions(bool asked) {
  Settings settings;
  settings.questions = asked;
  settings.panels = true;  // everything that a window can show
  return settings;
}

run::HistoryOptions histories() {
  run::HistoryOptions options;
  options.ptx_folder = WARPWALK_SOURCE_DIR "/assets/ptx";
  options.source_folder = WARPWALK_SOURCE_DIR "/kernels";
  return options;
}

base::Result<void> result_of(const std::string& error) {
  if (!error.empty()) return base::Error{error};
  return {};
}

}  // namespace

Driver::Driver(float width, float height, bool simulate, const std::string& nvml, const std::filesystem::path& program,
               story::Narration words, const std::filesystem::path& lesson_draft, bool for_class)
    : shell(std::move(words), hardware(),
            {.copy = [this](const std::string& text) { copied = text; },
             .save_picture =
                 [this](const story::Stage& stage, const draw::Theme&, const View&, PictureFormat format) {
                   saved = stage.scene;
                   const char* ending = format == PictureFormat::svg ? ".svg" : ".png";
                   return stage.scene + ending;
                 },
             .start_film =
                 [this](const View& view, const draw::Theme&) {
                   filmed = view.scene;
                   return result_of(film_error);
                 },
             .film_progress = [this] { return film; },
             .cancel_film = [this] { film = {.done = true, .cancelled = true}; },
             .report = [this](const std::string& line) { reports.push_back(line); },
             .assets = std::string(WARPWALK_SOURCE_DIR) + "/assets",
             .for_class = for_class,
             .save_walk = [this](const trace::Trace& trace) -> base::Result<std::string> {
               if (const auto done = trace::write_trace(trace, walk_saved_to); !done) return base::Error{done.error()};
               return walk_saved_to;
             },
             .program = program,
             .histories = simulate ? std::optional(histories()) : std::nullopt,
             .nvml = {.library = nvml},
             .keep_answer =
                 [this](const answers::Answer& answer) {
                   answered.push_back(answer);
                   return result_of(answer_error);
                 },
             .lesson_draft = lesson_draft},
            with_questions(simulate)),
      width_(width),
      height_(height) {
  auto opened = draw::Offscreen::open({});
  EXPECT_TRUE(opened) << opened.error();
  offscreen_ = *std::move(opened);
}

void Driver::open(const std::string& file, const std::string& follow) {
  View view;
  view.file = file;
  view.follow = follow;
  shell.open(view, {.place = follow.empty(), .names = true});
  wait();
}

void Driver::wait() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  frame(0);
  while (shell.busy() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    frame(0);
  }
  settle();
}

void Driver::frame(double seconds) {
  input_.seconds = seconds;
  // One pixel is enough when the picture is not used; the shell draws everything anyway.
  offscreen_->draw(1, 1, shell.theme().ground, [&](ImDrawList& list) {
    draw::Canvas canvas(list, offscreen_->fonts(), shell.theme(), width_, height_);
    shell.frame(canvas, input_);
  });
  input_.keys.clear();
  input_.dropped.clear();
  input_.links.clear();
  input_.wheel = 0;
  input_.mouse_pressed = input_.mouse_released = false;
}

draw::Image Driver::picture() {
  input_.seconds = 0;
  return offscreen_->draw(static_cast<int>(width_), static_cast<int>(height_), shell.theme().ground,
                          [&](ImDrawList& list) {
                            draw::Canvas canvas(list, offscreen_->fonts(), shell.theme(), width_, height_);
                            shell.frame(canvas, input_);
                          });
}

std::vector<std::string> Driver::texts() {
  input_.seconds = 0;
  return texts_of(width_, height_, [&](draw::Canvas& canvas) { shell.frame(canvas, input_); });
}

std::vector<std::string> Driver::lecturer_texts(const draw::Input& input) {
  return texts_of(1040, 680, [&](draw::Canvas& canvas) { shell.lecturer_frame(canvas, input); });
}

std::vector<std::string> Driver::texts_of(float width, float height, const std::function<void(draw::Canvas&)>& paint) {
  draw::SvgPage page(static_cast<int>(width), static_cast<int>(height), shell.theme().ground, "", "");
  offscreen_->play(static_cast<int>(width), static_cast<int>(height), [&](ImDrawList& list) {
    draw::Canvas canvas(list, offscreen_->fonts(), shell.theme(), width, height);
    canvas.record(&page);
    paint(canvas);
  });
  const std::string svg = page.finish();
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = svg.find("<text ", at)) != std::string::npos;) {
    const std::size_t begin = svg.find('>', at) + 1, end = svg.find("</text>", begin);
    std::string text = svg.substr(begin, end - begin);
    for (const auto& [written, meant] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
      for (std::size_t i = 0; (i = text.find(written, i)) != std::string::npos; ++i)
        text.replace(i, std::string_view(written).size(), meant);
    found.push_back(std::move(text));
    at = end;
  }
  return found;
}

void Driver::settle() {
  frame(0);
  for (int i = 0; i < 200 && shell.moving() && !shell.playing(); ++i) frame(0.1);
}

void Driver::press(draw::Key key, bool shift) {
  input_.keys.push_back({key, 0, false, shift});
  frame();
}

void Driver::press(char32_t character, bool control) {
  input_.keys.push_back({draw::Key::character, character, control, false});
  frame();
}

void Driver::press_control(draw::Key key) {
  input_.keys.push_back({key, 0, true, false});
  frame();
}

void Driver::press(const draw::KeyPress& press) {
  input_.keys.push_back(press);
  frame();
}

std::vector<std::string> Driver::texts_after(const draw::KeyPress& press) {
  input_.keys.push_back(press);
  std::vector<std::string> found = texts();
  input_.keys.clear();
  return found;
}

std::vector<std::string> Driver::texts_after_drop(const std::filesystem::path& file) {
  input_.dropped = {file};
  std::vector<std::string> found = texts();
  input_.dropped.clear();
  return found;
}

void Driver::type(const std::string& text) {
  for (const char c : text) press(static_cast<char32_t>(c));
}

void Driver::click(float x, float y) {
  input_.mouse = {x, y};
  frame();
  input_.mouse_pressed = input_.mouse_down = true;
  frame();
  input_.mouse_down = false;
  input_.mouse_released = true;
  frame();
  frame();
}

void Driver::drag(float from_x, float from_y, float to_x, float to_y) {
  input_.mouse = {from_x, from_y};
  input_.mouse_pressed = input_.mouse_down = true;
  frame();
  input_.mouse = {to_x, to_y};
  frame();
  input_.mouse_down = false;
  input_.mouse_released = true;
  frame();
  frame();
}

void Driver::wheel(float x, float y, float notches) {
  input_.mouse = {x, y};
  input_.wheel = notches;
  frame();
}

void Driver::drop(const std::vector<std::filesystem::path>& files) {
  input_.dropped = files;
  wait();
}

void Driver::ask(const std::string& link) {
  input_.links = {link};
  wait();
}

}  // namespace warpwalk::shell
