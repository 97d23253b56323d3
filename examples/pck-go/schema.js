// The schema that both programs share. After a change: npm run emit
import { array, REF, schema, u8, u32, utf8 } from "@moonpack/pck";

const Item = schema("Item", utf8("name"), u32("cents"), u8("count"));
export const Order = schema("Order", utf8("customer"), array("items", REF(Item)));
export const Receipt = schema("Receipt", u32("number"), u32("cents"));
