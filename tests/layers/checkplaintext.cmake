# SPDX-License-Identifier: Apache-2.0
# What a server, a file or the clipboard says is never markup: plainlabel.h and ui/base/helptip.h are the only ways
# to a label, a message box, a tool tip or a What's This text.
#   cmake -DROOT=<checkout> -P checkplaintext.cmake
cmake_minimum_required(VERSION 3.25)

# The helpers themselves, and the manual, whose text is our own.
set(allowed "/ui/base/plainlabel\\.(h|cpp)$|/ui/help/manual(window|pages|search)\\.(h|cpp)$")
# Shows what was set through a helper before.
set(shows "/ui/base/helptip\\.cpp$")
set(problems "")
set(seen 0)

macro(problem file line why)
    string(STRIP "${line}" stripped)
    list(APPEND problems "${file}: ${why}: ${stripped}")
endmacro()

# Each line that matches `offence`, unless it matches `right`.
function(find_lines file offence right why)
    file(STRINGS ${file} lines REGEX "${offence}")
    foreach(line IN LISTS lines)
        if(right STREQUAL "" OR NOT line MATCHES "${right}")
            problem(${file} "${line}" "${why}")
        endif()
    endforeach()
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files ${ROOT}/ui/*.h ${ROOT}/ui/*.cpp)
foreach(file IN LISTS files)
    math(EXPR seen "${seen} + 1")
    if(file MATCHES "${allowed}")
        continue()
    endif()
    # The desktop shows the tip of an icon in its tray, which has the program's own words alone.
    find_lines(${file} "(->|\\.)setToolTip\\(" "helpTip\\(|setToolTip\\($|m_trayIcon->" "a tool tip without helpTip()")
    find_lines(${file} "(->|\\.)setWhatsThis\\(" "helpTip\\(|setWhatsThis\\([a-zA-Z_]+->toolTip\\(\\)\\)|setWhatsThis\\($"
               "a What's This text without helpTip()")
    if(NOT file MATCHES "${shows}")
        find_lines(${file} "(QToolTip|QWhatsThis)::showText\\(" "helpTip\\(" "a tool tip without helpTip()")
    endif()
    find_lines(${file} "(ToolTip|WhatsThis)Role," "helpTip\\(" "a tool tip without helpTip()")
    find_lines(${file} "new QLabel|(^|[^a-zA-Z])QLabel +[a-z_A-Z]+[({;]" "" "a label that is not a plainLabel()")
    find_lines(${file} "new QMessageBox|QMessageBox +[a-z_A-Z]+[({;]|QMessageBox::(information|question|warning|critical|about)\\("
               "" "a message box that is not a plainMessageBox()")
    find_lines(${file} "Q(ErrorMessage|ProgressDialog)|QInputDialog::get" "" "a dialog that guesses what is markup")
    find_lines(${file} "Qt::(RichText|AutoText|MarkdownText)|[sS]etHtml\\(|insertHtml\\(|appendHtml\\(|[sS]etMarkdown\\(|QTextBrowser|QTextEdit|QStaticText"
               "" "rich text")
    # Over more than one line.
    file(READ ${file} text)
    string(REGEX REPLACE "[];[]" " " text "${text}")
    string(REGEX REPLACE "[ \n]+" " " text "${text}")
    string(REGEX MATCHALL "case Qt::(ToolTip|WhatsThis)Role: return [^ ]*" roles "${text}")
    string(REGEX MATCHALL "set(ToolTip|WhatsThis)\\( [^ ]*" calls "${text}")
    foreach(found IN LISTS roles calls)
        if(NOT found MATCHES "(return|\\() helpTip\\(")
            problem(${file} "${found}" "a tool tip without helpTip()")
        endif()
    endforeach()
    if(text MATCHES "new QInputDialog" AND NOT text MATCHES "makePlain\\(")
        problem(${file} "new QInputDialog" "a dialog without makePlain()")
    endif()
endforeach()

if(seen EQUAL 0)
    list(APPEND problems "${ROOT}: no source found, so nothing was checked")
endif()
if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "Text that may be read as markup:\n  ${text}")
endif()
message(STATUS "${seen} files, their texts are plain")
