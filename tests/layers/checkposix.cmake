# SPDX-License-Identifier: Apache-2.0
# What only POSIX or Linux has stands in core/platform/posix, so that every other file compiles on Windows and macOS.
#   cmake -DROOT=<checkout> -P checkposix.cmake
cmake_minimum_required(VERSION 3.25)

# A header of the C++ standard library or of Qt has no ".h" in its name: what has one is the system's, or one of these.
set(of_libraries "<(qcoro/qcorotask|qt6keychain/keychain|yaml-cpp/(depthguard|eventhandler|yaml)|archive|archive_entry|zlib)\\.h>")
set(of_system "<[a-zA-Z0-9_./-]+\\.h>|\"(unistd|fcntl|signal|poll|time|pthread|dlfcn|errno|sched|spawn|termios|netdb|(sys|net|netinet|arpa|linux)/[a-z_]+)\\.h\"")
# Standard C++, but most of it acts on POSIX signals only.
set(of_signals "<csignal>")
set(of_platforms "Q_OS_[A-Z]|__linux__|__unix__|__APPLE__|_WIN32")
set(problems "")
set(seen 0)

file(GLOB_RECURSE files RELATIVE ${ROOT}
    ${ROOT}/core/*.h ${ROOT}/core/*.cpp ${ROOT}/ui/*.h ${ROOT}/ui/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
foreach(file IN LISTS files)
    math(EXPR seen "${seen} + 1")
    if(file MATCHES "^core/platform/posix/")
        continue()
    endif()
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#")
    foreach(line IN LISTS lines)
        if(line MATCHES "include" AND line MATCHES "${of_system}" AND NOT line MATCHES "${of_libraries}")
            list(APPEND problems "${file}: a header of the system: ${line}")
        endif()
        if(line MATCHES "${of_signals}" AND NOT file MATCHES "^core/platform/")
            list(APPEND problems "${file}: signals: ${line}")
        endif()
        if(line MATCHES "${of_platforms}")
            list(APPEND problems "${file}: code for one system: ${line}")
        endif()
    endforeach()
endforeach()

if(seen EQUAL 0)
    list(APPEND problems "${ROOT}: no source found, so nothing was checked")
endif()
if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "This belongs in core/platform/posix:\n  ${text}")
endif()
message(STATUS "${seen} files, POSIX in one folder")
