#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/sass/architecture.h"
#include "core/sass/elf/line_program.h"

namespace warpwalk::sass {

/// Three extents: threads of a block, or blocks of a cluster.
using Extent3 = std::array<std::uint32_t, 3>;

/// A kernel parameter in constant bank 0 (EIATTR_KPARAM_INFO, EIATTR_KPARAM_INFO_V2).
struct CubinParameter {
  std::uint32_t ordinal = 0;
  std::uint32_t offset = 0;  ///< bytes from CubinFunction::parameter_base
  std::uint32_t bytes = 0;
};

/// The contents of a constant bank, c[number].
struct CubinConstants {
  std::uint32_t number = 0;
  std::string_view bytes;  ///< bank 0: a template that the driver fills with the launch and the parameters
};

/// A function whose code lies in the section of another one: a device function that was not inlined.
struct CubinCallee {
  std::string_view name;
  std::uint64_t offset = 0;       ///< of its code in the section, in bytes
  std::uint64_t bytes = 0;        ///< size of its code
  std::uint32_t frame_bytes = 0;  ///< local memory per thread of its own frame
};

/// A place that receives the address of a symbol when the driver loads the cubin. Nothing is applied here.
struct CubinRelocation {
  std::string_view section;
  std::uint64_t offset = 0;      ///< bytes from the start of the section
  std::uint32_t type = 0;        ///< R_CUDA_...: 2 is a 64-bit address, 6 the handle of a texture
  std::string_view symbol;       ///< name of the function or variable
  std::int64_t addend = 0;       ///< added to the address
  bool addend_in_place = false;  ///< the addend is not here but in the place itself
};

/// A kernel, or a device function with a section of its own.
struct CubinFunction {
  std::string_view name;      ///< mangled
  bool is_entry = false;      ///< a kernel
  std::uint32_t symbol = 0;   ///< index in the symbol table; nvdisasm -fun selects functions by it
  std::uint64_t address = 0;  ///< of its code in the GPU's memory, in the image of a core dump; 0 otherwise
  std::string_view code;
  std::uint32_t registers = 0;     ///< per thread
  std::uint32_t barriers = 0;      ///< named barriers per block
  std::uint64_t shared_bytes = 0;  ///< static shared memory per block; sm_90 adds 1 KB that is reserved for the system
  std::uint32_t frame_bytes = 0;   ///< local memory per thread of its own frame
  std::uint32_t min_stack_bytes = 0;  ///< local memory per thread, with the functions that it calls
  std::optional<std::uint32_t> max_stack_bytes;
  std::uint32_t parameter_base = 0;  ///< offset of the parameters in constant bank 0: 0x160, since sm_90 0x210
  std::uint32_t parameter_bytes = 0;
  std::vector<CubinParameter> parameters;           ///< by ordinal
  std::vector<CubinConstants> constants;            ///< its own banks: 0, and 2 for compiler-made constants
  std::optional<Extent3> max_block;                 ///< .maxntid
  std::optional<Extent3> required_block;            ///< .reqntid
  std::optional<Extent3> cluster;                   ///< .reqnctapercluster
  std::optional<std::uint32_t> max_cluster_blocks;  ///< .maxclusterrank
  std::vector<CubinCallee> callees;
  std::vector<LineSequence> source_lines;  ///< from .debug_line
  std::vector<LineSequence> ptx_lines;     ///< from .nv_debug_line_sass
};

/// The memory of a variable. Textures, samplers and surfaces are opaque: the driver gives them handles.
enum class CubinSpace : std::uint8_t { global, constant, texture, sampler, surface };

/// A variable of the module.
struct CubinVariable {
  std::string_view name;
  CubinSpace space = CubinSpace::global;
  std::string_view section;
  std::uint64_t offset = 0;   ///< in the section, in bytes; 0 in the image of a core dump
  std::uint64_t address = 0;  ///< in the GPU's memory, in the image of a core dump; 0 otherwise
  std::uint64_t bytes = 0;
  std::string_view initial;  ///< empty: zero, or the image of a core dump
};

/// A cubin: machine code for one architecture with what the driver needs to load it ("What is a CUDA Binary?" in
/// NVIDIA's CUDA Binary Utilities). The views point into the bytes that were read.
struct Cubin {
  Architecture architecture = Architecture::sm_75;
  std::vector<CubinFunction> functions;
  std::vector<CubinVariable> variables;
  std::vector<CubinConstants> constants;  ///< banks of the module: 3 for __constant__, 4 for addresses of variables
  std::vector<CubinRelocation> relocations;
  std::vector<LineFile> files;  ///< of CubinFunction::source_lines
  std::string_view names;       ///< .debug_str: names of inlined functions, by the offset in LineRow::function
  std::string_view ptx;         ///< .nv_debug_ptx_txt: lines of PTX, separated by zero bytes; empty if absent
};

/// Reads a cubin for one of the architectures of this room, or the image of one in memory, as core dumps have it.
/// Accepts any bytes: every offset is checked. The error is one line that names the problem and its place.
base::Result<Cubin> parse_cubin(std::string_view bytes);

/// A source position.
struct SourcePosition {
  std::string_view file;
  std::uint32_t line = 0;
  std::string_view function = {};  ///< the inlined function that it is in, mangled; empty: not inlined, or not known

  bool operator==(const SourcePosition&) const = default;
};

/// The source positions of the instruction at an address of a function: that of the instruction, then, for inlined
/// code, those of the calls, innermost first. Empty if the cubin has none.
std::vector<SourcePosition> source_positions(const Cubin& cubin, const CubinFunction& function, std::uint64_t address);

/// The name of a function in its source, without its arguments; a name that is not mangled itself.
std::string plain_name(std::string_view symbol);

/// The line of the embedded PTX that the instruction at an address comes from, counted from 1; 0 if unknown.
std::uint32_t ptx_line(const CubinFunction& function, std::uint64_t address);

}  // namespace warpwalk::sass
