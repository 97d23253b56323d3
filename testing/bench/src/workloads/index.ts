import type { Workload } from "../types.js";
import { dictionaries } from "./dictionary.js";
import { files } from "./files.js";
import { serviceMessages } from "./messages.js";
import { records } from "./records.js";
import { texts } from "./text.js";

/** Every workload of schemaless codecs, in the order of the tables. */
export const workloads: readonly Workload[] = [...files, ...dictionaries, ...records, ...serviceMessages, ...texts];
