# Builds web/ with npm and makes a source file of what comes out: console_files.cc, see src/serve/console/console_files.h.
#
# npm works in a copy of web/ in the build folder, so that the sources stay as they are. Without ADUANA_CONSOLE there are
# no files.
#
# Called as a script it writes that source: cmake -DOUT=… -DDIR=… -P Console.cmake

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "#include \"serve/console/console_files.h\"\n\nnamespace aduana {\nnamespace {\n")
  set(table "")
  foreach(file index.html|/|text/html console.js|/console.js|text/javascript console.css|/console.css|text/css
               console.svg|/console.svg|image/svg+xml)
    string(REPLACE "|" ";" parts ${file})
    list(GET parts 0 name)
    list(GET parts 1 path)
    list(GET parts 2 type)
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${DIR}/${name} hex HEX)
    file(SIZE ${DIR}/${name} size)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND text "constexpr unsigned char ${id}[] = {${bytes}};\n")
    string(APPEND table "    {\"${path}\", \"${type}\", {reinterpret_cast<const char*>(${id}), ${size}}},\n")
  endforeach()
  string(APPEND text "const ConsoleFile kFiles[] = {\n${table}};\n}  // namespace\n")
  string(APPEND text "std::span<const ConsoleFile> console_files() { return kFiles; }\n}  // namespace aduana\n")
  file(WRITE ${OUT} "${text}")
  return()
endif()

set(console_source ${CMAKE_BINARY_DIR}/console_files.cc)
if(ADUANA_CONSOLE)
  find_program(NPM npm REQUIRED)
  file(GLOB_RECURSE console_inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  list(FILTER console_inputs EXCLUDE REGEX "\\.test\\.ts$")
  set(console_work ${CMAKE_BINARY_DIR}/web)
  # Those that only tests need take two seconds; the sanitizers look at none of what they test.
  set(omit "")
  if(ADUANA_SANITIZE)
    set(omit --omit=dev)
  endif()
  set(packages ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json ${PROJECT_SOURCE_DIR}/web/.npmrc)
  add_custom_command(
    OUTPUT ${console_work}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${console_work}
    COMMAND ${CMAKE_COMMAND} -E copy ${packages} ${console_work}
    COMMAND ${NPM} ci ${omit} --no-audit --no-fund --loglevel=error --prefix ${console_work}
    COMMAND ${CMAKE_COMMAND} -E touch ${console_work}/packages.stamp
    DEPENDS ${packages}
    COMMENT "Installing what the console is built with")
  add_custom_command(
    OUTPUT ${console_source}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${console_work}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/web/src ${console_work}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/tsconfig.json ${console_work}
    COMMAND ${CMAKE_COMMAND} -E env CONSOLE_OUT=${console_work}/dist ${NPM} run build --silent --prefix ${console_work}
    COMMAND ${CMAKE_COMMAND} -DOUT=${console_source} -DDIR=${console_work}/dist -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${console_inputs} ${PROJECT_SOURCE_DIR}/web/build.mjs ${console_work}/packages.stamp ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Building the console")
  if(NOT ADUANA_SANITIZE)
    include(${CMAKE_CURRENT_LIST_DIR}/ConsoleTests.cmake)
  endif()
else()
  file(WRITE ${console_source} "#include \"serve/console/console_files.h\"\n\n"
       "std::span<const aduana::ConsoleFile> aduana::console_files() { return {}; }\n")
endif()
