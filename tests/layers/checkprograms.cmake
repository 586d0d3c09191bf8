# SPDX-License-Identifier: Apache-2.0
# Checks what the programs link, directly or not. Each library takes time whenever `lockkeeper lock` starts.
#   cmake -DLOCKKEEPER=<file> -DTOOLS=<file> [-DGUARD=<file>] -P checkprograms.cmake
cmake_minimum_required(VERSION 3.25)

# Debian 12: Qt Core, Qt Network and what these need, liblockkeeper-core, the C and C++ libraries. Others may have a few more.
set(most_of_lockkeeper 34)
set(most_of_guard 8)
set(gui "Qt6(Gui|Widgets|OpenGL|Svg)")
set(problems "")

macro(problem)
    list(APPEND problems "${ARGN}")
endmacro()

function(libraries_of program result)
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program}
        RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing)
    list(FILTER found EXCLUDE REGEX "lib(asan|ubsan)\\.")
    set(${result} ${found} ${missing} PARENT_SCOPE)
endfunction()

# The program has none of these libraries.
macro(check_without program libraries forbidden why)
    foreach(library IN LISTS ${libraries})
        get_filename_component(name ${library} NAME)
        if(name MATCHES "${forbidden}")
            problem("${program} needs ${name}: ${why}")
        endif()
    endforeach()
endmacro()

macro(check_count program libraries most)
    list(LENGTH ${libraries} count)
    if(count LESS 3)
        problem("${program}: its libraries cannot be read")
    elseif(count GREATER ${most})
        list(JOIN ${libraries} "\n    " names)
        problem("${program} needs ${count} libraries, more than ${most}:\n    ${names}")
    endif()
endmacro()

libraries_of(${LOCKKEEPER} small)
check_count(${LOCKKEEPER} small ${most_of_lockkeeper})
check_without(${LOCKKEEPER} small "${gui}|Qt6(Sql|DBus)|eychain|yaml|lua|sqlite|monitor"
    "what needs it is a program of its own, see app/cli/programs.h")

libraries_of(${TOOLS} tools)
check_count(${TOOLS} tools 1000)
check_without(${TOOLS} tools "${gui}" "a command needs no window")

if(GUARD)
    libraries_of(${GUARD} guard)
    check_count(${GUARD} guard ${most_of_guard})
    check_without(${GUARD} guard "Qt6|lockkeeper" "it starts while the lock is already held")
endif()

if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "The programs link too much:\n  ${text}")
endif()
list(LENGTH small count)
message(STATUS "lockkeeper has ${count} libraries")
