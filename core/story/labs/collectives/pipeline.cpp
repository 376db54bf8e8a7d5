#include "core/story/labs/collectives/pipeline.h"

#include <algorithm>

namespace warpwalk::story {
namespace {

// What a stage runs, in order.
std::vector<PipelineWork> order_of_stage(PipelineOrder order, int stage, int stages, int microbatches) {
  const int ahead = order == PipelineOrder::gpipe ? microbatches : std::min(microbatches, stages - 1 - stage);
  std::vector<PipelineWork> list;
  int forwards = 0, backwards = 0;
  while (forwards < ahead) list.push_back({stage, forwards++, false});
  while (backwards < microbatches) {
    if (forwards < microbatches) list.push_back({stage, forwards++, false});
    list.push_back({stage, backwards++, true});
  }
  return list;
}

class PipelineSimulation {
 public:
  PipelineSimulation(PipelineOrder order, int stages, int microbatches, int backward)
      : microbatches_(microbatches), backward_(backward) {
    for (int stage = 0; stage < stages; ++stage) lists_.push_back(order_of_stage(order, stage, stages, microbatches));
    const auto places = static_cast<std::size_t>(stages * microbatches);
    forward_end_.assign(places, -1);
    backward_end_.assign(places, -1);
  }

  PipelineRun run() {
    std::vector<std::size_t> next(lists_.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t stage = 0; stage < lists_.size(); ++stage)
        while (next[stage] < lists_[stage].size() && begin(lists_[stage], next[stage])) {
          ++next[stage];
          moved = true;
        }
    }
    PipelineRun made;
    int busy = 0;
    for (const std::vector<PipelineWork>& list : lists_) {
      int held = 0;
      for (const PipelineWork& work : list) {
        held += work.backward ? -1 : 1;
        made.most_held = std::max(made.most_held, held);
        made.end = std::max(made.end, work.end);
        busy += work.end - work.start;
        made.work.push_back(work);
      }
    }
    made.bubble = 1 - static_cast<double>(busy) / (made.end * static_cast<double>(lists_.size()));
    return made;
  }

 private:
  std::size_t place(int stage, int microbatch) const {
    return static_cast<std::size_t>(stage * microbatches_ + microbatch);
  }

  // When the work that this one needs has ended; -1 if it has not been run yet.
  int needed_end(const PipelineWork& work) const {
    const int last = static_cast<int>(lists_.size()) - 1;
    if (!work.backward) return work.stage == 0 ? 0 : forward_end_[place(work.stage - 1, work.microbatch)];
    return work.stage == last ? forward_end_[place(last, work.microbatch)]
                              : backward_end_[place(work.stage + 1, work.microbatch)];
  }

  bool begin(std::vector<PipelineWork>& list, std::size_t i) {
    PipelineWork& work = list[i];
    const int needed = needed_end(work);
    if (needed < 0) return false;
    work.start = std::max(needed, i == 0 ? 0 : list[i - 1].end);
    work.end = work.start + (work.backward ? backward_ : 1);
    (work.backward ? backward_end_ : forward_end_)[place(work.stage, work.microbatch)] = work.end;
    return true;
  }

  int microbatches_, backward_;
  std::vector<std::vector<PipelineWork>> lists_;  // by stage
  std::vector<int> forward_end_, backward_end_;   // -1: not yet
};

}  // namespace

PipelineRun run_pipeline(PipelineOrder order, int stages, int microbatches, int backward) {
  return PipelineSimulation(order, stages, microbatches, backward).run();
}

double bubble_formula(int stages, int microbatches) {
  return static_cast<double>(stages - 1) / (microbatches + stages - 1);
}

}  // namespace warpwalk::story
