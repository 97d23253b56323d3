import { decode, encode } from "moonpack";
import { complete, type Engine } from "moonpack/msgpack/complete";

const engine: Engine = complete;
const bytes = encode({ b: 1, a: 2 }, { canonical: true, engine });
console.log(Object.keys(decode<{ a: number; b: number }>(bytes, { strict: true, engine })).join()); // a,b
