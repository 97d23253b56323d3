import { encode } from "moonpack";
import { edit, Picker, pick, Raw, skip, view } from "moonpack/pick";

interface Order {
  readonly id: number;
  readonly items: readonly { readonly sku: string }[];
}
const bytes = encode({ id: 7, items: [{ sku: "a" }, { sku: "b" }] });
const { id, skus } = new Picker({ id: "/id", skus: "/items/*/sku" }).decode<Order>(bytes);
console.log(id + 1, skus.join()); // 8 a,b
console.log(pick(edit(bytes, { "/id": 8, "/items/0": undefined }), ["/id", "/items/0/sku"]).join()); // 8,b
console.log(view(bytes).get("items")?.at(1)?.get("sku")?.value(), skip(bytes) === bytes.length); // b true
console.log(encode({ order: new Raw(bytes) }).length - bytes.length); // 7
