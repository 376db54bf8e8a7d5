# Compile options of every target. -ffp-contract=off keeps pictures identical for every compiler and optimization level.
add_library(warpwalk_options INTERFACE)
target_compile_features(warpwalk_options INTERFACE cxx_std_20)
target_include_directories(warpwalk_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(warpwalk_options INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -ffp-contract=off
                       $<$<NOT:$<CXX_COMPILER_ID:GNU>>:-Wno-unknown-warning-option>)

# Half of the time of compiling a file is spent on its headers, so the files of a room are compiled together, in groups.
# Names in anonymous namespaces are therefore unique in their group. Which files share one changes as files grow, so a new
# name should be unique in its room; where it is not, the compiler says "redefinition", and one of the two gets a longer
# name. Each file still includes what it uses: configure with -D WARPWALK_GROUPS=OFF to check that it does.
option(WARPWALK_GROUPS "Compile the files of a room in groups instead of one by one" ON)
if(WARPWALK_GROUPS)
  # In a group, a local variable may have the name of something in the anonymous namespace of another file, and a class
  # whose member has a type from an anonymous namespace is not in the main file.
  target_compile_options(warpwalk_options INTERFACE -Wshadow=local -Wno-subobject-linkage)
else()
  target_compile_options(warpwalk_options INTERFACE -Wshadow)
endif()

# Compiles the target's files in groups of up to 240,000 bytes of source, in the order of their paths: one such group takes
# five sixths of the time of two halves, and a changed file a minute. A file with compile options of its own stays alone. FOLDERS: groups of one folder and of 60,000 bytes,
# for rooms whose speed depends on what is inlined where.
function(warpwalk_group target)
  cmake_parse_arguments(GROUP "FOLDERS" "" "" ${ARGN})
  if(NOT WARPWALK_GROUPS)
    return()
  endif()
  set(limit 240000)
  set(key ${target})
  if(GROUP_FOLDERS)
    set(limit 60000)
  endif()
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT source MATCHES "\\.cpp$" OR alone)
      continue()
    endif()
    if(GROUP_FOLDERS)
      cmake_path(GET source PARENT_PATH folder)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
      string(MAKE_C_IDENTIFIER ${folder} key)
    endif()
    file(SIZE ${source} size)
    math(EXPR filled "${filled_${key}} + ${size}")
    if(filled GREATER limit OR NOT number_${key})
      math(EXPR number_${key} "${number_${key}} + 1")
      set(filled ${size})
    endif()
    set(filled_${key} ${filled})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${key}_${number_${key}})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# gold links a program of tests in half the time that the default linker takes.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold WARPWALK_HAS_GOLD)
if(WARPWALK_HAS_GOLD)
  target_link_options(warpwalk_options INTERFACE -fuse-ld=gold)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False positives on std::string, more of them with precompiled headers: gcc bugs 105651 and 105329.
  target_compile_options(warpwalk_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
if(WARPWALK_SANITIZE)
  # Without the checks for null and for pointers that overflow: the address sanitizer reports the access too, and a check
  # at each use of a pointer takes a third of the compile time, one at each sum of a pointer and an index an eighth. The
  # check for alignment takes a third as well and only means something where pointers are cast: in rooms with the property
  # ALIGNMENT_CHECKED. Looking for uses after the end of a scope would take another quarter to a third.
  # Test programs themselves are compiled without sanitizers, in less than half the time; what they call has them.
  target_compile_options(warpwalk_options INTERFACE
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:IS_TEST>>>:-fsanitize=${WARPWALK_SANITIZE};-fno-sanitize=null,pointer-overflow;-fno-sanitize-recover=all;-fno-sanitize-address-use-after-scope>"
    -fno-omit-frame-pointer
    $<$<NOT:$<OR:$<BOOL:$<TARGET_PROPERTY:IS_TEST>>,$<BOOL:$<TARGET_PROPERTY:ALIGNMENT_CHECKED>>>>:-fno-sanitize=alignment>)
  target_link_options(warpwalk_options INTERFACE -fsanitize=${WARPWALK_SANITIZE})
endif()

# The standard library and fmt are parsed once instead of in each of a thousand files, which saves 0.5 to 1 s per file.
# Files include what they use nevertheless; configure with -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON to check that they do.
set(WARPWALK_PRECOMPILED <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <limits>
                         <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility>
                         <variant> <vector> <fmt/format.h>)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # Clang does not reuse headers for targets with other definitions.
endif()

# warpwalk_precompiled(name HEADERS <vector> USES libraries FLAGS -O3) makes a library without code whose precompiled
# headers other targets of the same flags reuse.
# Rooms can be parts of shared libraries (SimulatedCuda.cmake), which show nothing of them.
function(warpwalk_in_shared_libraries target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
endfunction()

function(warpwalk_precompiled name)
  cmake_parse_arguments(PRECOMPILED "" "" "HEADERS;USES;FLAGS" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} STATIC ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${PRECOMPILED_USES} fmt::fmt warpwalk_options)
  target_compile_options(${name} PRIVATE ${PRECOMPILED_FLAGS})
  target_precompile_headers(${name} PRIVATE ${WARPWALK_PRECOMPILED} ${PRECOMPILED_HEADERS})
endfunction()
set(WARPWALK_HOT $<$<CONFIG:Release>:-O3>)
set(WARPWALK_BUSY)
if(WARPWALK_SANITIZE)
  # Rooms are not optimised, which takes half the time of compiling them, but for those in which tests spend minutes.
  set(WARPWALK_HOT -O1)
  set(WARPWALK_BUSY ${WARPWALK_HOT})
  warpwalk_precompiled(warpwalk_precompiled_busy FLAGS ${WARPWALK_BUSY})
  warpwalk_in_shared_libraries(warpwalk_precompiled_busy)
endif()
warpwalk_precompiled(warpwalk_precompiled_room)
warpwalk_precompiled(warpwalk_precompiled_hot FLAGS ${WARPWALK_HOT})
set_target_properties(warpwalk_precompiled_hot PROPERTIES ALIGNMENT_CHECKED ON)
warpwalk_in_shared_libraries(warpwalk_precompiled_room)
warpwalk_in_shared_libraries(warpwalk_precompiled_hot)

# warpwalk_room(core/trace USES a b) builds the .cpp files of a folder and of its subfolders as the library
# warpwalk_core_trace. New files and folders are picked up automatically (CONFIGURE_DEPENDS).
# BESIDES: subfolders that are rooms of their own. HOT: millions of events, instructions or pixels go through it. BUSY:
# tests spend minutes in it. CASTS: it casts pointers to bytes, so that with sanitizers it is compiled as a HOT room.
# FLAGS: compiler flags of this room alone.
function(warpwalk_room folder)
  cmake_parse_arguments(ROOM "HOT;BUSY;CASTS" "" "BESIDES;USES;FLAGS" ${ARGN})
  string(REPLACE "/" "_" name "warpwalk_${folder}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  foreach(other ${ROOM_BESIDES})
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${folder}/${other}/")
  endforeach()
  add_library(${name} STATIC ${sources})
  warpwalk_in_shared_libraries(${name})
  if(ROOM_HOT)
    warpwalk_group(${name} FOLDERS)
  else()
    warpwalk_group(${name})
  endif()
  target_link_libraries(${name} PUBLIC ${ROOM_USES} PRIVATE warpwalk_options)
  if(ROOM_CASTS AND WARPWALK_SANITIZE)
    set(ROOM_HOT ON)
  endif()
  target_compile_options(${name} PRIVATE $<$<BOOL:${ROOM_HOT}>:${WARPWALK_HOT}> $<$<BOOL:${ROOM_BUSY}>:${WARPWALK_BUSY}> ${ROOM_FLAGS})
  if(ROOM_HOT)
    set_target_properties(${name} PROPERTIES ALIGNMENT_CHECKED ON)
  endif()
  if(ROOM_HOT OR ROOM_BUSY)
    set_target_properties(${name} PROPERTIES LINKED_FIRST ON)  # see Tests.cmake
  endif()
  if(ROOM_FLAGS)
    return()  # precompiled headers are of other flags
  endif()
  if(ROOM_HOT)
    target_precompile_headers(${name} REUSE_FROM warpwalk_precompiled_hot)
  elseif(ROOM_BUSY AND WARPWALK_SANITIZE AND ROOM_USES)
    target_precompile_headers(${name} REUSE_FROM warpwalk_precompiled_busy)
  elseif(ROOM_USES)
    target_precompile_headers(${name} REUSE_FROM warpwalk_precompiled_room)
  endif()
endfunction()
