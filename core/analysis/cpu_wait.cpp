#include "core/analysis/cpu_wait.h"

#include <algorithm>

namespace warpwalk::analysis {
namespace {

struct WaitingFunction {
  std::string_view function;
  std::string_view of;  ///< a part of the file's name, or of the object's type; empty: any
  CpuWait wait;
};

// Functions in C: "<built-in method NAME of TYPE object at 0x...>", "<method 'NAME' of 'TYPE' objects>",
// "<built-in function NAME>".
constexpr WaitingFunction in_c[] = {
    {"sleep", "", CpuWait::sleep},        {"acquire", "", CpuWait::lock},     {"acquire_lock", "", CpuWait::lock},
    {"__enter__", "lock", CpuWait::lock}, {"get", "queue", CpuWait::lock},    {"_queue_get", "", CpuWait::lock},
    {"wait", "", CpuWait::lock},          {"join", "thread", CpuWait::lock},  {"poll", "", CpuWait::input},
    {"select", "", CpuWait::input},       {"epoll_wait", "", CpuWait::input}, {"accept", "socket", CpuWait::input},
    {"recv", "", CpuWait::input},         {"recv_into", "", CpuWait::input},  {"read", "", CpuWait::input},
    {"readinto", "", CpuWait::input},     {"readline", "", CpuWait::input},   {"readlines", "", CpuWait::input},
    {"waitpid", "", CpuWait::input},      {"wait4", "", CpuWait::input},      {"run_backward", "", CpuWait::autograd},
};

// Functions of Python: "FILE(LINE): NAME". They are innermost if the calls of functions in C are not recorded.
constexpr WaitingFunction in_python[] = {
    {"sleep", "", CpuWait::sleep},
    {"wait", "threading.py", CpuWait::lock},
    {"wait_for", "threading.py", CpuWait::lock},
    {"acquire", "threading.py", CpuWait::lock},
    {"join", "threading.py", CpuWait::lock},
    {"_wait_for_tstate_lock", "threading.py", CpuWait::lock},
    {"get", "queue.py", CpuWait::lock},
    {"result", "concurrent/futures", CpuWait::lock},
    {"wait", "concurrent/futures", CpuWait::lock},
    {"as_completed", "concurrent/futures", CpuWait::lock},
    {"get", "multiprocessing/queues.py", CpuWait::input},
    {"_try_get_data", "dataloader.py", CpuWait::input},
    {"select", "selectors.py", CpuWait::input},
    {"poll", "multiprocessing", CpuWait::input},
    {"wait", "multiprocessing", CpuWait::input},
    {"_poll", "multiprocessing", CpuWait::input},
    {"_recv", "", CpuWait::input},
    {"_recv_msg", "", CpuWait::input},
    {"recv", "", CpuWait::input},
    {"recv_bytes", "", CpuWait::input},
    {"_recv_bytes", "", CpuWait::input},
    {"readinto", "socket.py", CpuWait::input},
    {"wait", "subprocess.py", CpuWait::input},
    {"communicate", "subprocess.py", CpuWait::input},
    {"_engine_run_backward", "", CpuWait::autograd},
};

bool has(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };  // without the case of letters
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// The first word of a text, up to a space, a quote or >.
std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" '>")); }

template <std::size_t n>
CpuWait found(const WaitingFunction (&table)[n], std::string_view function, std::string_view of) {
  for (const WaitingFunction& row : table)
    if (row.function == function && (row.of.empty() || has(of, row.of))) return row.wait;
  return CpuWait::none;
}

}  // namespace

CpuWait cpu_wait_of(std::string_view frame) {
  for (const std::string_view opening : {"<built-in method ", "<built-in function ", "<method '"})
    if (frame.starts_with(opening)) {
      const std::string_view rest = frame.substr(opening.size()), function = first_word(rest);
      return found(in_c, function, rest.substr(function.size()));
    }
  const std::size_t place = frame.rfind("): ");
  if (place == std::string_view::npos) return CpuWait::none;
  return found(in_python, first_word(frame.substr(place + 3)), frame.substr(0, place));
}

CpuWaits::CpuWaits(const trace::Trace& trace) : trace_(trace), by_name_(trace.strings.size(), CpuWait::none) {
  std::vector<bool> seen(by_name_.size(), false);
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s) {
    if (trace.slices.kind[s] != trace::SliceKind::python) continue;
    const trace::StringId name = trace.slices.name[s];
    if (seen[name]) continue;
    seen[name] = true;
    by_name_[name] = cpu_wait_of(trace.text(name));
  }
}

}  // namespace warpwalk::analysis
