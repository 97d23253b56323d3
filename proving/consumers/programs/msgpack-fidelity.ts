import { decode, encode } from "moonpack";
import { type FidelityPreset, js } from "moonpack/msgpack/fidelity";

const fidelity: FidelityPreset = js;
const bytes = encode({ tags: new Set(["a", "b"]), pattern: /x/i }, { fidelity });
const { tags, pattern } = decode<{ tags: Set<string>; pattern: RegExp }>(bytes, { fidelity });
console.log(tags.has("b"), pattern.flags); // true i
