#include "core/gpu/exec/lowering.h"

namespace warpwalk::gpu {

void count_issues(Program& program, const Function& function, const Flow&) {
  for (Source& source : program.sources) {
    if (source.function == function.source) program.blocks[source.block].issues += source.issues;
  }
}

}  // namespace warpwalk::gpu
