# The tests of web/: its types, its parts, and the whole in a browser, with the label "browser" so that they can be left out.
#
# They run in a copy within the folder where npm put the packages. Included by Console.cmake.

set(console_tests ${console_work}/tests)
file(GLOB_RECURSE console_test_inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/* ${PROJECT_SOURCE_DIR}/web/test/*
     ${PROJECT_SOURCE_DIR}/web/dev/*)
set(copies "")
foreach(folder src test dev)
  list(APPEND copies COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/web/${folder} ${console_tests}/${folder})
endforeach()
add_custom_command(
  OUTPUT ${console_work}/tests.stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${console_tests}
  ${copies}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/tsconfig.json ${console_tests}
  COMMAND ${CMAKE_COMMAND} -E touch ${console_work}/tests.stamp
  DEPENDS ${console_test_inputs} ${PROJECT_SOURCE_DIR}/web/tsconfig.json ${console_work}/packages.stamp
  COMMENT "Copying the tests of the console")
add_custom_target(console_tests ALL DEPENDS ${console_work}/tests.stamp)

find_program(NODE node REQUIRED)
function(console_test NAME)
  cmake_parse_arguments(ARG "" "LABEL" "COMMAND" ${ARGN})
  set(labels console ${ARG_LABEL})
  add_test(NAME console.${NAME} COMMAND ${ARG_COMMAND} WORKING_DIRECTORY ${console_tests})
  set_tests_properties(console.${NAME} PROPERTIES TIMEOUT 300 LABELS "${labels}"
                       ENVIRONMENT "ADUANA=$<TARGET_FILE:aduana>;CONSOLE_OUT=${console_work}/dist")
endfunction()

console_test(types COMMAND ${NPM} run check --silent)
console_test(parts COMMAND ${NPM} test --silent)
foreach(name panels live mock)
  console_test(${name} LABEL browser COMMAND ${NODE} --test test/${name}.spec.mjs)
endforeach()
