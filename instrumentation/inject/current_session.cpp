// The session of the process: who uses it, how it begins and ends, and what a fork does with it.
#include "instrumentation/inject/current_session.h"

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <mutex>

#include <pthread.h>

#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/inject/recorder_thread.h"
#include "instrumentation/recording_names.h"

namespace warpwalk::instrumentation {
namespace {

// Calls from CUPTI's threads and from NVTX can come until the process ends, so this is never destroyed.
struct Process {
  std::atomic<Session*> session = nullptr;
  std::atomic<int> users = 0;
  std::atomic<bool> decided = false;   // whether the environment asks for a recording
  std::atomic<bool> recorded = false;  // a recording of the GPU has begun in this process
  bool unusable = false;               // so it had in the parent, from which this process was forked
  std::mutex deciding;
  std::mutex changing;  // held while the program begins or ends a recording; never by a call from CUPTI or NVTX
};
Process& process() {
  static Process* const the_process = new Process;
  return *the_process;
}

// True on the thread that begins or ends a recording. CUDA may fork there: cuInit starts nvidia-modprobe.
bool& changes_here() {
  thread_local bool changes = false;
  return changes;
}

class Change {
 public:
  Change() : lock_(process().changing) { changes_here() = true; }
  ~Change() { changes_here() = false; }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
};

// Around a fork, the forking thread holds every lock that a call in the child may take: the child has no other thread
// that could release it. A recording that is about to begin or end is waited for, because its open file would stay
// locked in the child.
void before_fork() {
  if (!changes_here()) process().changing.lock();
  process().deciding.lock();
  nvtx_before_fork();
  activity_buffers().before_fork();
  if (Session* const session = process().session; session != nullptr) session->file().before_fork();
}

void after_fork() {
  if (Session* const session = process().session; session != nullptr) session->file().after_fork();
  activity_buffers().after_fork();
  nvtx_after_fork();
  process().deciding.unlock();
  if (!changes_here()) process().changing.unlock();
}

// A forked child starts over; the parent's session continues only in the parent.
void after_fork_in_child() {
  Session* const of_parent = process().session;
  after_fork();
  if (of_parent != nullptr) of_parent->file().abandon_in_child();
  process().session = nullptr;
  process().users = 0;
  process().decided = false;
  process().unusable = process().unusable || process().recorded;
}

// Children inherit the handlers, and so do theirs. They are registered when the library is loaded: once per process
// image, and before any thread can be in a call.
[[maybe_unused]] const int fork_handlers = pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);

void decide() {
  Process& the_process = process();
  if (the_process.decided.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(the_process.deciding);
  if (the_process.decided) return;
  const char* const output = std::getenv(output_variable);
  if (output != nullptr && *output == '/') the_process.session = new Session(output);
  the_process.decided = true;
}

// Takes a session that has ended from all callers and gives CUPTI back. Calls that came before may still use the
// session; if they do not end soon, because the program's thread waits for something in the driver, it is leaked.
void withdraw(Session* session) {
  Process& the_process = process();
  session->leave_simulated();
  the_process.session = nullptr;
  pause_recorder_thread();
  constexpr timespec millisecond = {0, 1'000'000};
  constexpr int most_waits = 1000;
  for (int waited = 0; the_process.users > 0 && waited < most_waits; ++waited) nanosleep(&millisecond, nullptr);
  session->leave_cupti();
  if (the_process.users == 0) delete session;
  activity_buffers().release();
}

}  // namespace

UsedSession::UsedSession() {
  if (!is_recorded()) return;
  // withdraw() removes the session before it reads the count. So either it waits for this call, or this call finds
  // no session. Both need the strongest memory order, which is the default.
  counted_ = true;
  ++process().users;
  session_ = process().session;
}

UsedSession::~UsedSession() {
  if (counted_) --process().users;
}

bool is_recorded() {
  decide();
  return process().session.load(std::memory_order_acquire) != nullptr;
}

std::string begin_recording(const char* output) {
  if (output == nullptr || *output != '/') return "the recording needs the absolute path of its walk";
  Process& the_process = process();
  const Change change;
  // CUDA does not work here, and a call of CUPTI may wait for a thread that only the parent has.
  if (the_process.unusable) return "this process was forked from one whose GPU was recorded; CUDA cannot be used in it";
  decide();
  if (Session* const other = the_process.session; other != nullptr) {
    if (!other->has_ended()) return "a recording of this process is under way; end it first";
    withdraw(other);
  }
  auto session = std::make_unique<Session>(output);
  if (SimulatedGpu gpu; gpu.find()) {
    if (std::string error = session->begin_on(gpu); !error.empty()) return error;
    the_process.session = session.release();
    flush_regularly();
    return {};
  }
  if (std::string error = session->open(); !error.empty()) return error;
  the_process.recorded = true;
  // From here on CUPTI calls, also from other threads, and those calls must find the session.
  the_process.session = session.get();
  std::string error = session->enable();
  if (error.empty())
    flush_regularly();
  else
    session->discard();
  Session* const begun = session.release();
  if (!error.empty()) withdraw(begun);
  return error;
}

bool end_recording() {
  Process& the_process = process();
  const Change change;
  Session* const session = the_process.session;
  // One that the environment asks for begins when CUDA starts.
  if (session == nullptr || !session->has_begun()) return false;
  session->leave_simulated();
  session->stop();
  withdraw(session);
  return true;
}

void flush_regularly() {
  process().recorded = true;
  // Handlers and thread are not needed if anything before has failed.
  start_recorder_thread(
      [] {
        if (const UsedSession session; session) session->flush();
      },
      [](std::uint32_t signal) {
        if (const UsedSession session; session) session->end(signal);
      });
  [[maybe_unused]] static const int registered = std::atexit([] {
    const UsedSession session;
    if (!session) return;
    session->leave_simulated();
    session->end(0);
  });
}

}  // namespace warpwalk::instrumentation
