#pragma once

// This folder has the parts of every stage: walk, moment, figure, narration. Pictures are in core/story/pictures.

#include "core/analysis/walk.h"

namespace warpwalk::story {

// Every scene is about a trace and a walk through it.
using analysis::default_walk;
using analysis::ElementIndex;
using analysis::follow;
using analysis::follow_gpu_work;
using analysis::follow_name;
using analysis::follow_op;
using analysis::gpu_time_by_slice;
using analysis::has_time;
using analysis::is_untimed;
using analysis::kernel_detail;
using analysis::kernel_record;
using analysis::number_of;
using analysis::time_record_of;
using analysis::TimeRecord;
using analysis::Walk;
using trace::no_slice;
using trace::SliceId;
using trace::Trace;

}  // namespace warpwalk::story
