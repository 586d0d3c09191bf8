# SPDX-License-Identifier: Apache-2.0
# Fails if a plural of ui/ or app/ has no English forms in the catalogue. cmake -DROOT=... -DLUPDATE=... -P checkplurals.cmake
set(folder ${CMAKE_CURRENT_BINARY_DIR}/plurals_of_${NAME})
file(REMOVE_RECURSE ${folder})
file(COPY ${ROOT}/resources/translations/lockkeeper_en.ts DESTINATION ${folder})
file(GLOB folders ${ROOT}/ui ${ROOT}/app)
execute_process(COMMAND ${LUPDATE} -silent -pluralonly -locations none -no-obsolete -source-language en -target-language en
                        -I ${ROOT} ${folders} -ts ${folder}/lockkeeper_en.ts
                COMMAND_ERROR_IS_FATAL ANY)
file(READ ${folder}/lockkeeper_en.ts catalogue)
string(REGEX MATCHALL "<source>[^<]*</source>[ \n]*<translation type=\"unfinished\">" missing "${catalogue}")
if(NOT catalogue MATCHES "numerus=\"yes\"")
    message(FATAL_ERROR "no plural was found in ${ROOT}/ui")
elseif(missing)
    message(FATAL_ERROR "plurals without English forms: run the target update-translations and fill them in:\n${missing}")
endif()
