// Checks for what other services send about a request: carriers, and the headers traceparent and tracestate.
import {
  formatTraceparent,
  formatTracestate,
  id,
  parseTraceparent,
  parseTracestate,
  runWithCarrier,
  traceparent,
} from "@moonpack/trace";
import { decodeCarrier, encodeCarrier } from "../../../packages/trace/build/carrier/payload.js";
import { same } from "./outcome.mjs";

/** Whatever comes as a carrier, code runs with it, and has an id and a trace that headers may have. */
function checkContext(data) {
  runWithCarrier(data, () => {
    const own = id();
    if (typeof own === "string" && !/^[A-Za-z0-9\-._~:;/+=@|]{1,128}$/.test(own)) throw new Error(`the id ${own}`);
    if (parseTraceparent(traceparent()) === undefined) throw new Error("no trace");
  });
}

/** Any bytes are a carrier, perhaps an empty one. It is written, and reads back equal. Carriers may come as JSON, too. */
function checkCarrier() {
  return (bytes) => {
    if (bytes[0] === OPENING_BRACE) return checkData(bytes);
    const carrier = decodeCarrier(bytes);
    checkContext(carrier);
    const written = decodeCarrier(encodeCarrier(carrier));
    const { id, traceparent, tracestate, values = {} } = carrier;
    // Invalid ids and traces are left out, with a warning.
    if (written.id !== undefined) same(written.id, id, "id");
    if (written.tracestate !== undefined)
      same(written.tracestate, formatTracestate(parseTracestate(tracestate)), "state");
    // Flags that no version knows are not passed on.
    if (written.traceparent !== undefined)
      same(parseTraceparent(written.traceparent), parseTraceparent(traceparent), "trace");
    for (const [key, value] of Object.entries(written.values ?? {})) same(value, values[key], "a value");
    return `${typeof id} ${traceparent !== undefined} ${tracestate !== undefined} ${Object.keys(values).length}`;
  };
}

const OPENING_BRACE = 0x7b;

function checkData(bytes) {
  let data;
  try {
    data = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return "not JSON";
  }
  checkContext(data);
  return `JSON ${Object.keys(decodeCarrier(encodeCarrier(data)).values ?? {}).length}`;
}

/** A header is a context or none. What is read is written, and reads back equal. */
function checkHeaders() {
  return (bytes) => {
    const text = Buffer.from(bytes).toString("latin1");
    const parent = parseTraceparent(text);
    if (parent !== undefined) same(parseTraceparent(formatTraceparent(parent)), parent, "traceparent");
    const state = parseTracestate(text);
    if (state === undefined) return `${parent !== undefined} no state`;
    const written = formatTracestate(state);
    if (written.length > 512) throw new Error(`a tracestate of ${written.length} characters`);
    for (const member of parseTracestate(written) ?? [])
      if (!state.some((other) => other[0] === member[0] && other[1] === member[1])) throw new Error(`made ${member}`);
    return `${parent !== undefined} ${Math.min(state.length, 5)}`;
  };
}

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Creates the inputs from which a target starts. */
export const TRACE_SEEDS = {
  "trace-carrier": () => [
    encodeCarrier({
      id: "a-1",
      traceparent: PARENT,
      tracestate: "a=1,b=2",
      values: { 1023: 1, b: "text", c: null, d: true },
    }),
    encodeCarrier({ id: 7 }),
    encodeCarrier({}),
    Buffer.from(
      JSON.stringify({ id: "a", traceparent: PARENT, tracestate: "a=1", values: { 1023: null, ["__proto__"]: "x" } }),
    ),
  ],
  "trace-headers": () =>
    [PARENT, ` ${PARENT}-x`, "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a@b=1 , ,a@b=2", `${"k".repeat(200)}=v`].map(
      (text) => new Uint8Array(Buffer.from(text, "latin1")),
    ),
};

export const checks = { "trace-carrier": checkCarrier, "trace-headers": checkHeaders };
