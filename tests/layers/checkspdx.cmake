# SPDX-License-Identifier: Apache-2.0
# Every source names its licence where readers and tools look for it: in its first line, behind a script's "#!".
#   cmake -DROOT=<checkout> -P checkspdx.cmake
cmake_minimum_required(VERSION 3.25)

set(licence "SPDX-License-Identifier: Apache-2.0")
set(sources ${ROOT}/CMakeLists.txt ${ROOT}/.ci/run)
foreach(folder IN ITEMS app core ui tests)
    foreach(pattern IN ITEMS *.h *.cpp *.lua *.cmake CMakeLists.txt)
        file(GLOB_RECURSE found ${ROOT}/${folder}/${pattern})
        list(APPEND sources ${found})
    endforeach()
endforeach()
file(GLOB packaging LIST_DIRECTORIES false ${ROOT}/packaging/* ${ROOT}/packaging/prometheus/*.yml
     ${ROOT}/packaging/systemd/*)
list(APPEND sources ${packaging})
# What the test of this check offends with.
list(FILTER sources EXCLUDE REGEX "^${ROOT}/tests/layers/unlicensed/")

set(problems "")
set(seen 0)
foreach(source IN LISTS sources)
    if(NOT EXISTS ${source})
        continue()
    endif()
    math(EXPR seen "${seen} + 1")
    file(READ ${source} text LIMIT 200)
    if(NOT text MATCHES "^(#![^\n]*\n)?(//|#|--) ${licence}\n")
        list(APPEND problems ${source})
    endif()
endforeach()

if(seen EQUAL 0)
    list(APPEND problems "${ROOT}: no source found, so nothing was checked")
endif()
if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "These files do not begin with \"${licence}\":\n  ${text}")
endif()
message(STATUS "${seen} files name their licence")
