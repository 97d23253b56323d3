// Sends an order to the service and prints its receipt: node send.js [PORT]
import { codec } from "@moonpack/pck";
import { Order, Receipt } from "./schema.js";

const order = {
  customer: "Zoë",
  items: [
    { name: "tea", cents: 450, count: 2 },
    { name: "cup", cents: 1200, count: 1 },
  ],
};
const body = codec(Order).encode(order);
const response = await fetch(`http://127.0.0.1:${process.argv[2] ?? 8090}/orders`, { method: "POST", body });
if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
const receipt = codec(Receipt).decode(new Uint8Array(await response.arrayBuffer()));
console.log(`${body.length} bytes sent, receipt ${receipt.number}: ${receipt.cents} cents`);
