import { schema, u8, utf8 } from "@moonpack/pck";
import { type EmittedFile, emit, emitGo } from "@moonpack/pck/emit";

const Row = schema("Row", utf8("key"), u8("value"));
const files: readonly EmittedFile[] = emit(Row, { target: "ts" });
console.log(files.map(({ path }) => path).join(), files[0]?.text.includes("export function decodeRow")); // row.ts true
console.log(emitGo(Row, { package: "rows" }).length > 0); // true
