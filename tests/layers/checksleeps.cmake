# SPDX-License-Identifier: Apache-2.0
# A test waits for a condition, a signal or a ManualClock, never for a time: it would be too short on a slow machine, and
# lost on a fast one.
#   cmake -DROOT=<checkout> -P checksleeps.cmake
cmake_minimum_required(VERSION 3.25)

# Measure times, and run for half an hour. The last ones are for the tests of these checks.
set(not_checked "^(bench|soak|layers|prose)/")
# The dice choose for how long a server stands still, and how much time passes between two steps: the faults of this test.
set(allowed "^integration/tst_lockfaults\\.cpp$")
set(problems "")
set(seen 0)

# Each line that matches `offence`, unless it matches `right`.
function(find_lines file offence right why)
    file(STRINGS ${ROOT}/tests/${file} lines REGEX "${offence}")
    foreach(line IN LISTS lines)
        if(right STREQUAL "" OR NOT line MATCHES "${right}")
            string(STRIP "${line}" stripped)
            string(REPLACE ";" "\\;" stripped "${stripped}")
            list(APPEND problems "${file}: ${why}: ${stripped}")
        endif()
    endforeach()
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE ${ROOT}/tests ${ROOT}/tests/*.h ${ROOT}/tests/*.cpp)
foreach(file IN LISTS files)
    if(file MATCHES "${not_checked}")
        continue()
    endif()
    math(EXPR seen "${seen} + 1")
    find_lines(${file} "(^|[^a-zA-Z])qWait\\(" "" "waits for a time")
    find_lines(${file} "(^|[^a-zA-Z])(qSleep|sleep_for|sleep_until|usleep|nanosleep)\\(|(QThread|std::this_thread|[^a-zA-Z]):: *[mu]?sleep\\("
               "" "sleeps")
    if(NOT file MATCHES "${allowed}")
        find_lines(${file} "(becomesTrue|qWaitFor|QTRY_[A-Z0-9_]+)\\(.*(hasExpired|hasPassed|elapsed)\\(\\)"
                   "" "waits for a time, as if it were a condition")
    endif()
    # A command that a test starts may run until the test ends it, and a loop of a shell may look for a file.
    find_lines(${file} "(^|[^a-zA-Z_])sleep [0-9]*\\.[0-9]" "sleep [0-9.]+; done" "a command that sleeps")
endforeach()

if(seen EQUAL 0)
    list(APPEND problems "${ROOT}/tests: no test found, so nothing was checked")
endif()
if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "Wait for a condition, a signal or a ManualClock:\n  ${text}")
endif()
message(STATUS "${seen} files, no sleep")
