#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace warpwalk::verbs {

/// Text as it may be written to a terminal: control characters (C0 except line feed and tab, DEL, C1) become spaces,
/// and bytes that are not UTF-8 become question marks. Names in a file can contain any of them.
std::string terminal_text(std::string_view text);

/// The same as one line of at most about 2,000 bytes: words longer than 256 bytes, and then the line itself, are
/// shortened in their middle.
std::string terminal_line(std::string_view text);

/// terminal_text(), with each line of at most about 4,096 bytes: words longer than 1,024 bytes, and then lines, are
/// shortened in their middle.
std::string terminal_report(std::string_view text);

/// Prints terminal_text() on stdout: what another program may read, such as JSON.
void print_text(std::string_view text);
/// Prints terminal_report() on stdout: what people read.
void print_report(std::string_view text);
/// Prints terminal_line() and a line feed on stderr.
void print_message(std::string_view line);

}  // namespace warpwalk::verbs
