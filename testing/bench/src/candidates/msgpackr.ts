import { isNativeAccelerationEnabled, Packr } from "msgpackr";
import type { Candidate } from "../types.js";

/** msgpackr writing standard MessagePack: the baseline of all ratios. */
export const msgpackr: Candidate = {
  id: "msgpackr",
  title: "msgpackr",
  package: "msgpackr",
  format: "msgpack",
  ours: false,
  note: `\`new Packr({ useRecords: false })\`, native string extractor ${isNativeAccelerationEnabled ? "active" : "absent"}.`,
  create: () => {
    const packr = new Packr({ useRecords: false });
    return { encode: (value) => packr.pack(value), decode: (payload) => packr.unpack(payload as Uint8Array) };
  },
};

/** msgpackr with its record extension and remembered structures: fast, but only the same instance can read it. */
export const msgpackrRecords: Candidate = {
  id: "msgpackr-records",
  title: "msgpackr records",
  package: "msgpackr",
  format: "msgpackr-records",
  ours: false,
  note: "`new Packr({ structures: [] })`: only msgpackr with the same structures can read it.",
  create: () => {
    const packr = new Packr({ structures: [] });
    return { encode: (value) => packr.pack(value), decode: (payload) => packr.unpack(payload as Uint8Array) };
  },
};
