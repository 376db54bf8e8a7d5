// The part of Builder that handles tracks.
#include <string>

#include "core/trace/chrome/builder.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

using Type = RawValue::Type;

// True if the text has the form that std::to_string produces.
bool is_plain_number(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= 18 && text[0] != '0' &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

// A pid or tid in the model's form (see Track).
StringId Builder::id_of(const RawValue& value, bool& is_text) {
  is_text = value.type == Type::string;
  if (value.type != Type::number) {
    is_text = is_text || (value.type != Type::null && value.type != Type::word);
    return text(value);
  }
  if (is_plain_number(value.text.text)) return trace_.strings.intern(value.text.text);
  if (const auto number = parse_integer(value.text.text)) return trace_.strings.intern(std::to_string(*number));
  is_text = true;
  return text(value);
}

Builder::FileTrack Builder::file_track(const RawEvent& event, bool gpu) {
  FileTrack track;
  track.pid = id_of(event.pid, track.pid_is_text);
  track.tid = id_of(event.tid, track.tid_is_text);
  track.gpu = gpu;
  return track;
}

TrackId Builder::track_of(const RawEvent& event, bool gpu) {
  if (const TrackId recent = recent_[gpu]; recent < trace_.tracks.size()) {
    const FileTrack& track = file_tracks_[recent];
    const auto same = [&](StringId id, bool is_text, const RawValue& value) {
      return is_text == (value.type == Type::string) && value.text.plain && trace_.text(id) == value.text.text;
    };
    if (same(track.tid, track.tid_is_text, event.tid) && same(track.pid, track.pid_is_text, event.pid)) return recent;
  }
  const FileTrack key = file_track(event, gpu);
  const auto [found, is_new] = track_ids_.try_emplace(key, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace_.tracks.emplace_back();
    file_tracks_.push_back(key);
  }
  recent_[gpu] = found->second;
  return found->second;
}

void Builder::describe(const RawEvent& event) {
  const std::string_view what = event.name.text.text;
  const FileTrack as = file_track(event, false);
  if (what == "warpwalk_track") return describe_track(event, as);
  const bool of_thread = what == "thread_name" || what == "thread_sort_index";
  if (!of_thread && what != "process_name" && what != "process_labels" && what != "process_sort_index") return;
  Named& named = of_thread ? threads_[as] : processes_[as.pid];
  for (const RawArg& arg : event.args) {
    switch (arg.key) {
      case ArgKey::name: named.name = text(arg.value); break;
      case ArgKey::labels: named.labels = text(arg.value); break;
      case ArgKey::sort_index: read_integer(arg, named.sort_index); break;
      default: break;
    }
  }
}

// Reads the writer's description of a track whose pid, tid or names other viewers would reject: see export_tracks.h.
void Builder::describe_track(const RawEvent& event, const FileTrack& as) {
  Track track;
  for (const RawArg& arg : event.args) {
    switch (arg.key) {
      case ArgKey::track_pid: track.pid = id_of(arg.value, track.pid_is_text); break;
      case ArgKey::track_tid: track.tid = id_of(arg.value, track.tid_is_text); break;
      case ArgKey::track_gpu: track.gpu = arg.value.text.text == "true"; break;
      case ArgKey::name: track.name = text(arg.value); break;
      case ArgKey::sort_index: read_integer(arg, track.sort_index); break;
      case ArgKey::process_name: track.process_name = text(arg.value); break;
      case ArgKey::process_labels: track.process_labels = text(arg.value); break;
      case ArgKey::process_sort_index: read_integer(arg, track.process_sort_index); break;
      default: break;
    }
  }
  described_[as] = track;
}

void Builder::finish() {
  pair_edges();
  read_rows_without_category();
  name_tracks();
  pair_flows();
}

void Builder::name_tracks() {
  std::vector<bool> has_slices(trace_.tracks.size());
  for (std::size_t i = 0; i < trace_.slices.size(); ++i) has_slices[trace_.slices.track[i]] = true;
  for (TrackId id = 0; id < trace_.tracks.size(); ++id) {
    FileTrack as = file_tracks_[id];
    // Instants and flows do not say whether their pid is a process or a device. If only a stream has this pid and tid,
    // they belong to that stream.
    FileTrack twin = as;
    twin.gpu = true;
    const bool on_stream = as.gpu || (!has_slices[id] && track_ids_.contains(twin));
    as.gpu = false;  // metadata is looked up by pid and tid only
    Track& track = trace_.tracks[id];
    if (const auto described = described_.find(as); described != described_.end()) {
      track = described->second;
      continue;
    }
    track.pid = as.pid;
    track.tid = as.tid;
    track.pid_is_text = as.pid_is_text;
    track.tid_is_text = as.tid_is_text;
    track.gpu = on_stream;
    if (const auto process = processes_.find(as.pid); process != processes_.end()) {
      track.process_name = process->second.name;
      track.process_labels = process->second.labels;
      track.process_sort_index = process->second.sort_index;
    }
    if (const auto thread = threads_.find(as); thread != threads_.end()) {
      track.name = thread->second.name;
      track.sort_index = thread->second.sort_index;
    }
  }
}

}  // namespace warpwalk::trace
