import {
  array,
  doc,
  enumeration,
  f32,
  omitEmpty,
  REF,
  renamed,
  schema,
  UTF8,
  u8,
  u32,
  utf8,
  withDefault,
} from "@moonpack/pck";

const Report = doc(
  schema(
    "Report",
    renamed(utf8("place"), "station"),
    doc(u32("time"), "Seconds since 1970."),
    f32("celsius"),
    doc(u8("wind"), "In km/h."),
    enumeration("sky", "clear", "cloudy", "rain", "snow"),
    withDefault(enumeration("source", "person", "sensor"), "person"),
    omitEmpty(array("warnings", UTF8)),
  ),
  "One observation of the weather.",
);

export const Weather = schema("Weather", array("reports", REF(Report)));
