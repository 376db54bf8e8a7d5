#include "tests/e2e/desktop.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/e2e/drop.h"

extern char** environ;

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

bool installed(const std::string& program) {
  const char* const folders = std::getenv("PATH");
  std::string rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::string folder = rest.substr(0, rest.find(':'));
    rest.erase(0, folder.size() + 1);
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Starts a program of PATH with `descriptor` as its descriptor `number`; its other output is discarded. Returns 0 on
// failure.
pid_t started(std::vector<std::string> words, int descriptor, int number, const std::string& display) {
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string shown = "DISPLAY=" + display;
  for (char** setting = environ; *setting != nullptr; ++setting)
    if (std::strncmp(*setting, "DISPLAY=", 8) != 0) envp.push_back(*setting);
  envp.push_back(shown.data());
  envp.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (standard != number) posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, descriptor, number);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : 0;
}

// Reads until the end or, with `one_line`, until a line is complete; for 20 s at most.
std::string read_from(int descriptor, bool one_line) {
  std::string text;
  const auto give_up = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < give_up && !(one_line && text.find('\n') != std::string::npos)) {
    pollfd readable = {descriptor, POLLIN, 0};
    if (poll(&readable, 1, 100) == 0) continue;
    std::array<char, 1024> part;
    const ssize_t got = read(descriptor, part.data(), part.size());
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Decodes xwd, the format of Xvfb's frame buffer: a header of big-endian 32-bit numbers, a table of colours, rows of
// pixels.
std::optional<draw::Image> decode_xwd(const std::string& bytes) {
  enum Field : std::size_t { header_size, version, format, depth, width, height, offset, byte_order };
  constexpr std::size_t bits_per_pixel = 11, bytes_per_line = 12, colours = 19, fields = 25;
  if (bytes.size() < 4 * fields) return {};
  const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  const auto field = [&](std::size_t i) {
    return at(4 * i) << 24 | at(4 * i + 1) << 16 | at(4 * i + 2) << 8 | at(4 * i + 3);
  };
  constexpr std::size_t bytes_a_colour = 12;
  const std::size_t start = field(header_size) + field(colours) * bytes_a_colour;
  if (field(version) != 7 || field(bits_per_pixel) != 32 || field(byte_order) != 0) return {};
  if (bytes.size() < start + std::size_t{field(bytes_per_line)} * field(height)) return {};
  draw::Image image = draw::filled(static_cast<int>(field(width)), static_cast<int>(field(height)), 0);
  for (std::uint32_t y = 0; y < field(height); ++y)
    for (std::uint32_t x = 0; x < field(width); ++x) {
      const std::size_t p = start + std::size_t{y} * field(bytes_per_line) + 4 * std::size_t{x};
      image.pixels[std::size_t{y} * field(width) + x] = at(p + 2) | at(p + 1) << 8 | at(p) << 16 | 0xff000000u;
    }
  return image;
}

}  // namespace

std::string Display::missing() {
  std::string names;
  for (const char* program : {"Xvfb", "xdotool"})
    if (!installed(program)) names.append(names.empty() ? "" : " and ").append(program);
  return names.empty() ? "" : "not installed: " + names + "; scripts/setup installs it";
}

Display::Display(int width, int height) {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  // The server chooses a free number and writes it into the pipe once it is ready.
  server_ =
      started({"Xvfb", "-displayfd", "3", "-screen", "0", std::to_string(width) + "x" + std::to_string(height) + "x24",
               "-fbdir", folder_.path().string(), "-nolisten", "tcp", "-noreset", "-nocursor"},
              ends[1], 3, "");
  close(ends[1]);
  const std::string number = read_from(ends[0], true);
  close(ends[0]);
  if (!number.empty()) name_ = ":" + number.substr(0, number.find('\n'));
  EXPECT_NE(name_, "") << "Xvfb did not start";
}

Display::~Display() {
  if (server_ == 0) return;
  kill(server_, SIGTERM);
  waitpid(server_, nullptr, 0);
}

std::optional<draw::Image> Display::screenshot() const { return decode_xwd(text_of(folder_.at("Xvfb_screen0"))); }

std::string Display::xdotool(const std::vector<std::string>& words) const {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  std::vector<std::string> all = {"xdotool"};
  all.insert(all.end(), words.begin(), words.end());
  const pid_t child = started(all, ends[1], STDOUT_FILENO, name_);
  close(ends[1]);
  std::string text = read_from(ends[0], false);
  close(ends[0]);
  if (child != 0) waitpid(child, nullptr, 0);
  return text;
}

Desktop::Desktop(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, int width,
                 int height)
    : display_(width, height) {
  std::vector<std::string> settings = {"DISPLAY=" + display_.name(),
                                       "WAYLAND_DISPLAY=",
                                       "XDG_SESSION_TYPE=x11",
                                       "LIBGL_ALWAYS_SOFTWARE=1",
                                       "HOME=" + home_.path().string(),
                                       "XDG_CONFIG_HOME=" + home_.at("config"),
                                       "XDG_CACHE_HOME=" + home_.at("cache"),
                                       "WARPWALK_STATE=" + home_.at("state.jsonl")};
  // Tests use the panels around the stage; Shift+A hides them.
  std::filesystem::create_directories(home_.path() / "config/warpwalk");
  std::ofstream(home_.path() / "config/warpwalk/settings.json") << R"({"panels": true})";
  settings.insert(settings.begin(), environment.begin(), environment.end());  // the first of two duplicates wins
  started_ = Clock::now();
  program_ = std::make_unique<Program>(arguments, settings, "", home_.path().string());
}

State Desktop::state() const { return last_state(home_.at("state.jsonl")).value_or(State{}); }

bool Desktop::wait_for(const std::function<bool(const State&)>& condition, std::chrono::seconds limit) {
  const auto give_up = Clock::now() + limit;
  while (true) {
    const auto now = last_state(home_.at("state.jsonl"));
    if (now && condition(*now)) return true;
    if (Clock::now() > give_up || !program_->running()) return false;
    std::this_thread::sleep_for(4ms);
  }
}

bool Desktop::focus() {
  const auto give_up = Clock::now() + 10s;
  while (window_.empty() && Clock::now() < give_up && program_->running()) {
    std::istringstream found(display_.xdotool({"search", "--onlyvisible", "--pid", std::to_string(program_->pid())}));
    for (std::string window; window_.empty() && std::getline(found, window);)
      if (!title(window).starts_with("Lecturer")) window_ = window;  // it may be there from the start
    if (window_.empty()) std::this_thread::sleep_for(10ms);
  }
  if (window_.empty()) return false;
  display_.xdotool({"windowfocus", "--sync", window_});  // there is no window manager to do it
  return true;
}

bool Desktop::ready() {
  return wait_for([](const State& state) { return !state.scene.empty() && !state.moving; }) && focus();
}

void Desktop::key(const std::string& name) { display_.xdotool({"keydown", name, "sleep", "0.06", "keyup", name}); }

void Desktop::type(const std::string& text) { display_.xdotool({"type", "--delay", "30", text}); }

void Desktop::move(int x, int y) { display_.xdotool({"mousemove", std::to_string(x), std::to_string(y)}); }

void Desktop::click(int x, int y) {
  display_.xdotool({"mousemove", std::to_string(x), std::to_string(y), "sleep", "0.03", "mousedown", "1", "sleep",
                    "0.06", "mouseup", "1"});
}

std::string Desktop::title(const std::string& window) const {
  std::string title = display_.xdotool({"getwindowname", window});
  while (title.ends_with('\n')) title.pop_back();
  return title;
}

std::ostream& operator<<(std::ostream& out, const Geometry& geometry) {
  return out << geometry.width << "x" << geometry.height << "+" << geometry.x << "+" << geometry.y;
}

Geometry Desktop::geometry(const std::string& window) const {
  const std::string text = "\n" + display_.xdotool({"getwindowgeometry", "--shell", window});
  const auto number = [&](const std::string& name) {
    const std::size_t at = text.find("\n" + name + "=");
    return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + name.size() + 2);
  };
  return {number("X"), number("Y"), number("WIDTH"), number("HEIGHT")};
}

std::string Desktop::other_window(std::chrono::seconds limit) {
  const auto give_up = Clock::now() + limit;
  while (Clock::now() < give_up && program_->running()) {
    std::istringstream found(display_.xdotool({"search", "--onlyvisible", "--pid", std::to_string(program_->pid())}));
    for (std::string window; std::getline(found, window);)
      if (window != window_) return window;
    std::this_thread::sleep_for(10ms);
  }
  return {};
}

void Desktop::focus_on(const std::string& window) { display_.xdotool({"windowfocus", "--sync", window}); }

double Desktop::cpu_seconds() const {
  const std::string stat = text_of("/proc/" + std::to_string(program_->pid()) + "/stat");
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::string Desktop::drop(const std::filesystem::path& file) {
  return drop_file(display_.name(), std::stoul(window_), file);
}

void Desktop::wheel(int x, int y, int notches) {
  move(x, y);
  for (int i = 0; i < std::abs(notches); ++i) display_.xdotool({"click", notches > 0 ? "4" : "5"});
}

}  // namespace warpwalk::testing
