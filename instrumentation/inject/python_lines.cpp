#include "instrumentation/inject/python_lines.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "instrumentation/inject/session.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {
namespace {

constexpr std::size_t most_python_frames = 128;

template <class Function>
bool find_in_python(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

/// "aten::mm, seq = 3": an op of PyTorch. Others are ranges of the program, or contain ops.
bool names_an_op(std::string_view text) { return text.substr(0, text.find(',')).find("::") != std::string_view::npos; }

/// The part of a file's name that says what it is: below the folder of packages or of the program.
std::string_view short_file(std::string_view file, std::string_view folder) {
  for (const std::string_view packages : {"/site-packages/", "/dist-packages/"})
    if (const std::size_t at = file.rfind(packages); at != std::string_view::npos)
      return file.substr(at + packages.size());
  return !folder.empty() && file.starts_with(folder) ? file.substr(folder.size()) : file;
}

/// "train.py(12): step" of "/home/me/train.py:12 main.<locals>.step", as torch.profiler names frames. Empty for the
/// frames that start a program.
std::string frame_name(std::string_view text, std::string_view folder) {
  const std::size_t space = text.rfind(' ');
  const std::string_view place = text.substr(0, space);
  const std::size_t colon = place.rfind(':');
  if (space == std::string_view::npos || colon == std::string_view::npos) return {};
  const std::string_view file = place.substr(0, colon);
  std::string_view function = text.substr(space + 1);
  constexpr std::string_view locals = "<locals>.";
  if (const std::size_t at = function.rfind(locals); at != std::string_view::npos)
    function = function.substr(at + locals.size());
  if (file.ends_with("/warpwalk/bootstrap.py") || file == "<frozen runpy>") return {};
  return std::string(short_file(file, folder)) + '(' + std::string(place.substr(colon + 1)) +
         "): " + std::string(function);
}

}  // namespace

PythonLines& PythonLines::the() {
  static PythonLines* const the_lines = new PythonLines;
  return *the_lines;
}

bool PythonLines::start() {
  if (on_) return true;
  if (!frames_.load() || !find_in_python(take_lock_, "PyGILState_Ensure") ||
      !find_in_python(leave_lock_, "PyGILState_Release") || !find_in_python(keep_, "Py_IncRef"))
    return false;
  if (!find_in_python(is_ending_, "Py_IsFinalizing")) find_in_python(is_ending_, "_Py_IsFinalizing");
  if (!frames_.calibrate()) return false;
  main_thread_ = thread_id();
  std::error_code error;
  folder_ = std::filesystem::current_path(error).string() + '/';
  on_ = true;
  return true;
}

PythonLines::OpenRanges& PythonLines::ranges_of_this_thread(const Session& session) {
  thread_local OpenRanges open;
  if (open.session != session.number()) open = {session.number(), {}};
  return open;
}

PythonLines::Thread& PythonLines::thread_of(const Session& session, std::uint32_t thread) {
  Thread& found = threads_[thread];
  if (found.session != session.number()) found = {session.number(), {}, 0};
  return found;
}

const std::string* PythonLines::name_frame(const Frame& frame) {
  const std::string name = frame_name(frames_.text(frame), folder_);
  keep_(const_cast<void*>(frame.code));  // its address is its name from here on
  const std::lock_guard lock(mutex_);
  return frame_names_[frame] = name.empty() ? nullptr : &names_.try_emplace(name, true).first->first;
}

std::vector<const std::string*> PythonLines::texts_of(const std::vector<Frame>& frames) {
  std::vector<const std::string*> texts(frames.size());
  std::vector<std::size_t> unknown;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < frames.size(); ++i)
      if (const auto found = frame_names_.find(frames[i]); found != frame_names_.end())
        texts[i] = found->second;
      else
        unknown.push_back(i);
  }
  if (!unknown.empty()) {
    if (is_ending_ != nullptr && is_ending_() != 0) return {};
    const int state = take_lock_();
    for (const std::size_t i : unknown) texts[i] = name_frame(frames[i]);
    leave_lock_(state);
  }
  std::erase(texts, nullptr);
  std::ranges::reverse(texts);  // the outermost first
  return texts;
}

void PythonLines::close_lines(Session& session, Thread& of, std::uint32_t thread, std::size_t left) {
  const std::uint32_t domain = session.file().name(python_lines_domain);
  for (; of.lines.size() > left; of.lines.pop_back()) session.file().add(PopRow{of.last, thread, domain});
}

void PythonLines::before_range(Session& session, std::uint32_t thread, std::string_view text) {
  OpenRanges& open = ranges_of_this_thread(session);
  const bool op = names_an_op(text);
  const bool first = op && std::ranges::none_of(open.ranges, &Open::op);
  std::vector<const std::string*> lines;
  std::uint32_t owner = thread;
  if (first) {
    thread_local std::vector<Frame> frames;
    frames_.current(frames, most_python_frames);
    if (frames.empty()) {
      // A thread of PyTorch's, for the backward pass: the main thread waits for it.
      frames_.of_main_thread(frames, most_python_frames);
      owner = main_thread_;
    }
    lines = texts_of(frames);
  }
  const std::lock_guard lock(mutex_);
  Thread& of = thread_of(session, owner);
  if (!lines.empty()) {
    const auto [same, other] = std::ranges::mismatch(of.lines, lines);
    const auto kept = static_cast<std::size_t>(same - of.lines.begin());
    close_lines(session, of, owner, kept);
    const std::uint32_t domain = session.file().name(python_lines_domain);
    for (std::size_t i = kept; i < lines.size(); ++i) session.file().add(PushRow{now_ns(), owner, domain, *lines[i]});
    of.lines = std::move(lines);
    of.last = now_ns();
  }
  open.ranges.push_back({op, thread_of(session, thread).lines.size()});
}

void PythonLines::after_range(Session& session, std::uint32_t thread) {
  OpenRanges& open = ranges_of_this_thread(session);
  if (open.ranges.empty()) return;  // it began before the recording
  const Open range = open.ranges.back();
  open.ranges.pop_back();
  const bool outer_op = range.op && std::ranges::none_of(open.ranges, &Open::op);
  const std::lock_guard lock(mutex_);
  Thread& own = thread_of(session, thread);
  // Lines that began in the range end in it.
  if (own.lines.size() > range.lines) close_lines(session, own, thread, range.lines);
  if (outer_op) own.last = now_ns();
  if (outer_op && own.lines.empty() && thread != main_thread_) thread_of(session, main_thread_).last = now_ns();
}

}  // namespace warpwalk::instrumentation
