# SPDX-License-Identifier: Apache-2.0
# The installed library, for other programs: find_package(Lockkeeper), target Lockkeeper::core; or pkg-config lockkeeper-core.
include(CMakePackageConfigHelpers)

# Every header that a program may include, as <lockkeeper/...>. What is not listed is not installed.
set(public_headers
    async/completion.h async/deadline.h async/task.h async/taskscope.h async/whendone.h
    base/clock.h base/clocktimer.h base/error.h base/ids.h base/result.h base/systemclock.h base/timerqueue.h
    blocking/client.h blocking/lock.h
    locks/hold.h locks/lockattempt.h locks/lockclient.h locks/namemapper.h
    locks/kinds/fairlock.h locks/kinds/fencedlock.h locks/kinds/lock.h locks/kinds/multilock.h
    locks/kinds/nonreentrantlock.h locks/kinds/readwritelock.h
    locks/kinds/redlock.h locks/kinds/reentrantlock.h locks/kinds/spinlock.h
    locks/synchronizers/countdownlatch.h locks/synchronizers/permitsemaphore.h locks/synchronizers/semaphore.h
    redis/beforesendingagain.h redis/command.h redis/connection.h redis/connectionoptions.h redis/predecessor.h redis/publishing.h redis/pushfilter.h redis/respvalue.h redis/serverinfo.h
    redis/serverrole.h redis/transport.h
    topology/deployment.h topology/hashslot.h topology/mastersource.h topology/route.h topology/shardconnections.h topology/shardid.h
    topology/shards.h
    topology/ssh/jumphost.h)

# Inside this repository a header includes another one as "locks/lockclient.h"; installed, it is
# <lockkeeper/locks/lockclient.h>, so that it never hides a file of the program that uses it.
set(installed_headers ${CMAKE_CURRENT_BINARY_DIR}/installed)
file(REMOVE_RECURSE ${installed_headers})  # may have headers that are no longer public
function(lockkeeper_write_installed header source)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} text)
    string(REGEX REPLACE "#include \"([a-z_/]+\\.h)\"" "#include <lockkeeper/\\1>" text "${text}")
    file(CONFIGURE OUTPUT ${installed_headers}/lockkeeper/${header} CONTENT "${text}" @ONLY)
endfunction()
foreach(header IN LISTS public_headers)
    lockkeeper_write_installed(${header} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
endforeach()

set_target_properties(lockkeeper-core PROPERTIES EXPORT_NAME core)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Lockkeeper)
install(TARGETS lockkeeper-core EXPORT LockkeeperTargets)
install(TARGETS lockkeeper-monitor)
install(DIRECTORY ${installed_headers}/lockkeeper DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lockkeeper_export.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockkeeper)
install(EXPORT LockkeeperTargets NAMESPACE Lockkeeper:: DESTINATION ${config_folder})
configure_package_config_file(LockkeeperConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/LockkeeperConfig.cmake
    INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/LockkeeperConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LockkeeperConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/LockkeeperConfigVersion.cmake
    DESTINATION ${config_folder})

# QCoro is header-only here and has no pkg-config file of its own everywhere.
get_target_property(qcoro_folders QCoro6::Coro INTERFACE_INCLUDE_DIRECTORIES)
# Compilers search this one by themselves, and must not search it earlier.
list(REMOVE_ITEM qcoro_folders /usr/include)
list(TRANSFORM qcoro_folders PREPEND "-isystem ")
list(JOIN qcoro_folders " " qcoro_flags)
configure_file(lockkeeper-core.pc.in ${CMAKE_CURRENT_BINARY_DIR}/lockkeeper-core.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lockkeeper-core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# The monitor finds its library beside it, wherever the prefix is.
set_target_properties(lockkeeper-monitor PROPERTIES INSTALL_RPATH "$ORIGIN")
