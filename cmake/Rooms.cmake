# Compile options of every target. -ffp-contract=off keeps pictures identical for every compiler and optimization level.
add_library(warpwalk_options INTERFACE)
target_compile_features(warpwalk_options INTERFACE cxx_std_20)
target_include_directories(warpwalk_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(warpwalk_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False positives on std::string, more of them with precompiled headers: gcc bugs 105651 and 105329.
  target_compile_options(warpwalk_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
endif()
if(WARPWALK_SANITIZE)
  # Without the check for null: the address sanitizer reports an access through a null pointer too, and the check at each
  # use of a pointer takes a third of the compile time.
  target_compile_options(warpwalk_options INTERFACE -fsanitize=${WARPWALK_SANITIZE} -fno-sanitize=null -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(warpwalk_options INTERFACE -fsanitize=${WARPWALK_SANITIZE})
endif()

# The standard library and fmt are parsed once instead of in each of a thousand files, which saves 0.5 to 1 s per file.
# Files include what they use nevertheless; configure with -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON to check that they do.
set(WARPWALK_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set>
                         <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # Clang does not reuse headers for targets with other definitions.
endif()

# warpwalk_precompiled(name libraries...) makes a library without code whose precompiled headers other targets of the
# same options reuse.
function(warpwalk_precompiled name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} STATIC ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARGN} fmt::fmt warpwalk_options)
endfunction()
warpwalk_precompiled(warpwalk_precompiled_room)
target_precompile_headers(warpwalk_precompiled_room PRIVATE ${WARPWALK_PRECOMPILED})

# warpwalk_room(core/trace FOLDERS chrome USES a b) builds the .cpp files of a folder and of the listed subfolders as the
# library warpwalk_core_trace. New files are picked up automatically (CONFIGURE_DEPENDS).
# HOT: millions of events, instructions or pixels go through it. PRECOMPILED: a header that most of its files include, and
# that takes seconds to parse.
function(warpwalk_room folder)
  cmake_parse_arguments(ROOM "HOT" "PRECOMPILED" "FOLDERS;USES" ${ARGN})
  string(REPLACE "/" "_" name "warpwalk_${folder}")
  set(patterns ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  foreach(subfolder ${ROOM_FOLDERS})
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/${folder}/${subfolder}/*.cpp)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ROOM_USES} PRIVATE warpwalk_options)
  if(ROOM_HOT)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3>)
    target_precompile_headers(${name} PRIVATE ${WARPWALK_PRECOMPILED})
  elseif(ROOM_PRECOMPILED)
    target_precompile_headers(${name} PRIVATE ${WARPWALK_PRECOMPILED} ${ROOM_PRECOMPILED})
  elseif(ROOM_USES)
    target_precompile_headers(${name} REUSE_FROM warpwalk_precompiled_room)
  endif()
endfunction()
