#pragma once

#include "core/story/labs/host_device/settings.h"

namespace warpwalk::story {

/// The program on three lanes, to scale. `shown`: 0 to 1.
Panel calls_panel(const HostDevice& lab, double shown);
/// The program by kind of memory: total, and what the CPU does in it.
Panel ways_table(const HostDevice& lab);

/// The pieces of a copy from pageable or from pinned memory, in their order.
Panel pieces_panel(const HostDevice& lab, bool pinned, double shown);
/// The calls of PyTorch that copy: until they return, and until the data is there.
Panel copies_table(const HostDevice& lab);

/// Bytes against bandwidth, by kind of memory and direction.
Panel bandwidth_panel(const HostDevice& lab);
/// Bytes per ns of the link, from its recorded generation and width; 0 if they were not recorded.
double link_rate(const HostDeviceRecord& record);

/// The pages of a managed buffer, and who holds them after the chosen step. `shown`: 0 to 1, of the step.
Panel pages_panel(const HostDevice& lab, double shown);
Panel steps_table(const HostDevice& lab);

/// Kernels on the same data against the time of four ways.
Panel uses_panel(const HostDevice& lab);
/// Elements against the time of the CPU, of the kernel, and of the kernel with copies.
Panel even_panel(const HostDevice& lab);

/// The kinds of memory: how to get them, who can use them, what they cost.
Panel kinds_panel(const HostDevice& lab);
/// The properties that CUDA reports for the recorded machine.
Panel platform_panel(const HostDevice& lab);

/// The code of the chosen mistake, why it gives what it gives, and what each of them gave.
Panel mistake_code(const HostDevice& lab);
Panel mistake_reason(const HostDevice& lab);
Panel mistakes_table(const HostDevice& lab);

}  // namespace warpwalk::story
