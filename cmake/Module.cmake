# One library per module, its tests beside its code.
#
#   aduana_module(NAME LINK <targets…>)
#
# makes the library aduana_NAME of every *.cc in the calling folder, and in the folders in it, that is not a test, and the program NAME_test of
# every *_test.cc, with each test case known to ctest.

add_library(aduana_options INTERFACE)
target_include_directories(aduana_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(aduana_options INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)  # g++ 12 is wrong about string concatenation
target_link_libraries(aduana_options INTERFACE Threads::Threads)
if(ADUANA_WERROR)
  target_compile_options(aduana_options INTERFACE -Werror)
endif()
if(ADUANA_SANITIZE)
  target_compile_options(aduana_options INTERFACE -fsanitize=${ADUANA_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(aduana_options INTERFACE -fsanitize=${ADUANA_SANITIZE})
endif()
target_precompile_headers(aduana_options INTERFACE <algorithm> <array> <atomic> <chrono> <cstdint> <cstring>
                          <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread>
                          <unordered_map> <utility> <variant> <vector>)

include(GoogleTest)

function(aduana_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE aduana_options ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${NAME} PRIVATE ADUANA_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             ADUANA_BINARY_DIR="${CMAKE_BINARY_DIR}")
  gtest_discover_tests(${NAME} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

function(aduana_module NAME)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc */*.cc)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc */*_test.cc)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
    aduana_test(${NAME}_test SOURCES ${tests} LINK aduana_${NAME})
  endif()
  add_library(aduana_${NAME} STATIC ${sources})
  target_link_libraries(aduana_${NAME} PUBLIC aduana_options ${ARG_LINK})
endfunction()
