# SPDX-License-Identifier: Apache-2.0
# Embeds the Lua scripts of a target as Qt resources under :/lockkeeper/. Each script stays a separate .lua file, so
# that editors highlight it and a reader finds it by its name.
function(lockkeeper_embed_lua target)
    set(qrc ${CMAKE_CURRENT_BINARY_DIR}/${target}-lua.qrc)
    set(entries "")
    foreach(script IN LISTS ARGN)
        string(APPEND entries "<file alias=\"${script}\">${CMAKE_CURRENT_SOURCE_DIR}/${script}</file>\n")
        set_property(SOURCE ${qrc} APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${script})
    endforeach()
    file(CONFIGURE OUTPUT ${qrc} CONTENT "<RCC><qresource prefix=\"/lockkeeper\">\n${entries}</qresource></RCC>\n")
    target_sources(${target} PRIVATE ${qrc})
endfunction()
