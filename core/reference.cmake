# SPDX-License-Identifier: Apache-2.0
# The API reference of the public headers, made by Doxygen: target `reference`, in the folder reference/html of the build.
set(reference_folder ${CMAKE_CURRENT_BINARY_DIR}/reference)
list(TRANSFORM public_headers PREPEND ${installed_headers}/lockkeeper/ OUTPUT_VARIABLE reference_input)
list(PREPEND reference_input ${CMAKE_CURRENT_SOURCE_DIR}/README.md ${CMAKE_CURRENT_SOURCE_DIR}/locks/protocol.md)
list(JOIN reference_input " " reference_input)
configure_file(reference/Doxyfile.in ${reference_folder}/Doxyfile @ONLY)
add_custom_target(reference COMMAND doxygen ${reference_folder}/Doxyfile VERBATIM)
if(BUILD_TESTING)
    add_test(NAME reference COMMAND doxygen ${reference_folder}/Doxyfile)
    # The same, but as if nothing without a comment were part of it: names each class that has none.
    file(READ ${reference_folder}/Doxyfile doxyfile)
    file(WRITE ${reference_folder}/Doxyfile.strict
        "${doxyfile}\nEXTRACT_ALL = NO\nWARN_AS_ERROR = NO\nOUTPUT_DIRECTORY = ${reference_folder}/strict\n")
    add_test(NAME reference_leaves_no_class_out COMMAND doxygen ${reference_folder}/Doxyfile.strict)
    set_tests_properties(reference_leaves_no_class_out PROPERTIES FAIL_REGULAR_EXPRESSION "Compound [^\n]* is not documented")
endif()
