#pragma once

#include <string>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// An observer that records its callbacks, for tests.
class Log : public Observer {
 public:
  struct Row {
    int depth = 0;
    std::string name;            ///< of the op or region
    std::int64_t sequence = -1;  ///< next sequence number on entering autograd, or the region's
    std::int64_t recorded = -1;  ///< sequence number of the autograd node, if one was created
    bool failed = false;         ///< the op returned no tensor
    std::vector<trace::DispatchStep> steps;
    std::string way() const {  ///< e.g. "AutogradCPU redispatch, CPU kernel"
      std::string out;
      for (const auto& step : steps) out += (out.empty() ? "" : ", ") + step.key + " " + step.effect;
      return out;
    }
  };

  void op_begins(const Call& call) override { begin(std::string(call.name()), -1); }
  void op_ends(const Tensor& result) override {
    rows[open_.back()].failed = !result.defined();
    open_.pop_back();
  }
  void step(const trace::DispatchStep& step) override { rows[open_.back()].steps.push_back(step); }
  void region_begins(std::string_view name, std::int64_t sequence) override { begin(std::string(name), sequence); }
  void region_ends() override { open_.pop_back(); }
  void entered_autograd(std::int64_t next_sequence) override { rows[open_.back()].sequence = next_sequence; }
  void recorded_for_backward(std::int64_t sequence) override { rows[open_.back()].recorded = sequence; }
  void memory(const MemoryChange& change) override { changes.push_back(change); }

  bool closed() const { return open_.empty(); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Row& row : rows) out.push_back(row.name);
    return out;
  }

  std::vector<Row> rows;
  std::vector<MemoryChange> changes;

 private:
  void begin(std::string name, std::int64_t sequence) {
    rows.push_back({static_cast<int>(open_.size()), std::move(name), sequence, -1, false, {}});
    open_.push_back(rows.size() - 1);
  }
  std::vector<std::size_t> open_;
};

/// The message of the OpError that `does` throws; empty if it throws none.
template <class Does>
std::string error_of(Does&& does) {
  try {
    does();
  } catch (const OpError& error) {
    return error.what();
  }
  return {};
}

}  // namespace warpwalk::ops
