import { codec, schema, u8 } from "@moonpack/pck";
import {
  createParser,
  Decoder,
  Encoder,
  type EventSchemas,
  notepackExtension,
  type Packet,
  PacketType,
  type Parser,
  type ParserOptions,
  protocol,
  SOCKET_IO_ERROR_CODES,
} from "@moonpack/socket.io-parser";
import { Extensions } from "moonpack";

function decoded(decoder: Decoder, bytes: Uint8Array): Packet | undefined {
  let packet: Packet | undefined;
  decoder.on("decoded", (each) => {
    packet = each;
  });
  decoder.add(bytes);
  return packet;
}

const packet: Packet = { type: PacketType.EVENT, nsp: "/", data: ["hello", new Uint8Array([1])], id: 7 };
const [bytes] = new Encoder().encode(packet);
const [event, payload] = decoded(new Decoder(), bytes)?.data as [string, Uint8Array];
console.log(protocol, bytes.length, event, payload.join()); // 5 15 hello 1

const events: EventSchemas = { move: codec(schema(u8("x"))) };
const options: ParserOptions = {
  objects: true,
  events,
  decoder: { maxDepth: 8, extensions: new Extensions().register(notepackExtension) },
};
const parser: Parser = createParser(options);
const [move] = new parser.Encoder().encode({ type: PacketType.EVENT, nsp: "/", data: ["move", { x: 5 }] });
console.log(JSON.stringify(decoded(new parser.Decoder(), move)?.data)); // ["move",{"x":5}]
try {
  new Decoder().add("text");
} catch (error) {
  console.log((error as { code: string }).code in SOCKET_IO_ERROR_CODES); // true
}
