# SPDX-License-Identifier: Apache-2.0
# Catalogues: `cmake --build ... --target update_translations` takes new plural forms into the .ts files.
set(catalogues ${CMAKE_SOURCE_DIR}/resources/translations/hloscope_en.ts)
qt_add_translation(compiled_catalogues ${catalogues})
set(catalogue_files "")
foreach(catalogue ${compiled_catalogues})
  get_filename_component(catalogue_name ${catalogue} NAME)
  string(APPEND catalogue_files "<file alias=\"${catalogue_name}\">${catalogue}</file>")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/translations.qrc
  CONTENT "<RCC><qresource prefix=\"/hloscope/i18n\">${catalogue_files}</qresource></RCC>")
qt_add_resources(catalogue_sources ${CMAKE_CURRENT_BINARY_DIR}/translations.qrc)
target_sources(hloscope_views PRIVATE ${catalogue_sources})
add_custom_target(update_translations
  COMMAND Qt6::lupdate -silent -pluralonly -I ${CMAKE_SOURCE_DIR} -no-obsolete -locations none
    ${CMAKE_SOURCE_DIR}/app ${CMAKE_SOURCE_DIR}/views -ts ${catalogues}
  VERBATIM)
