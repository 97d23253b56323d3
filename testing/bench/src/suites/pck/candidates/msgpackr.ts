import { Packr } from "msgpackr";
import type { Candidate } from "./candidate.js";

/** msgpackr with remembered structures: only the same instance can read its output. */
export const msgpackrRecords: Candidate = {
  id: "msgpackr-records",
  title: "msgpackr records",
  create() {
    const packr = new Packr({ structures: [] });
    return { encode: (message) => packr.pack(message), decode: (bytes) => packr.unpack(bytes) };
  },
};
