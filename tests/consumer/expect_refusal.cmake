# Configures in BINARY with ARGUMENTS (the source folder first) and fails unless that fails with MESSAGE.
file(REMOVE_RECURSE "${BINARY}")
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -B "${BINARY}" -S ${ARGUMENTS}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
# CMake wraps its messages.
string(REGEX REPLACE "[ \n]+" " " flat "${output}")
string(REPLACE ";" "," flat "${flat}")
string(REPLACE ";" "," MESSAGE "${MESSAGE}")
string(FIND "${flat}" "${MESSAGE}" at)
if(result STREQUAL "0" OR at EQUAL -1)
    message(FATAL_ERROR "expected a failure that says\n${MESSAGE}\nand got (result ${result})\n${output}")
endif()
