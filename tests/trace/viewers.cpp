#include "tests/trace/viewers.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace warpwalk::trace::test {

std::vector<Event> events_of(const rapidjson::Document& document) {
  std::vector<Event> events;
  for (const auto& value : document["traceEvents"].GetArray()) {
    Event& event = events.emplace_back();
    const auto text = [&](const char* key) { return value.HasMember(key) ? std::string(value[key].GetString()) : ""; };
    const auto number = [&](const char* key) { return value.HasMember(key) ? value[key].GetInt64() : -1; };
    event = {text("ph"),
             text("cat"),
             text("name"),
             number("pid"),
             number("tid"),
             number("id"),
             value.HasMember("ts") ? value["ts"].GetDouble() : 0,
             value.HasMember("dur") ? value["dur"].GetDouble() : 0,
             text("bp") == "e"};
  }
  return events;
}

Lines expect_nested(const std::vector<Event>& events, const std::string& what) {
  Lines lines;
  for (const Event& event : events)
    if (event.phase == "X") lines[{event.pid, event.tid}].push_back(event);
  for (auto& [place, line] : lines) {
    std::ranges::stable_sort(line, {},
                             [](const Event& event) { return std::pair(event.ts, -event.dur); });  // as viewers do
    std::vector<const Event*> open;
    for (const Event& event : line) {
      const double tolerance = 1e-4 * std::max(1.0, std::abs(event.ts) * 1e-9);  // rounding of this test's doubles
      while (!open.empty() && event.ts >= open.back()->ts + open.back()->dur - tolerance) open.pop_back();
      if (!open.empty()) {
        EXPECT_LE(event.ts + event.dur, open.back()->ts + open.back()->dur + tolerance)
            << what << ": " << event.name << " in " << open.back()->name;
        EXPECT_FALSE(event.category == "kernel" && open.back()->category == "kernel") << what << ": " << event.name;
      }
      open.push_back(&event);
    }
  }
  return lines;
}

std::size_t mismatched_ends(const std::vector<Event>& line) {
  std::vector<const Event*> starts, ends;
  for (const Event& event : line) {
    starts.push_back(&event);
    ends.push_back(&event);
  }
  std::ranges::stable_sort(starts, {}, [](const Event* e) { return std::pair(e->ts, -e->dur); });
  // Sums of microseconds are rounded to the file's nanoseconds: PyTorch's frames often end with the frame around them.
  const auto end_of = [](const Event* e) { return std::llround(1e3 * (e->ts + e->dur)); };
  std::ranges::stable_sort(ends, {}, [&](const Event* e) { return std::pair(end_of(e), e->dur); });
  std::vector<const Event*> open;
  std::size_t mismatches = 0;
  auto start = starts.begin();
  for (auto end = ends.begin(); end != ends.end();) {
    if (start != starts.end() && std::llround(1e3 * (*start)->ts) < end_of(*end)) {
      open.push_back(*start++);
      continue;
    }
    mismatches += open.empty() || open.back() != *end;
    if (!open.empty()) open.pop_back();
    ++end;
  }
  return mismatches;
}

void expect_readable_by_viewers(const rapidjson::Document& document, const std::string& what) {
  const std::vector<Event> events = events_of(document);
  const Lines lines = expect_nested(events, what);
  std::set<std::int64_t> started;
  std::size_t kernels = 0, to_kernels = 0;
  std::set<std::tuple<std::int64_t, std::int64_t, double>> instants;
  for (const Event& event : events) {
    if (event.phase == "i") instants.emplace(event.pid, event.tid, event.ts);
    if (event.category == "kernel" && event.phase == "X") {
      ++kernels;
      EXPECT_GT(event.dur, 0) << what << ": " << event.name;
    }
    if (event.phase != "s" && event.phase != "f") continue;
    if (event.phase == "s") {
      EXPECT_TRUE(started.insert(event.id).second) << what << ": id " << event.id << " again";
    } else {
      EXPECT_TRUE(started.contains(event.id) && event.binds_enclosing) << what << ": id " << event.id;
      to_kernels += event.category == "ac2g";
    }
    const auto line = lines.find({event.pid, event.tid});
    ASSERT_NE(line, lines.end()) << what;
    EXPECT_TRUE(std::ranges::any_of(
        line->second,
        [&](const Event& x) { return x.dur > 0 && x.ts - 1e-3 <= event.ts && event.ts <= x.ts + x.dur + 1e-3; }))
        << what << ": arrow " << event.id;
    // At equal times viewers keep the order of the file, and an arrow belongs to the slice or instant before it.
    EXPECT_FALSE(instants.contains({event.pid, event.tid, event.ts}))
        << what << ": an instant precedes arrow " << event.id;
    if (event.phase == "s" && event.category == "fwdbwd") {
      EXPECT_TRUE(std::ranges::any_of(
          line->second, [&](const Event& x) { return x.category == "cpu_op" && std::abs(x.ts - event.ts) < 1e-3; }))
          << what << ": arrow " << event.id << " does not begin with its op";
    }
  }
  EXPECT_GE(to_kernels, kernels) << what;
  for (const auto& [place, line] : lines) EXPECT_EQ(mismatched_ends(line), 0u) << what;
}

}  // namespace warpwalk::trace::test
