import type * as msgpackr from "msgpackr";
import type { Candidate } from "../../types.js";

/** A copy of the library. */
export type Library = Pick<typeof msgpackr, "Packr" | "isNativeAccelerationEnabled">;

/** A candidate of a copy of msgpackr. `library` is called when a process uses the candidate. */
export function msgpackrCandidate(about: Pick<Candidate, "id" | "title" | "note">, library: () => Library): Candidate {
  return {
    ...about,
    package: "msgpackr",
    format: "msgpack",
    ours: false,
    create: () => {
      const { Packr } = library();
      const packr = new Packr({ useRecords: false, int64AsType: "number" });
      return { encode: (value) => packr.pack(value), decode: (payload) => packr.unpack(payload as Uint8Array) };
    },
  };
}
