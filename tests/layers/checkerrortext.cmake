# SPDX-License-Identifier: Apache-2.0
# What an error means is its code, its kind or its cause. Its text is for people: only core/redis/replyerrors.cpp reads
# the text of a server. The sentences of the program's own errors are made from causes, so that they can be translated.
#   cmake -DROOT=<checkout> -P checkerrortext.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files ${ROOT}/core/*.h ${ROOT}/core/*.cpp ${ROOT}/ui/*.h ${ROOT}/ui/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
set(problems "")
foreach(file IN LISTS files)
    file(STRINGS ${file} lines REGEX "[eE]rror(\\(\\))?(\\.|->)text(\\.(startsWith|endsWith|contains|indexOf|section)| *==)")
    foreach(line IN LISTS lines)
        string(APPEND problems "${file} compares the text of an error: ${line}\n")
    endforeach()
endforeach()
file(GLOB_RECURSE core_files ${ROOT}/core/*.h ${ROOT}/core/*.cpp)
foreach(file IN LISTS core_files)
    file(STRINGS ${file} lines REGEX "Error(\\(| [a-zA-Z]+\\()ErrorCode::[a-zA-Z]+, *(QStringLiteral|QLatin1String)")
    foreach(line IN LISTS lines)
        string(APPEND problems "${file} gives an error a sentence instead of a cause: ${line}\n")
    endforeach()
endforeach()
list(LENGTH files count)
if(count EQUAL 0)
    message(FATAL_ERROR "no source under ${ROOT}")
endif()
if(problems)
    message(FATAL_ERROR "${problems}")
endif()
