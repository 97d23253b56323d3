// The kinds of values that the programs share: what is in jobs, what is in Redis.

import { array, f32, f64, REF, schema, u32, u64, utf8 } from "@moonpack/pck";
import { framed, jobValues, redisValues } from "@moonpack/redis";

const Reading = schema("Reading", u64("at"), f32("celsius"));
const Batch = schema("Batch", utf8("station"), array("readings", REF(Reading)));
const Mean = schema("Mean", utf8("station"), u32("readings"), f64("celsius"));

/** The data of a job: readings of one station. */
export const batches = jobValues({ codec: framed(Batch) });
/** In Redis, and as messages: the mean of a station. */
export const means = (client) => redisValues(client, { codec: framed(Mean) });
