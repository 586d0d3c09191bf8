# SPDX-License-Identifier: Apache-2.0
# What a command prints for people can be translated: a sentence is made by tr().
#   cmake -DROOT=<checkout> -P checkcommandtexts.cmake
cmake_minimum_required(VERSION 3.25)

# A text with two words. Words with a dash before them, names and formats alone are the same in each language.
set(sentence "QStringLiteral\\([ \n]*\"[^\"]*[a-z]+ [^\"]*[a-z]+")
set(printing "(complain|usage|misused|notUsable|print)")
set(problems "")
set(count 0)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
foreach(file IN LISTS files)
    math(EXPR count "${count} + 1")
    file(READ ${ROOT}/${file} text)
    string(REPLACE ";" "," text "${text}")
    string(REGEX MATCHALL "[^a-zA-Z]${printing}\\([ \n]*${sentence}" found "${text}")
    foreach(offence IN LISTS found)
        string(APPEND problems "${file} prints a text that is not translated:${offence}\n")
    endforeach()
endforeach()
if(count EQUAL 0)
    message(FATAL_ERROR "no source under ${ROOT}/app")
endif()
if(problems)
    message(FATAL_ERROR "${problems}")
endif()
message(STATUS "${count} files, what they print can be translated")
