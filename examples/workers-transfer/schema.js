// Schemas of the messages to the workers and back. Both sides share them.
import { array, codec, f64, REF, schema, u32, utf8 } from "@moonpack/pck";

const Reading = schema("Reading", utf8("station"), u32("at"), f64("celsius"));
export const readings = codec(schema("Readings", array("list", REF(Reading))));

const Mean = schema("Mean", utf8("station"), u32("count"), f64("celsius"));
export const means = codec(schema("Means", array("list", REF(Mean))));
