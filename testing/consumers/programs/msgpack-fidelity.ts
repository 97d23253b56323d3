import { decode, encode } from "moonpack";
import { type FidelityPreset, jsRegExp } from "moonpack/msgpack/fidelity";

const fidelity: FidelityPreset = jsRegExp;
const bytes = encode({ tags: new Set(["a", "b"]), pattern: /x/i }, { fidelity });
const { tags, pattern } = decode<{ tags: Set<string>; pattern: RegExp }>(bytes, { fidelity });
console.log(tags.has("b"), pattern.flags); // true i
