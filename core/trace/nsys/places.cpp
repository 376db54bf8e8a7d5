#include "core/trace/nsys/places.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace warpwalk::trace::nsys {
namespace {

constexpr std::uint64_t low_bits = 0xffffff;  // of the thread, and of the process above it

std::uint64_t process_bits(std::int64_t id) { return static_cast<std::uint64_t>(id) >> 24; }
std::uint64_t thread_id(std::int64_t id) { return static_cast<std::uint64_t>(id) & low_bits; }

}  // namespace

Places::Places(const Database& database, Trace& trace, Strings& strings) : trace_(trace) {
  constexpr std::array<std::string_view, 3> devices = {"pid", "cudaId", "gpuId"};
  Statement rows = select(database, "TARGET_INFO_CUDA_DEVICE", devices);
  while (rows && rows.next())
    if (const std::int64_t gpu = rows.integer(2); gpu != absent)
      gpus_.insert_or_assign(std::pair{rows.integer(0), rows.integer(1)}, gpu);
  const auto read_names = [&](std::string_view table, std::array<std::string_view, 2> columns, auto& names) {
    Statement named = select(database, table, columns);
    while (named && named.next())
      if (const std::int64_t id = named.integer(0); id != absent) names.insert_or_assign(id, strings.text(named, 1));
  };
  read_names("ThreadNames", {"globalTid", "nameId"}, thread_names_);
  read_names("PROCESSES", {"globalPid", "name"}, process_names_);
}

Process Places::process(std::int64_t id) {
  if (id == absent) return processes_.size() == 1 ? 0 : absent;
  const auto [found, is_new] = process_numbers_.try_emplace(process_bits(id), static_cast<Process>(processes_.size()));
  if (is_new) processes_.push_back(process_bits(id));
  return found->second;
}

std::int64_t Places::correlation(Process process, std::int64_t correlation) const {
  constexpr int bits = 32;  // of a correlation
  if (correlation <= 0 || correlation >> bits != 0) return correlation == 0 ? 0 : absent;
  if (process == absent) return processes_.size() <= 1 ? correlation : absent;
  return process << bits | correlation;
}

std::int64_t Places::gpu(Process process, std::int64_t device) const {
  if (process == absent || device == absent) return device;
  const auto pid = static_cast<std::int64_t>(processes_[static_cast<std::size_t>(process)] & low_bits);
  const auto found = gpus_.find({pid, device});
  return found == gpus_.end() ? device : found->second;
}

TrackId Places::thread(std::int64_t global_tid) {
  if (recent_thread_.second == no_slice || recent_thread_.first != global_tid)
    recent_thread_ = {global_tid, add_thread(global_tid, 0)};
  return recent_thread_.second;
}

TrackId Places::beside_thread(std::int64_t global_tid, std::size_t lane) { return add_thread(global_tid, lane + 1); }

TrackId Places::add_thread(std::int64_t global_tid, std::size_t lane) {
  const auto [found, is_new] =
      threads_.try_emplace(std::pair{global_tid, lane}, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace_.tracks.emplace_back();
    thread_places_.push_back({global_tid, lane, found->second});
    process(global_tid);
  }
  return found->second;
}

TrackId Places::stream(Process process, std::int64_t gpu, std::int64_t stream) {
  const auto [found, is_new] =
      streams_.try_emplace(std::tuple{process, gpu, stream}, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace_.tracks.emplace_back().gpu = true;
    stream_places_.push_back({process, gpu, stream, found->second});
  }
  return found->second;
}

void Places::finish() {
  for (const std::uint64_t bits : processes_) ++users_of_pid_[bits & low_bits];
  for (const ThreadPlace& place : thread_places_) name_thread(place);
  std::map<std::pair<std::int64_t, std::int64_t>, int> users;
  for (const StreamPlace& place : stream_places_) ++users[{place.gpu, place.stream}];
  for (const StreamPlace& place : stream_places_) name_stream(place, users[{place.gpu, place.stream}] > 1);
}

std::pair<std::string, bool> Places::pid(std::int64_t id) const {
  const std::uint64_t number = process_bits(id) & low_bits;
  const auto users = users_of_pid_.find(number);
  if (users == users_of_pid_.end() || users->second == 1) return {std::to_string(number), false};
  return {fmt::format("{} (machine {})", number, process_bits(id) >> 24), true};
}

void Places::name_thread(const ThreadPlace& place) {
  if (place.global_tid == absent && place.lane == 0) return;  // a track without ids
  Track& track = trace_.tracks[place.track];
  const auto name = thread_names_.find(place.global_tid);
  const std::string_view thread_name = name == thread_names_.end() ? "" : trace_.text(name->second);
  std::string tid;
  if (place.global_tid != absent) {
    const auto [text, is_text] = pid(place.global_tid);
    track.pid = trace_.strings.intern(text);
    track.pid_is_text = is_text;
    tid = std::to_string(thread_id(place.global_tid));
    const auto process_name = process_names_.find(static_cast<std::int64_t>(process_bits(place.global_tid) << 24));
    if (process_name != process_names_.end()) track.process_name = process_name->second;
  }
  if (place.lane == 0) {
    track.name = name == thread_names_.end() ? 0 : name->second;
  } else {
    tid = fmt::format("{}{}start/end ranges {}", tid, tid.empty() ? "" : " ", place.lane);
    track.tid_is_text = true;
    track.name =
        trace_.strings.intern(fmt::format("{}{}start/end ranges", thread_name, thread_name.empty() ? "" : ": "));
  }
  track.tid = trace_.strings.intern(tid);
}

void Places::name_stream(const StreamPlace& place, bool shared) {
  Track& track = trace_.tracks[place.track];
  const auto number = [](std::int64_t id) { return id == absent ? std::string() : std::to_string(id); };
  track.pid = trace_.strings.intern(number(place.gpu));
  track.device = place.gpu;
  track.stream = place.stream;
  if (place.gpu != absent) track.process_labels = trace_.strings.intern(fmt::format("GPU {}", place.gpu));
  std::string tid = number(place.stream);
  std::string name = place.stream == absent || place.stream < 0 ? "" : "stream " + tid;
  if (shared && place.process != absent) {
    const std::uint64_t bits = processes_[static_cast<std::size_t>(place.process)];
    const std::string of = fmt::format(" (process {})", pid(static_cast<std::int64_t>(bits << 24)).first);
    tid += of;
    if (!name.empty()) name += of;
    track.tid_is_text = true;
  }
  track.tid = trace_.strings.intern(tid);
  track.name = trace_.strings.intern(name);
}

}  // namespace warpwalk::trace::nsys
