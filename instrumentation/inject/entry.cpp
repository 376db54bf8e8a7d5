#include "instrumentation/inject/entry.h"

#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/inject/session.h"

// No exception may escape: an error in the recorder must not stop the program.
int InitializeInjection() {
  try {
    if (warpwalk::recording::Session* const session = warpwalk::recording::Session::current(); session != nullptr)
      session->start_gpu();
  } catch (...) {
    return 0;
  }
  return 1;
}

int InitializeInjectionNvtx2(warpwalk::recording::nvtx::GetExportTable get_export_table) {
  return warpwalk::recording::attach_nvtx(get_export_table) ? 1 : 0;
}

void warpwalk_end_recording() {
  if (warpwalk::recording::Session* const session = warpwalk::recording::Session::current(); session != nullptr)
    session->end(0);
}
