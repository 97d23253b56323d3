import { isNativeAccelerationEnabled, Packr } from "msgpackr";
import type { Player } from "../types.js";

/** msgpackr writing standard MessagePack: the baseline of all ratios. */
export const msgpackr: Player = {
  id: "msgpackr",
  title: "msgpackr",
  package: "msgpackr",
  format: "msgpack",
  ours: false,
  note: `\`new Packr({ useRecords: false })\`, its native string extractor ${isNativeAccelerationEnabled ? "active" : "absent"}.`,
  create: () => {
    const packr = new Packr({ useRecords: false });
    return { encode: (value) => packr.pack(value), decode: (payload) => packr.unpack(payload as Uint8Array) };
  },
};

/** msgpackr with its record extension and remembered structures: fast, but only this very instance reads it. */
export const msgpackrRecords: Player = {
  id: "msgpackr-records",
  title: "msgpackr records",
  package: "msgpackr",
  format: "msgpackr-records",
  ours: false,
  note: "`new Packr({ structures: [] })`: not MessagePack that others can read, nor msgpackr without the same structures.",
  create: () => {
    const packr = new Packr({ structures: [] });
    return { encode: (value) => packr.pack(value), decode: (payload) => packr.unpack(payload as Uint8Array) };
  },
};
