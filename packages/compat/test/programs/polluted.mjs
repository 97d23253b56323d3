// Prints what both interfaces do while Object.prototype has the names of their options, of an extension and of results.
import * as javascript from "@moonpack/compat/msgpack-javascript";
import * as nodejs from "@moonpack/compat/msgpack-nodejs";
import * as msgpackr from "@moonpack/compat/msgpackr";

const names = {
  ignoreUndefined: true,
  sortKeys: true,
  forceFloat32: true,
  forceIntegerToFloat: true,
  useBigInt64: true,
  rawStrings: true,
  maxDepth: 1,
  maxStrLength: 0,
  maxMapLength: 0,
  initialBufferSize: -1,
  mapKeyConverter: () => "polluted",
  encoder: { byteArray: { base: 7 } },
  enabled: false,
  size: 5,
  base: 9,
  structures: [["polluted"]],
  sequential: true,
  maps: "map",
  typed: [],
  keys: ["polluted"],
  binary: "view",
};
for (const [name, value] of Object.entries(names)) {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
}

const value = { b: [1.5, 2, "text"], a: { c: undefined } };
const bytes = javascript.encode(value);
const read = javascript.decode(bytes);
nodejs.applyOptions({ decoder: { jsUtf8Decode: { lessThan: 3 } } });
console.log(
  JSON.stringify([
    Buffer.from(bytes).toString("hex"),
    Object.keys(read),
    read.b,
    read.a.c,
    javascript.decode(new javascript.Encoder({ useBigInt64: false }).encode({ size: 3 })).size,
    nodejs.decode(nodejs.encode({ enabled: 1 })).enabled,
    nodejs.appliedOptions().encoder.byteArray.base,
    nodejs.appliedOptions().decoder.jsUtf8Decode.enabled,
    msgpackr.decode(Buffer.from("92a16140", "hex")),
    Object.entries(msgpackr.decode(Buffer.from("d4724092a46b657973a473697a6581a474797065" + "0102", "hex"))),
    msgpackr.decode(Buffer.from("4007", "hex"), { structures: [["size"]] }).size,
  ]),
);
