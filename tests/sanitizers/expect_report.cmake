# Runs PROGRAM and fails unless it fails with REPORT in what it prints.
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result STREQUAL "0")
    message(FATAL_ERROR "the planted bug went unnoticed: ${PROGRAM} ended with success\n${output}")
endif()
string(FIND "${output}" "${REPORT}" at)
if(at EQUAL -1)
    message(FATAL_ERROR "no \"${REPORT}\" in what ${PROGRAM} printed (result ${result}):\n${output}")
endif()
