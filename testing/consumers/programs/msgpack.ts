import { Decoder, decodeMulti, diagnose, Encoder, type EncoderOptions, Timestamp } from "moonpack/msgpack";
import { complete } from "moonpack/msgpack/features";

const options: EncoderOptions = { canonical: true, engine: complete };
const bytes = new Encoder(options).encode({ b: 2n ** 60n, a: new Map([[1, "one"]]), t: new Timestamp(1, 5) });
const decoded = new Decoder({ maps: "map", int64: "bigint" }).decode<Map<string, unknown>>(bytes);
console.log([...decoded.keys()].join(), String(decoded.get("b"))); // a,b,t 1152921504606846976
console.log([...decodeMulti(new Uint8Array([1, 2, 3]))].join()); // 1,2,3
for (const { path, meaning } of diagnose(new Uint8Array([0x91, 0xc3]))) console.log(path, meaning);
// $ array of 1
// $[0] true
