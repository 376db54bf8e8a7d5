# Writes version.cpp (app/version.h) into the build folder. CMakeLists.txt includes this file; the build runs it as a
# script again after each commit, so that a commit recompiles this one file.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(version ${PROJECT_BINARY_DIR}/version.cpp)
  add_custom_command(OUTPUT ${version} DEPENDS ${CMAKE_CURRENT_LIST_FILE} DEPFILE ${version}.d VERBATIM
    COMMAND ${CMAKE_COMMAND} -D FILE=${version} -D SOURCES=${PROJECT_SOURCE_DIR} -D VERSION=${PROJECT_VERSION}
            -D "BUILD=${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
            -P ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Writing version.cpp")
  return()
endif()

cmake_minimum_required(VERSION 3.22)

function(git result)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY ${SOURCES} OUTPUT_VARIABLE output
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

set(build "")
set(log "")
if(EXISTS ${SOURCES}/.git)  # else git would find a repository around the sources
  git(commit log -1 --format=%h,\ %cs --abbrev=8)
  git(log rev-parse --git-path logs/HEAD)  # every commit and checkout adds a line to it
endif()
if(commit)
  set(build " (${commit}; ${BUILD})")
  cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY ${SOURCES})
endif()
file(WRITE ${FILE}.d "${FILE}: ${log}\n")
file(CONFIGURE OUTPUT ${FILE} @ONLY CONTENT
"#include \"app/version.h\"

namespace warpwalk {
const char* const program_version = \"@VERSION@\";
const char* const program_build = \"@build@\";
}  // namespace warpwalk
")
