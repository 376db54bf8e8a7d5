#include "instrumentation/inject/open_ops.h"

namespace warpwalk::recording {
namespace {

std::vector<std::string>& of_this_thread() {
  thread_local std::vector<std::string> names;
  return names;
}

}  // namespace

const std::vector<std::string>& open_ops() { return of_this_thread(); }

void open_op(std::string_view text) { of_this_thread().emplace_back(text.substr(0, text.find(','))); }

void close_op() {
  if (!of_this_thread().empty()) of_this_thread().pop_back();
}

}  // namespace warpwalk::recording
