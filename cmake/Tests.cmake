# Appends the rooms that the libraries are, or link to, to the list in `rooms`.
function(warpwalk_collect_rooms)
  foreach(library ${ARGN})
    if(library MATCHES "^warpwalk_(core|app|instrumentation)" AND NOT library IN_LIST rooms)
      list(APPEND rooms ${library})
    elseif(NOT library MATCHES "^warpwalk_(reference|validate)$")
      continue()
    endif()
    get_target_property(linked ${library} INTERFACE_LINK_LIBRARIES)
    warpwalk_collect_rooms(${linked})
  endforeach()
  set(rooms ${rooms} PARENT_SCOPE)
endfunction()

# Test files are not optimised, and of several copies of an inline function or a template's instance the linker keeps the
# first. With the rooms' files in front of the tests', rooms run their own, optimised copies: two of the longest
# tests of story_tests take 0.4 times as long.
function(warpwalk_link_rooms_first program)
  get_target_property(libraries ${program} LINK_LIBRARIES)
  set(rooms)
  warpwalk_collect_rooms(${libraries})
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  target_link_options(${program} PRIVATE LINKER:--whole-archive ${files} LINKER:--no-whole-archive)
endfunction()

# warpwalk_tests(story_tests SHARDS 4 FILTER -Film.* LABELS gpu TIMEOUT 240) makes the tests of a GoogleTest program
# known to CTest, in as many processes as SHARDS says (1). A process of its own for each of 3,600 tests would cost 0.05 s
# each, with sanitizers 0.2 s, and tests in one process share the launches that they simulate. One test alone is
# PROGRAM --gtest_filter=Suite.Test.
function(warpwalk_tests program)
  set_target_properties(${program} PROPERTIES IS_TEST ON)
  warpwalk_group(${program})
  target_precompile_headers(${program} REUSE_FROM warpwalk_precompiled_test)
  warpwalk_link_rooms_first(${program})
  cmake_parse_arguments(TESTS "" "SHARDS;FILTER;LABELS;TIMEOUT" "" ${ARGN})
  if(NOT TESTS_SHARDS)
    set(TESTS_SHARDS 1)
  endif()
  if(NOT TESTS_TIMEOUT)
    set(TESTS_TIMEOUT 3600)
  endif()
  set(command ${program})
  if(TESTS_FILTER)
    list(APPEND command "--gtest_filter=${TESTS_FILTER}")
  endif()
  foreach(number RANGE 1 ${TESTS_SHARDS})
    set(name ${program})
    if(TESTS_LABELS)
      string(APPEND name "_${TESTS_LABELS}")
    endif()
    if(TESTS_SHARDS GREATER 1)
      string(APPEND name "_${number}_of_${TESTS_SHARDS}")
    endif()
    math(EXPR shard "${number} - 1")
    add_test(NAME ${name} COMMAND ${command})
    # The programs with the most shards take longest and start first.
    set_tests_properties(${name} PROPERTIES TIMEOUT ${TESTS_TIMEOUT} COST ${TESTS_SHARDS} LABELS "${TESTS_LABELS}"
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${TESTS_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()
