# Makes the virtual environment of the tests in Python: cmake -DPYTHON=… -DDIR=… -DREQUIREMENTS=… -P PythonPackages.cmake
#
# ctest runs it before those tests. It does nothing when the environment is there and was made by this Python from
# these requirements.

file(SHA256 ${REQUIREMENTS} made_from)
string(APPEND made_from " ${PYTHON}\n")
if(EXISTS ${DIR}/made_from)
  file(READ ${DIR}/made_from there)
  if(there STREQUAL made_from)
    return()
  endif()
endif()

file(REMOVE_RECURSE ${DIR})
execute_process(COMMAND ${PYTHON} -m venv ${DIR} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "No virtual environment could be made with ${PYTHON}; on Debian the package python3-venv is needed.")
endif()
execute_process(
  COMMAND ${DIR}/bin/python -m pip install --quiet --disable-pip-version-check --timeout 20 --retries 2
          --requirement ${REQUIREMENTS}
  RESULT_VARIABLE failed TIMEOUT 480)
if(failed)
  message(FATAL_ERROR "The packages of ${REQUIREMENTS} could not be installed (${failed}): the tests in Python need the "
                      "Python package index, or a mirror that pip is configured for, once.")
endif()
file(WRITE ${DIR}/made_from "${made_from}")
