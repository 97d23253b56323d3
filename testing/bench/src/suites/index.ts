import type { Suite } from "../suite.js";
import { alloc } from "./alloc.js";
import { browsers } from "./browsers/index.js";
import { go } from "./go/index.js";
import { hazelcast } from "./hazelcast/index.js";
import { hostile } from "./hostile/index.js";
import { load } from "./load/index.js";
import { memory } from "./memory.js";
import { msgpack, msgpackBuffers } from "./msgpack.js";
import { pck } from "./pck/index.js";
import { pick } from "./pick/index.js";
import { prometheus } from "./prometheus/index.js";
import { protobuf } from "./protobuf/index.js";
import { runner } from "./runner/index.js";
import { schemas } from "./schemas/index.js";
import { series } from "./series/index.js";
import { service } from "./service/index.js";
import { size } from "./size.js";
import { starts } from "./starts.js";
import { stream } from "./stream/index.js";
import { trace } from "./trace/index.js";

/** Every suite. The first one is the default of `npm run bench`. */
export const suites: readonly Suite[] = [
  msgpack,
  msgpackBuffers,
  service,
  schemas,
  stream,
  protobuf,
  pck,
  pick,
  browsers,
  load,
  memory,
  alloc,
  size,
  starts,
  hostile,
  go,
  series,
  prometheus,
  hazelcast,
  trace,
  runner,
];

/** The suite of that name. */
export function findSuite(name: string): Suite {
  const found = suites.find((suite) => suite.name === name);
  if (found === undefined) {
    throw new RangeError(`no suite ${name}: there are ${suites.map((suite) => suite.name).join(", ")}`);
  }
  return found;
}
