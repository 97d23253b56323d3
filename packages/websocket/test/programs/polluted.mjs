// An echo while Object.prototype has properties with the names of options.
import { schema, u8 } from "@moonpack/pck";
import { connect, framed, serve } from "@moonpack/websocket/ws";

const names = ["kinds", "encoder", "decoder", "maxMessageBytes", "sendBufferBytes", "unreadBytes", "maxUnreadBytes"];
names.push("maxUnsentBytes", "idleTimeout", "closeTimeout", "openTimeout", "protocols", "onError", "resolver");
for (const name of names)
  Object.defineProperty(Object.prototype, name, { value: "polluted", configurable: true, writable: true });

framed(schema(u8("n")));
const serving = serve({ ws: { port: 0, host: "127.0.0.1" } }, async (connection) => {
  for await (const { value } of connection) await connection.send(value);
});
const { port } = await serving.listening;
const connection = await connect(`ws://127.0.0.1:${port}`);
await connection.send({ a: 1 });
const message = await connection.receive();
const { code } = await connection.close();
await serving.close();
console.log(JSON.stringify([message, code]));
