import { Decoder, decode, encode } from "moonpack";
import {
  codeGeneration,
  complete,
  type Engine,
  type FidelityPreset,
  jsRegExp,
  type ShapeSupport,
} from "moonpack/msgpack/features";

const engine: Engine = complete;
const sorted = encode({ b: 1, a: 2 }, { canonical: true, engine });
console.log(Object.keys(decode<{ a: number; b: number }>(sorted, { strict: true, engine })).join()); // a,b

const fidelity: FidelityPreset = jsRegExp;
const bytes = encode({ tags: new Set(["a", "b"]), pattern: /x/i }, { fidelity });
const { tags, pattern } = decode<{ tags: Set<string>; pattern: RegExp }>(bytes, { fidelity });
console.log(tags.has("b"), pattern.flags); // true i

const support: ShapeSupport = codeGeneration;
const decoder = new Decoder({ codeGeneration: support });
const list = encode(Array.from({ length: 2000 }, (_, id) => ({ id, even: id % 2 === 0 })));
let users: readonly { readonly id: number; readonly even: boolean }[] = [];
for (let turn = 0; turn < 3; turn++) users = decoder.decode(list);
console.log(users.length, users[1999]?.id, users[1999]?.even); // 2000 1999 false
