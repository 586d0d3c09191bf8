# SPDX-License-Identifier: Apache-2.0
# Every source is as clang-format 14 writes it, the version of Debian 12. Other versions format differently.
#   cmake -DROOT=<checkout> -DCLANG_FORMAT=<program> -P checkformat.cmake
# Prints each line that is not.
cmake_minimum_required(VERSION 3.25)

if(NOT CLANG_FORMAT)
    message(FATAL_ERROR "clang-format 14 is missing: install the package clang-format-14")
endif()
execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version MATCHES "version 14\\.")
    message(FATAL_ERROR "${CLANG_FORMAT} is not version 14: install the package clang-format-14\n${version}")
endif()

set(files "")
foreach(folder IN ITEMS app core ui tests)
    file(GLOB_RECURSE found RELATIVE ${ROOT} ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
    list(APPEND files ${found})
endforeach()
# What the tests of such checks offend with.
list(FILTER files EXCLUDE REGEX "^tests/(layers|prose)/offender")
list(LENGTH files count)
if(count EQUAL 0)
    message(FATAL_ERROR "no source under ${ROOT}")
endif()

list(JOIN files "\n" lines)
set(list ${CMAKE_CURRENT_BINARY_DIR}/sources_of_${NAME}.txt)
file(WRITE ${list} "${lines}\n")
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
execute_process(COMMAND xargs -P ${processors} -n 50 ${CLANG_FORMAT} --dry-run -Werror
                INPUT_FILE ${list} WORKING_DIRECTORY ${ROOT} RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
    message("${errors}")
    message(FATAL_ERROR "not as clang-format 14 writes it: clang-format-14 -i FILE...")
endif()
message(STATUS "${count} files, formatted")
