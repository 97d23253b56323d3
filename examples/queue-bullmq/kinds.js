// The values that the programs share: in jobs, and in Redis.

import { array, f32, f64, REF, schema, u32, u64, utf8 } from "@moonpack/pck";
import { framed, jobValues, redisValues } from "@moonpack/redis";

const Reading = schema("Reading", u64("at"), f32("celsius"));
const Batch = schema("Batch", utf8("station"), array("readings", REF(Reading)));
const Mean = schema("Mean", utf8("station"), u32("readings"), f64("celsius"));

/** The data of a job: readings of one station. */
export const batches = jobValues({ codec: framed(Batch) });
/** The mean of a station, in Redis and in messages. */
export const means = (client) => redisValues(client, { codec: framed(Mean) });
