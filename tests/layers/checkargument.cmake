# SPDX-License-Identifier: Apache-2.0
# QString::arg() takes a character of UTF-16 for a number: QStringLiteral("UTC%1").arg(u'+') is "UTC43". As QChar or as text it
# stays a character.
#   cmake -DROOT=<checkout> -P checkargument.cmake
cmake_minimum_required(VERSION 3.25)

set(character "u'[^']+'|char16_t")
set(problems "")
set(count 0)
foreach(folder app core ui tests)
    file(GLOB_RECURSE files ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
    list(FILTER files EXCLUDE REGEX "${ROOT}/tests/layers/")
    foreach(file IN LISTS files)
        math(EXPR count "${count} + 1")
        # The character itself, or one of two that a condition chooses. In the argument of a call within it is another's.
        file(STRINGS ${file} lines REGEX "[.>]arg\\((${character})|[.>]arg\\([^()]*(\\([^()]*\\)[^()]*)*[?:] *(${character})")
        foreach(line IN LISTS lines)
            string(APPEND problems "${file} shows a character as a number: ${line}\n")
        endforeach()
    endforeach()
endforeach()
if(count EQUAL 0)
    message(FATAL_ERROR "no source under ${ROOT}")
endif()
if(problems)
    message(FATAL_ERROR "${problems}")
endif()
