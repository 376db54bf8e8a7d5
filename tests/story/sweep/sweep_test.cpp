// One pass over all stages of all walks, with all checks.
#include "tests/story/sweep/sweep.h"

#include <iterator>

#include <gtest/gtest.h>

#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

TEST(EveryStage, OfEveryWalkPassesAllChecks) {
  SweepChecks checks;
  const auto add = [&checks](SweepChecks some) { std::move(some.begin(), some.end(), std::back_inserter(checks)); };
  add(statement_checks());
  add(stage_checks());
  if (walk_stride == 1) add(continuity_checks());  // with sanitizers, the beginnings of beats would cost a minute
  sweep(swept_walks(), checks);
}

}  // namespace
}  // namespace warpwalk::story::testing
