import { codec, fromDocument } from "@moonpack/pck";
import { type Inferred, infer } from "@moonpack/pck/infer";

const inferred: Inferred = infer([{ id: 1, tags: ["a"] }], { name: "Row" });
console.log(inferred.document.root, inferred.problems.length); // Row 0
console.log(codec(fromDocument(inferred.document)).size({ id: 1, tags: ["a"] } as never)); // 4
