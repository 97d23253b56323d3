// Shared by the server and the page.
import { pck } from "@moonpack/http/client";
import { array, f32, REF, schema, u8, u64, utf8 } from "@moonpack/pck";

const Reading = schema("Reading", utf8("station"), u64("at"), f32("celsius"), u8("humidity"));
const Readings = schema("Readings", array("readings", REF(Reading)));

export const reading = pck(Reading);
export const readings = pck(Readings);
