#include "core/analysis/ranks/digest_columns.h"

#include <limits>

namespace warpwalk::analysis {
namespace {

constexpr std::int64_t any_least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most_moment = std::int64_t{1} << 61;  // ns since 1970: the year 2043
constexpr std::int64_t most_sum = std::int64_t{1} << 53;     // ns: a hundred days
constexpr std::int64_t most_number = std::numeric_limits<std::uint32_t>::max();

constexpr DigestColumn<RankCollective> call_columns[] = {
    {"kind", DigestLess::nothing, 0, collective_kinds - 1, "number in collective_kinds",
     [](const RankCollective& c) { return static_cast<std::int64_t>(c.kind); },
     [](RankCollective& c, std::int64_t v) { c.kind = static_cast<CollectiveKind>(v); }},
    {"group", DigestLess::nothing, 0, most_number, "number in groups",
     [](const RankCollective& c) { return static_cast<std::int64_t>(c.group); },
     [](RankCollective& c, std::int64_t v) { c.group = static_cast<std::uint32_t>(v); }},
    {"sequence", DigestLess::previous, -1, most_sum, "recorded number within its group; -1: not recorded",
     [](const RankCollective& c) { return c.sequence; }, [](RankCollective& c, std::int64_t v) { c.sequence = v; }},
    {"bytes", DigestLess::nothing, 0, most_sum, "of this rank's message; 0: not recorded",
     [](const RankCollective& c) { return c.bytes; }, [](RankCollective& c, std::int64_t v) { c.bytes = v; }},
    {"peer", DigestLess::nothing, -1, most_number, "of send and receive: the other rank; -1: not recorded",
     [](const RankCollective& c) { return c.peer; }, [](RankCollective& c, std::int64_t v) { c.peer = v; }},
    {"receives_too", DigestLess::nothing, 0, 1, "of a send: the same work receives a message",
     [](const RankCollective& c) { return std::int64_t{c.receives_too}; },
     [](RankCollective& c, std::int64_t v) { c.receives_too = v != 0; }},
    {"call", DigestLess::previous, -most_moment, most_moment, "ns: start of the launch",
     [](const RankCollective& c) { return c.call; }, [](RankCollective& c, std::int64_t v) { c.call = v; }},
    {"arrival", DigestLess::call, -most_moment, most_moment, "ns: start of the work on the GPU",
     [](const RankCollective& c) { return c.arrival; }, [](RankCollective& c, std::int64_t v) { c.arrival = v; }},
    {"end", DigestLess::arrival, -most_moment, most_moment, "ns: end of the work on the GPU",
     [](const RankCollective& c) { return c.end; }, [](RankCollective& c, std::int64_t v) { c.end = v; }},
    {"ready", DigestLess::arrival, any_least, most_moment, "ns: end of the work that the GPU had to do before it",
     [](const RankCollective& c) { return c.ready; },
     [](RankCollective& c, std::int64_t v) { c.ready = v < -most_moment ? any_least : v; }},
    {"computing", DigestLess::nothing, 0, most_sum, "ns from arrival to end in which a kernel computed",
     [](const RankCollective& c) { return c.computing; }, [](RankCollective& c, std::int64_t v) { c.computing = v; }},
    {"idle", DigestLess::nothing, 0, most_sum, "ns in which the GPU had no work, from the arrivals before to this one",
     [](const RankCollective& c) { return c.idle; }, [](RankCollective& c, std::int64_t v) { c.idle = v; }},
    {"step", DigestLess::nothing, -1, most_number, "number of the training step; -1: in none",
     [](const RankCollective& c) { return c.step; }, [](RankCollective& c, std::int64_t v) { c.step = v; }},
    {"work", DigestLess::previous, 0, most_number, "number of its slice in the trace; 4294967295: none",
     [](const RankCollective& c) { return static_cast<std::int64_t>(c.work); },
     [](RankCollective& c, std::int64_t v) { c.work = static_cast<SliceId>(v); }},
    {"op", DigestLess::previous, 0, most_number, "number of the slice of the op around its call",
     [](const RankCollective& c) { return static_cast<std::int64_t>(c.op); },
     [](RankCollective& c, std::int64_t v) { c.op = static_cast<SliceId>(v); }},
    {"work_time", DigestLess::nothing, 0, most_sum, "ns of the kernels launched since the rank's call before",
     [](const RankCollective& c) { return c.work_time; }, [](RankCollective& c, std::int64_t v) { c.work_time = v; }},
    {"work_count", DigestLess::nothing, 0, most_number, "number of these kernels",
     [](const RankCollective& c) { return c.work_count; }, [](RankCollective& c, std::int64_t v) { c.work_count = v; }},
    {"costs", DigestLess::nothing, 0, most_number, "rows of the table costs that belong to it",
     [](const RankCollective& c) { return static_cast<std::int64_t>(c.costs); },
     [](RankCollective& c, std::int64_t v) { c.costs = static_cast<std::size_t>(v); }},
};

constexpr DigestColumn<StretchCost> stretch_columns[] = {
    {"name", DigestLess::nothing, 0, most_number, "number in names: the line, the call or the kernel",
     [](const StretchCost& c) { return static_cast<std::int64_t>(c.name); },
     [](StretchCost& c, std::int64_t v) { c.name = static_cast<std::uint32_t>(v); }},
    {"line", DigestLess::nothing, 0, most_number, "number in names: the line of the program around it",
     [](const StretchCost& c) { return static_cast<std::int64_t>(c.line); },
     [](StretchCost& c, std::int64_t v) { c.line = static_cast<std::uint32_t>(v); }},
    {"count", DigestLess::nothing, 0, most_number, "how often",
     [](const StretchCost& c) { return static_cast<std::int64_t>(c.count); },
     [](StretchCost& c, std::int64_t v) { c.count = static_cast<std::uint32_t>(v); }},
    {"kind", DigestLess::nothing, 0, cost_kinds - 1, "number in cost_kinds",
     [](const StretchCost& c) { return static_cast<std::int64_t>(c.kind); },
     [](StretchCost& c, std::int64_t v) { c.kind = static_cast<CostKind>(v); }},
    {"time", DigestLess::nothing, 0, most_sum, "ns in all", [](const StretchCost& c) { return c.time; },
     [](StretchCost& c, std::int64_t v) { c.time = v; }},
    {"on_path", DigestLess::nothing, 0, most_sum, "ns of it on the critical path to the collective",
     [](const StretchCost& c) { return c.on_path; }, [](StretchCost& c, std::int64_t v) { c.on_path = v; }},
    {"blocks", DigestLess::nothing, 0, most_sum, "thread blocks of the kernels",
     [](const StretchCost& c) { return c.blocks; }, [](StretchCost& c, std::int64_t v) { c.blocks = v; }},
    {"slice", DigestLess::previous, 0, most_number, "number of the longest one's slice in the trace",
     [](const StretchCost& c) { return static_cast<std::int64_t>(c.slice); },
     [](StretchCost& c, std::int64_t v) { c.slice = static_cast<SliceId>(v); }},
};

}  // namespace

std::string_view name_of(DigestLess less) {
  constexpr std::string_view names[] = {"", "previous", "call", "arrival"};
  return names[static_cast<std::size_t>(less)];
}

std::string_view name_of(CostKind kind) {
  constexpr std::string_view names[cost_kinds] = {"line", "blocked", "wait", "transfer", "loading", "kernel", "copy"};
  return names[static_cast<std::size_t>(kind)];
}

std::span<const DigestColumn<RankCollective>> collective_columns() { return call_columns; }
std::span<const DigestColumn<StretchCost>> cost_columns() { return stretch_columns; }

}  // namespace warpwalk::analysis
