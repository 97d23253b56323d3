/** A carrier with everything that one can have. */
import { TraceCarrier } from "../../src/index.ts";

export const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

export const full = new TraceCarrier("id-1", TRACEPARENT, "a=1,b=2", {
  none: null,
  yes: true,
  no: false,
  pi: 3.14,
  text: "é日本",
  "": "",
});
