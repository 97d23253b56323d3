import { Decoder, encode } from "moonpack";
import { codeGeneration, type ShapeSupport } from "moonpack/msgpack/codegen";

const support: ShapeSupport = codeGeneration;
const decoder = new Decoder({ codeGeneration: support });
const bytes = encode(Array.from({ length: 2000 }, (_, id) => ({ id, even: id % 2 === 0 })));
let users: readonly { readonly id: number; readonly even: boolean }[] = [];
for (let turn = 0; turn < 3; turn++) users = decoder.decode(bytes);
console.log(users.length, users[1999]?.id, users[1999]?.even); // 2000 1999 false
