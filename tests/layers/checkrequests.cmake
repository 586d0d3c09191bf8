# SPDX-License-Identifier: Apache-2.0
# Counts the product files that name a request of a session, comments aside: its value, who makes it and who executes it. The
# facade, the hop between the threads and the link of a page pass every request on unread, so a new one does not touch them.
#   cmake -DROOT=<checkout> -P checkrequests.cmake
cmake_minimum_required(VERSION 3.25)

set(most 4)
# With one maker and one executor.
set(requests SetDiscovery SetLabel RetryNow ArmFor Disarm AnswerSsh)
set(value core/session/sessionrequest.h)
set(problems "")

file(GLOB_RECURSE files RELATIVE ${ROOT}
    ${ROOT}/core/*.h ${ROOT}/core/*.cpp ${ROOT}/ui/*.h ${ROOT}/ui/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text)
    foreach(request IN LISTS requests)
        string(FIND "${text}" ${request} found)
        if(found EQUAL -1)
            continue()
        endif()
        string(REGEX REPLACE "//[^\n]*" "" code "${text}")
        if("${code}" MATCHES "(^|[^A-Za-z0-9_])${request}[^A-Za-z0-9_]")
            list(APPEND named_${request} ${file})
        endif()
    endforeach()
endforeach()

foreach(request IN LISTS requests)
    list(LENGTH named_${request} count)
    list(JOIN named_${request} ", " places)
    if(NOT ${value} IN_LIST named_${request})
        list(APPEND problems "${request}: not in ${value}, so nothing was counted")
    elseif(count GREATER most)
        list(APPEND problems "${request}: ${count} files instead of ${most} at most: ${places}")
    endif()
    message(STATUS "${request}: ${places}")
endforeach()
if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "A request touches its value, who makes it and who executes it:\n  ${text}")
endif()
