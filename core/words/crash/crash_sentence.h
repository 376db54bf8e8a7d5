#pragma once

#include <string>

#include "core/crash/diagnosis.h"
#include "core/crash/waits.h"
#include "core/words/crash/crash_names.h"

namespace warpwalk::words {

/// What failed, in one sentence, with kernel, block, thread, access, address and what lies there.
std::string crash_sentence(const crash::Crash& crash, const KernelWords& words);
/// Why it is not certain which thread failed; empty if it is.
std::string doubt_text(const crash::Crash& crash);
/// "thread (70,0,0)", or the first and the last of several.
std::string threads_text(const crash::Crash& crash);
/// "1 of its 65 arrivals is missing (phase 0)"
std::string mbarrier_text(const crash::Mbarrier& state);
/// What threads wait for, in one sentence.
std::string wait_sentence(const crash::Wait& wait, const KernelWords& words);

}  // namespace warpwalk::words
