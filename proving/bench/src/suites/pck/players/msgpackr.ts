import { Packr } from "msgpackr";
import type { Player } from "./player.js";

/** msgpackr with remembered structures: only the same instance can read its output. */
export const msgpackrRecords: Player = {
  id: "msgpackr-records",
  title: "msgpackr records",
  create() {
    const packr = new Packr({ structures: [] });
    return { encode: (message) => packr.pack(message), decode: (bytes) => packr.unpack(bytes) };
  },
};
