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
  type Kinds,
  type Message,
  type MessageCodec,
  MoonpackError,
  type ValueOf,
  WEBSOCKET_ERROR_CODES,
  WebSocketError,
  type WebSocketLike,
} from "@moonpack/websocket/browser";

const One = codec(schema("One", u8("n")));
const kinds = { 1: One, 2: framed(One) } satisfies Kinds;
type Known = typeof kinds;

/** A WebSocket that echoes messages. */
class Echo implements WebSocketLike {
  binaryType = "blob";
  readonly bufferedAmount = 0;
  readyState = 1;
  readonly #listeners = new Map<string, (event: { readonly type: string }) => void>();
  send(data: Uint8Array<ArrayBuffer>): void {
    this.#emit({ type: "message", data: data.slice().buffer });
  }
  close(code = 1005, reason = ""): void {
    this.readyState = 3;
    this.#emit({ type: "close", code, reason });
  }
  addEventListener(type: string, listener: (event: { readonly type: string }) => void): void {
    this.#listeners.set(type, listener);
  }
  removeEventListener(type: string): void {
    this.#listeners.delete(type);
  }
  #emit(event: { readonly type: string; readonly [name: string]: unknown }): void {
    this.#listeners.get(event.type)?.(event);
  }
}

async function main(): Promise<void> {
  const options: ConnectionOptions<Known> = { kinds, idleTimeout: 0 };
  const connection: Connection<Known> = await attach(new Echo(), options);
  const value: ValueOf<Known, 1> = { n: 7 };
  void connection.sendKind(1, value);
  void connection.sendBytes(encodeKind(2, kinds[2], value));
  void connection.send([value]);
  for (let i = 0; i < 3; i++) {
    const message: Message<Known> | undefined = await connection.receive();
    if (message?.kind === 1)
      console.log(message.value.n); // 7
    else console.log(JSON.stringify(message));
    // {"kind":2,"value":{"n":7}}
    // {"kind":0,"value":[{"n":7}]}
  }
  const closed: Closed = await connection.close(3000, "done");
  console.log(closed.code, closed.reason, closed.error); // 3000 done undefined

  const codecOfOne: MessageCodec = One;
  const refused: ConnectOptions = { maxMessageBytes: 0, kinds: { 1: codecOfOne } };
  const error: unknown = await connect("ws://127.0.0.1:9", refused).catch((reason: unknown) => reason);
  console.log(error instanceof MoonpackError, error instanceof WebSocketError); // true false
  console.log(Object.keys(WEBSOCKET_ERROR_CODES).length); // 6
}
main().catch((error: unknown) => console.log(String(error)));
