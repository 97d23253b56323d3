import { Writer } from "@moonpack/protobuf";
import { FieldPicker } from "@moonpack/protobuf/pick";

const bytes = new Writer().uint32(8).uint32(7).uint32(18).fork().uint32(10).string("Ada").ldelim().finish();
const picker = new FieldPicker({ id: [1, "uint32"], name: [2, 1, "string"] }, { rest: true });
const { id, name, rest } = picker.decode(bytes);
console.log(id! + 1, name?.toUpperCase(), rest.length); // 8 ADA 7
