#include "tests/trace/equal.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"
#include "tests/trace/random_trace.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

bool has_all_tables(const Trace& trace) {
  return !trace.ops.empty() && !trace.python.empty() && !trace.calls.empty() && !trace.kernels.empty() &&
         !trace.transfers.empty() && !trace.syncs.empty() && !trace.memory.empty() && !trace.instants.empty() &&
         !trace.counters.empty() && !trace.flows.empty() && !trace.devices.empty() && !trace.metadata.empty() &&
         !trace.records.kernels.empty() && !trace.launched.empty() && !trace.op_order.empty();
}

TEST(Equal, ComparesTextsAndNotTheirNumbers) {
  const std::string a = slice("cpu_op", "first", 1, 2), b = slice("cpu_op", "second", 5, 2);
  const Trace forward = read_trace_text(with_events({a, b})).trace,
              backward = read_trace_text(with_events({b, a})).trace;
  EXPECT_NE(forward.slices.name[0], backward.slices.name[0]);
  EXPECT_EQ(equal(forward, backward).value_or("equal"), "equal");
}

TEST(Equal, SeesEveryDifference) {
  std::uint64_t seed = 0;
  while (!has_all_tables(random_trace(seed))) ++seed;
  const Trace original = random_trace(seed);
  struct Change {
    const char* meaning;
    std::function<void(Trace&)> make;
  };
  const auto other = [](Trace& t) { return t.strings.intern("something else"); };
  const Change changes[] = {
      {"base time", [](Trace& t) { t.base_time_ns ^= 1; }},
      {"first moment", [](Trace& t) { t.begin_ns ^= 1; }},
      {"last moment", [](Trace& t) { t.end_ns ^= 1; }},
      {"metadata 0: key", [&](Trace& t) { t.metadata[0].first = other(t); }},
      {"metadata 0: value", [&](Trace& t) { t.metadata[0].second = other(t); }},
      {"device 0: SMs", [](Trace& t) { t.devices[0].sms = 77; }},
      {"device: ", [](Trace& t) { t.devices.emplace_back(); }},
      {"track 0: name", [&](Trace& t) { t.tracks[0].name = other(t); }},
      {"track 0: pid is text", [](Trace& t) { t.tracks[0].pid_is_text = !t.tracks[0].pid_is_text; }},
      {"track 0: stream", [](Trace& t) { t.tracks[0].stream = 991; }},
      {"slice 0: start", [](Trace& t) { ++t.slices.start[0]; }},
      {"slice 0: duration", [](Trace& t) { ++t.slices.duration[0]; }},
      {"slice 0: name", [&](Trace& t) { t.slices.name[0] = other(t); }},
      {"slice 0: extra", [&](Trace& t) { t.slices.extra[0] = other(t); }},
      {"slice 0: parent", [](Trace& t) { t.slices.parent[0] = 1; }},
      {"slice 0: track", [](Trace& t) { t.slices.track[0] = 99; }},
      {"slice 0: kind",
       [](Trace& t) { t.slices.kind[0] = t.slices.kind[0] == SliceKind::op ? SliceKind::python : SliceKind::op; }},
      {"op 0: Sequence number", [](Trace& t) { t.ops[0].sequence = 991; }},
      {"op 0: Input Dims", [&](Trace& t) { t.ops[0].input_dims = other(t); }},
      {"Python frame 0: Python id", [](Trace& t) { t.python[0].id = 991; }},
      {"call 0: cbid", [](Trace& t) { t.calls[0].cbid = 991; }},
      {"kernel 0: grid",
       [](Trace& t) {
         t.kernels[0].grid = {5, 5, 5};
       }},
      {"kernel 0: blocks per SM", [](Trace& t) { t.kernels[0].blocks_per_sm = 0.125; }},
      {"kernel 0: launch", [](Trace& t) { t.kernels[0].launch = 991; }},
      {"transfer 0: bytes", [](Trace& t) { t.transfers[0].bytes = 991; }},
      {"synchronisation 0: cuda_sync_kind", [&](Trace& t) { t.syncs[0].kind = other(t); }},
      {"memory event 0: Addr", [](Trace& t) { t.memory[0].address = 991; }},
      {"memory event 0: out of memory", [](Trace& t) { t.memory[0].out_of_memory = !t.memory[0].out_of_memory; }},
      {"instant 0: scope", [](Trace& t) { t.instants[0].scope = 'x'; }},
      {"counter 0: values", [&](Trace& t) { t.counters[0].values = other(t); }},
      {"flow 0: end", [](Trace& t) { ++t.flows[0].to_time; }},
      {"op in order: ", [](Trace& t) { t.op_order.push_back(0); }},
      {"launched work 0: work", [](Trace& t) { ++t.launched[0].second; }},
      {"expression", [](Trace& t) { t.records.expression += "x"; }},
      {"kernel record 0 differs", [](Trace& t) { t.records.kernels[0].entry += "x"; }},
  };
  for (const Change& change : changes) {
    Trace changed = random_trace(seed);
    EXPECT_EQ(equal(original, changed).value_or("equal"), "equal");
    change.make(changed);
    const std::string difference = equal(original, changed).value_or("equal");
    EXPECT_EQ(difference.find(change.meaning), 0u) << change.meaning << " became: " << difference;
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
