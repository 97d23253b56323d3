import { codec, ref, schema, utf8, uvar } from "@moonpack/pck";
import { type Picker, pick } from "@moonpack/pck/pick";

const Order = schema("Order", uvar("id"), ref("header", schema("Header", utf8("tenant"))));
const orders = codec(Order);
const routes: Picker<{ id: number; tenant: string }> = pick(orders, { id: "id", tenant: "header.tenant" });
const { id, tenant } = routes.decode(orders.encode({ id: 7, header: { tenant: "eu" } }));
console.log(id + 1, tenant.length); // 8 2
