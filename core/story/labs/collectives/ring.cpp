#include "core/story/labs/collectives/ring.h"

namespace warpwalk::story {
namespace {

int around(int number, int gpus) { return (number % gpus + gpus) % gpus; }

CollectivePlan steps_for_all(int gpus) { return {gpus, gpus, gpus - 1, own_chunks(gpus, gpus), {}}; }

// The sum of chunk i starts at GPU i + 1 and reaches GPU i last.
CollectivePlan reduce_scatter_plan(int gpus) {
  CollectivePlan plan = steps_for_all(gpus);
  for (int step = 1; step < gpus; ++step)
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const int chunk = around(gpu - step, gpus);
      plan.sends.push_back({step, gpu, around(gpu + 1, gpus), chunk, chunk, true});
    }
  return plan;
}

CollectivePlan all_gather_plan(int gpus) {
  CollectivePlan plan = steps_for_all(gpus);
  for (int gpu = 0; gpu < gpus; ++gpu)
    for (int chunk = 0; chunk < gpus; ++chunk)
      if (chunk != gpu) plan.start[plan.index(gpu, chunk)] = {chunk, {}};
  for (int step = 1; step < gpus; ++step)
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const int chunk = around(gpu - step + 1, gpus);
      plan.sends.push_back({step, gpu, around(gpu + 1, gpus), chunk, chunk});
    }
  return plan;
}

CollectivePlan broadcast_plan(int gpus) {
  CollectivePlan plan = steps_for_all(gpus);
  plan.steps = 2 * gpus - 2;
  for (int gpu = 1; gpu < gpus; ++gpu)
    for (int chunk = 0; chunk < gpus; ++chunk) plan.start[plan.index(gpu, chunk)] = {chunk, {}};
  for (int step = 1; step <= plan.steps; ++step)
    for (int gpu = 0; gpu + 1 < gpus; ++gpu)
      if (const int chunk = step - 1 - gpu; chunk >= 0 && chunk < gpus)
        plan.sends.push_back({step, gpu, gpu + 1, chunk, chunk});
  return plan;
}

CollectivePlan all_to_all_plan(int gpus) {
  CollectivePlan plan = steps_for_all(gpus);
  for (int step = 1; step < gpus; ++step)
    for (int gpu = 0; gpu < gpus; ++gpu) {
      const int to = around(gpu + step, gpus);
      plan.sends.push_back({step, gpu, to, to, gpu, false, true});
    }
  return plan;
}

}  // namespace

CollectivePlan ring_plan(analysis::CollectiveKind kind, int gpus) {
  switch (kind) {
    case analysis::CollectiveKind::reduce_scatter: return reduce_scatter_plan(gpus);
    case analysis::CollectiveKind::all_gather: return all_gather_plan(gpus);
    case analysis::CollectiveKind::broadcast: return broadcast_plan(gpus);
    case analysis::CollectiveKind::all_to_all: return all_to_all_plan(gpus);
    default: return one_after_the_other(reduce_scatter_plan(gpus), all_gather_plan(gpus));
  }
}

}  // namespace warpwalk::story
