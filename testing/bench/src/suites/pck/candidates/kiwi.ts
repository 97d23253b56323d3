import { compileSchema, parseSchema } from "kiwi-schema";
import type { Candidate, Codec } from "./candidate.js";

/** The code that kiwi generates for a struct called Message. */
interface Compiled {
  readonly encodeMessage: Codec["encode"];
  readonly decodeMessage: Codec["decode"];
}

/** kiwi with its generated code. */
export const kiwi: Candidate = {
  id: "kiwi",
  title: "kiwi",
  create(workload) {
    if (workload.kiwi === undefined) return undefined;
    const compiled = compileSchema(parseSchema(workload.kiwi)) as Compiled;
    return {
      encode: (message) => compiled.encodeMessage(message),
      decode: (bytes) => compiled.decodeMessage(bytes),
    };
  },
};
