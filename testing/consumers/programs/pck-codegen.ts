import { codec, schema, u8 } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";

const dice = codec(schema("Dice", u8("eyes")), { codeGeneration });
const eyes: number = dice.decode(dice.encode({ eyes: 6 })).eyes;
console.log(eyes); // 6
