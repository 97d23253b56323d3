import { codec, schema, u8 } from "@moonpack/pck";
import {
  attach,
  type Closed,
  type Connection,
  type ConnectionOptions,
  type ConnectOptions,
  connect,
  encodeKind,
  framed,
  type Handler,
  type Kinds,
  type Message,
  MoonpackError,
  type ServeOptions,
  type Serving,
  serve,
  WEBSOCKET_ERROR_CODES,
  WebSocketError,
} from "@moonpack/websocket/ws";
import { WebSocket } from "ws";

const One = codec(schema("One", u8("n")));
const kinds = { 1: One, 2: framed(One) } satisfies Kinds;
type Known = typeof kinds;

async function main(): Promise<void> {
  const shared: ConnectionOptions<Known> = { kinds };
  const options: ServeOptions<Known> = { ...shared, ws: { port: 0, host: "127.0.0.1" } };
  const handler: Handler<Known> = async (connection, request) => {
    for await (const message of connection) {
      if (message.kind === 1) void connection.sendKind(1, message.value);
      else void connection.send([request.url, message.value]);
    }
  };
  const serving: Serving<Known> = serve(options, handler);
  const url = `ws://127.0.0.1:${(await serving.listening).port}/live`;

  const client: ConnectOptions<Known> = { kinds, ws: { headers: { "x-user": "1" } } };
  const connection: Connection<Known> = await connect(url, client);
  void connection.sendBytes(encodeKind(1, One, { n: 7 }));
  const message: Message<Known> | undefined = await connection.receive();
  console.log(JSON.stringify(message), serving.connections.size); // {"kind":1,"value":{"n":7}} 1
  const closed: Closed = await connection.close();
  console.log(closed.code); // 1000

  const attached = await attach(new WebSocket(url));
  void attached.send(null);
  console.log(JSON.stringify((await attached.receive())?.value)); // ["/live",null]
  await attached.close();
  await serving.close();

  const error: unknown = await connect(url).catch((reason: unknown) => reason);
  console.log(error instanceof MoonpackError, error instanceof WebSocketError); // true true
  console.log(error instanceof WebSocketError && error.code in WEBSOCKET_ERROR_CODES); // true
}
main().catch((error: unknown) => console.log(String(error)));
