//! The files by which CMake finds the library for C.
//!
//! Components are its two forms, `shared` and `static`; who names none wants both.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

/// `opwrightConfig.cmake`: the targets, of which the static one needs libraries of the system, and
/// what is said of components that are not there.
pub(crate) fn config(system_libraries: &str) -> String {
    let libraries: Vec<&str> = system_libraries.split(' ').collect();
    let libraries = libraries.join(";").replace("-framework;", "-framework ");
    let shared = format!("{DLL_PREFIX}opwright{DLL_SUFFIX}");
    format!(
        "\
get_filename_component(_opwright_prefix \"${{CMAKE_CURRENT_LIST_DIR}}/../../..\" ABSOLUTE)
set(_opwright_file_shared \"${{_opwright_prefix}}/lib/{shared}\")
set(_opwright_file_static \"${{_opwright_prefix}}/lib/libopwright.a\")

set(_opwright_wanted ${{opwright_FIND_COMPONENTS}})
if(NOT _opwright_wanted)
  set(_opwright_wanted shared static)
  set(opwright_FIND_REQUIRED_shared TRUE)
  set(opwright_FIND_REQUIRED_static TRUE)
endif()

foreach(_opwright_component IN LISTS _opwright_wanted)
  set(opwright_${{_opwright_component}}_FOUND FALSE)
  if(NOT DEFINED _opwright_file_${{_opwright_component}})
    set(_opwright_lack \"there is no component `${{_opwright_component}}`, expected `shared` or `static`\")
  elseif(NOT EXISTS \"${{_opwright_file_${{_opwright_component}}}}\")
    set(_opwright_lack \"${{_opwright_file_${{_opwright_component}}}} is missing\")
  elseif(NOT EXISTS \"${{_opwright_prefix}}/include/opwright.h\")
    set(_opwright_lack \"${{_opwright_prefix}}/include/opwright.h is missing\")
  else()
    set(opwright_${{_opwright_component}}_FOUND TRUE)
  endif()
  if(opwright_FIND_REQUIRED_${{_opwright_component}} AND NOT opwright_${{_opwright_component}}_FOUND)
    set(opwright_FOUND FALSE)
    set(opwright_NOT_FOUND_MESSAGE \"${{_opwright_lack}}\")
    return()
  endif()
endforeach()

if(opwright_shared_FOUND AND NOT TARGET opwright::opwright)
  add_library(opwright::opwright SHARED IMPORTED)
  set_target_properties(opwright::opwright PROPERTIES
    IMPORTED_LOCATION \"${{_opwright_file_shared}}\"
    INTERFACE_INCLUDE_DIRECTORIES \"${{_opwright_prefix}}/include\")
endif()

if(opwright_static_FOUND AND NOT TARGET opwright::static)
  add_library(opwright::static STATIC IMPORTED)
  set_target_properties(opwright::static PROPERTIES
    IMPORTED_LOCATION \"${{_opwright_file_static}}\"
    INTERFACE_COMPILE_DEFINITIONS OW_STATIC
    INTERFACE_INCLUDE_DIRECTORIES \"${{_opwright_prefix}}/include\"
    INTERFACE_LINK_LIBRARIES \"{libraries}\")
endif()
"
    )
}

/// `opwrightConfigVersion.cmake`: the versions in whose place this one can be.
pub(crate) fn version(version: &str) -> String {
    format!(
        "\
set(PACKAGE_VERSION \"{version}\")
string(REGEX MATCH \"^[0-9]+\" _opwright_major \"${{PACKAGE_FIND_VERSION}}\")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR NOT _opwright_major EQUAL {major})
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
if(PACKAGE_FIND_VERSION_RANGE)
  if(PACKAGE_VERSION VERSION_GREATER PACKAGE_FIND_VERSION_MAX)
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
  elseif(PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL \"EXCLUDE\"
      AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
  endif()
endif()
if(CMAKE_SIZEOF_VOID_P AND NOT CMAKE_SIZEOF_VOID_P EQUAL {pointer})
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
",
        major = version.split('.').next().unwrap_or("0"),
        pointer = size_of::<usize>(),
    )
}
