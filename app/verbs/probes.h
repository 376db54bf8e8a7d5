#pragma once

#include "app/verbs/probe.h"

/// The looks that `doctor` takes, each in a process of its own.
namespace warpwalk::verbs {

/// Opens a hidden window as the program's own and names what draws in it.
Found look_at_display();
/// The NVIDIA driver and its GPUs, by libcuda alone.
Found look_at_driver();
Found look_at_cupti();
Found look_at_nvrtc();
Found look_at_nvml();

}  // namespace warpwalk::verbs
