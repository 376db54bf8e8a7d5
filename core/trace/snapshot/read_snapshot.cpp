#include "core/trace/snapshot/read_snapshot.h"

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/trace/other_documents.h"
#include "core/trace/pickle/unpickler.h"
#include "core/trace/snapshot/fill_trace.h"

namespace warpwalk::trace::snapshot {
namespace {

// A dump of PyTorch's flight recorder is a pickle, too. `whole`: it was read to its end.
bool is_flight_recorder(const Store& store, Value top, bool whole) {
  if (!whole) return store.texts.find("pg_config") != 0;
  return store.has_key(top, "pg_config") || store.has_key(top, "pg_status") ||
         (store.has_key(top, "entries") && store.has_key(top, "version"));
}

}  // namespace

Result read_snapshot(Window& window, std::uint64_t memory_cap, const std::function<bool(std::uint64_t)>& go_on,
                     Trace& trace, Problems& problems) {
  Result result;
  Store store;
  pickle::Unpickler unpickler(window, store, memory_cap);
  bool capped = false;
  const pickle::Unpickler::End end = unpickler.run([&] {
    // The trace that follows needs about as much for its rows again.
    capped = store.bytes() + unpickler.bytes() + store.events.size() * sizeof(MemoryEvent) > memory_cap;
    return !capped && go_on(store.events.size() + store.segments.size() + store.blocks.size());
  });
  const std::uint64_t at = window.offset();
  const bool whole = end == pickle::Unpickler::End::complete;
  if (!store.is_snapshot(unpickler.top()) && is_flight_recorder(store, unpickler.top(), whole)) {
    result.error = flight_recorder_dump();
    return result;
  }
  if (end == pickle::Unpickler::End::code) {
    result.error = fmt::format(
        "the pickle would call Python code ({}), which a memory snapshot never does; nothing of it was run. Give a "
        "file written by torch.cuda.memory._dump_snapshot",
        unpickler.what());
    return result;
  }
  if (!store.is_snapshot(unpickler.top())) {
    if (end == pickle::Unpickler::End::stopped)
      result.error = capped ? fmt::format("reading stopped at byte {}: the snapshot reached the cap of {}", at,
                                          base::bytes_text(static_cast<double>(memory_cap)))
                            : fmt::format("reading was cancelled at byte {}", at);
    else if (end == pickle::Unpickler::End::damaged)
      result.error = fmt::format("the pickle is damaged ({}); record the snapshot again", unpickler.what());
    else if (end == pickle::Unpickler::End::cut_off)
      result.error = fmt::format(
          "the pickle is cut off at byte {}, before any segment or entry of the history; copy or record it again", at);
    else
      result.error =
          "is a Python pickle without segments and device_traces; give a file written by "
          "torch.cuda.memory._dump_snapshot";
    return result;
  }
  unpickler.forget();
  result.entries = fill_trace(store, unpickler.top(), trace);
  switch (end) {
    case pickle::Unpickler::End::complete:
    case pickle::Unpickler::End::code: break;
    case pickle::Unpickler::End::cut_off:
      problems.add(ProblemKind::truncated, at,
                   fmt::format("the pickle ends at byte {} before it is complete; the {} entries before it are kept",
                               at, result.entries));
      break;
    case pickle::Unpickler::End::damaged:
      problems.add(ProblemKind::lost_event, at,
                   fmt::format("the pickle cannot be read from here on: {}; the {} entries before it are kept",
                               unpickler.what(), result.entries));
      break;
    case pickle::Unpickler::End::stopped:
      result.stopped = true;
      problems.add(capped ? ProblemKind::memory_cap : ProblemKind::cancelled, at,
                   capped ? fmt::format("reading stopped at byte {}: the snapshot reached the cap of {}; everything "
                                        "before it is kept",
                                        at, base::bytes_text(static_cast<double>(memory_cap)))
                          : fmt::format("reading was cancelled at byte {}; everything before it is kept", at));
      break;
  }
  if (store.lost != 0)
    problems.add(
        ProblemKind::bad_record, at,
        fmt::format("{} values of the pickle are not where a memory snapshot has them; they are left out", store.lost));
  return result;
}

}  // namespace warpwalk::trace::snapshot
