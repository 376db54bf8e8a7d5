#include "instrumentation/cuda/placement_probe.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "core/ptx/parse/parser.h"

namespace warpwalk::cuda {
namespace {

static_assert(sizeof(BlockStamp) == 24 && offsetof(BlockStamp, end) == 8 && offsetof(BlockStamp, sm) == 16);

// Computes the address of the block's stamp in %wwd1: parameter + 24 * block index.
constexpr std::string_view stamp_address_ptx = R"(	.reg .pred %wwp;
	.reg .b32 %ww<6>;
	.reg .b64 %wwd<4>;
	mov.u32 %ww0, %ctaid.z;
	mov.u32 %ww1, %nctaid.y;
	mov.u32 %ww2, %ctaid.y;
	mad.lo.u32 %ww3, %ww0, %ww1, %ww2;
	mov.u32 %ww0, %nctaid.x;
	mov.u32 %ww1, %ctaid.x;
	mad.lo.u32 %ww3, %ww3, %ww0, %ww1;
	ld.param.u64 %wwd0, [warpwalk_blocks];
	cvta.to.global.u64 %wwd0, %wwd0;
	mad.wide.u32 %wwd1, %ww3, 24, %wwd0;
)";

constexpr std::string_view block_start_ptx = R"(	mov.u32 %ww0, %tid.x;
	mov.u32 %ww1, %tid.y;
	mov.u32 %ww2, %tid.z;
	or.b32 %ww0, %ww0, %ww1;
	or.b32 %ww0, %ww0, %ww2;
	setp.ne.u32 %wwp, %ww0, 0;
	@%wwp bra $warpwalk_begun;
	mov.u64 %wwd2, %globaltimer;
	mov.u32 %ww4, %smid;
	st.global.u64 [%wwd1], %wwd2;
	st.global.u32 [%wwd1+16], %ww4;
$warpwalk_begun:
)";

// The lowest of the lanes that end together writes the stamp.
constexpr std::string_view block_end_ptx = R"(	activemask.b32 %ww4;
	mov.u32 %ww5, %lanemask_lt;
	and.b32 %ww5, %ww5, %ww4;
	setp.ne.u32 %wwp, %ww5, 0;
	@%wwp bra $warpwalk_ended;
	mov.u64 %wwd2, %globaltimer;
	red.global.max.u64 [%wwd1+8], %wwd2;
$warpwalk_ended:
	ret;
)";

/// Converts line and column numbers (both 1-based) to offsets in a text.
class LineOffsets {
 public:
  explicit LineOffsets(std::string_view text) : starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }
  std::size_t at(std::uint32_t line, std::uint32_t column) const { return starts_[line - 1] + column - 1; }

 private:
  std::vector<std::size_t> starts_;
};

/// The text with comments and strings blanked, so that searches find only code.
std::string blank_comments(std::string_view ptx) {
  std::string code(ptx);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, code.size()); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::size_t end = i;
    if (code.compare(i, 2, "//") == 0) end = std::min(code.find('\n', i), code.size());
    if (code.compare(i, 2, "/*") == 0) end = std::min(code.find("*/", i + 2), code.size() - 2) + 2;
    if (code[i] == '"') end = std::min(code.find('"', i + 1), code.size() - 1) + 1;
    blank(i, end);
    i = std::max(i, end == i ? i : end - 1);
  }
  return code;
}

/// The position of the bracket that closes the one at `open`.
std::size_t closing(const std::string& code, std::size_t open, char up, char down) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += (code[i] == up) - (code[i] == down);
    if (depth == 0) return i;
  }
  return code.size();
}

struct Edit {
  std::size_t at = 0, length = 0;  ///< the replaced range
  std::string text;
};

std::string apply_edits(std::string_view text, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, &Edit::at);
  std::string out;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    out += text.substr(done, edit.at - done);
    out += edit.text;
    done = edit.at + edit.length;
  }
  return out += text.substr(done);
}

}  // namespace

base::Result<std::string> insert_placement_probe(std::string_view ptx, std::string_view entry) {
  const auto parsed = ptx::parse(ptx);
  if (const auto* const error = std::get_if<ptx::Error>(&parsed)) return base::Error{error->text()};
  const ptx::Function* const function = std::get<ptx::Module>(parsed).entry(entry);
  if (function == nullptr) return base::Error{fmt::format("the module has no entry {}", entry)};

  const std::string code = blank_comments(ptx);
  const LineOffsets lines(code);
  const std::size_t name = code.find(function->name, lines.at(function->line, 1));
  const std::size_t body = name == std::string::npos ? name : code.find('{', name);
  if (body == std::string::npos) return base::Error{fmt::format("the entry {} has no body", entry)};
  const std::size_t end = closing(code, body, '{', '}');

  std::vector<Edit> edits;
  constexpr std::string_view parameter = ".param .u64 warpwalk_blocks";
  const std::size_t after_name = name + function->name.size();
  if (const std::size_t open = code.find('(', after_name); open < body) {
    const std::size_t close = closing(code, open, '(', ')');
    edits.push_back({close, 0, fmt::format("{}{}", function->parameters.empty() ? "" : ", ", parameter)});
  } else {
    edits.push_back({after_name, 0, fmt::format("({})", parameter)});
  }
  edits.push_back({body + 1, 0, fmt::format("\n{{\n{}{}}}\n", stamp_address_ptx, block_start_ptx)});
  for (const ptx::Instruction& instruction : function->instructions) {
    if (instruction.opcode != ptx::Opcode::ret && instruction.opcode != ptx::Opcode::exit) continue;
    const std::string_view word = instruction.opcode == ptx::Opcode::ret ? "ret" : "exit";
    // Skip the guard predicate: its register's name may contain the word.
    std::size_t from = code.find(word, lines.at(instruction.line, instruction.column));
    while (from > 0 && std::isspace(static_cast<unsigned char>(code[from - 1])) == 0) from = code.find(word, from + 1);
    const std::size_t to = code.find(';', from);
    edits.push_back({from, to - from, "bra $warpwalk_end"});
  }
  edits.push_back({end, 0, fmt::format("$warpwalk_end:\n{{\n{}{}}}\n", stamp_address_ptx, block_end_ptx)});
  return apply_edits(ptx, std::move(edits));
}

}  // namespace warpwalk::cuda
