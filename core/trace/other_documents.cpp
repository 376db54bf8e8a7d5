#include "core/trace/other_documents.h"

#include <algorithm>
#include <array>

namespace warpwalk::trace {
namespace {

constexpr std::string_view flight_recorder =
    "is a dump of PyTorch's flight recorder, which has the calls of a hanging job and no trace; warpwalk info FILE, or "
    "info FOLDER for the dumps of all ranks, says who is missing where";

struct OtherDocument {
  std::array<std::string_view, 2> keys;  ///< all of them are there
  std::string_view what;
};

constexpr OtherDocument other_documents[] = {
    {{"collective_kinds", "cost_kinds"},
     "is a digest of the trace of one rank; give the folder with the digests of all ranks, or the trace itself"},
    {{"warpwalk_lesson"}, "is a lesson, not a trace; open it in the window: warpwalk FILE"},
    {{"kernel", "ptx"}, "is a launch file, not a trace; run it: warpwalk simulate FILE -o walk.json.gz"},
    {{"kernel", "cuda"}, "is a launch file, not a trace; run it: warpwalk simulate FILE -o walk.json.gz"},
    {{"kernel", "cubin"}, "is a launch file, not a trace; run it: warpwalk simulate FILE -o walk.json.gz"},
    {{"parameters", "id"}, "describes a GPU and is no trace; pass it to simulate or run with --gpu"},
    {{"pg_config", "version"}, flight_recorder},
    {{"pg_status", "version"}, flight_recorder},
    {{"entries", "version"}, flight_recorder},
    {{"string_table"}, torch_trace_log},
    {{"compile_id"}, torch_trace_log},
    {{"chromium_event"}, torch_trace_log},
    {{"schema", "nodes"},
     "is an execution trace of PyTorch (ExecutionTraceObserver), which has ops without times; give the trace of "
     "torch.profiler's export_chrome_trace"},
};

}  // namespace

std::string_view profile_tree() {
  return "is a profile of Proton (a tree of sums, as Hatchet reads it), which has no times of single launches; show it "
         "with proton-viewer, or record with proton.start(data=\"trace\") or torch.profiler and give that trace";
}

std::string_view array_without_events() {
  return "is an array of JSON objects that are no events: none has a phase (\"ph\"); give a file written by "
         "torch.profiler's export_chrome_trace or by warpwalk";
}

std::string_view flight_recorder_dump() { return flight_recorder; }

std::string_view other_document(const Trace& trace) {
  const auto has = [&](std::string_view key) {
    return key.empty() ||
           std::ranges::any_of(trace.metadata, [&](const auto& entry) { return trace.text(entry.first) == key; });
  };
  for (const OtherDocument& kind : other_documents)
    if (std::ranges::all_of(kind.keys, has)) return kind.what;
  return "is a JSON object without traceEvents; give a file written by torch.profiler's export_chrome_trace or by "
         "warpwalk";
}

}  // namespace warpwalk::trace
