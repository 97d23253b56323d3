import { array, doc, enumeration, i8, omitEmpty, REF, schema, UTF8, u8, u32, utf8 } from "@moonpack/pck";

const Report = doc(
  schema(
    "Report",
    utf8("station"),
    doc(u32("time"), "Seconds since 1970."),
    i8("celsius"),
    doc(u8("wind"), "In km/h."),
    enumeration("sky", "clear", "cloudy", "rain", "snow"),
    omitEmpty(array("warnings", UTF8)),
  ),
  "One observation of the weather.",
);

export const Weather = schema("Weather", array("reports", REF(Report)));
