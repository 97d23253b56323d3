// A packet while Object.prototype has properties with the names of options and of members of packets.
import { createParser } from "@moonpack/socket.io-parser";

for (const name of ["encoder", "decoder", "objects", "events", "onEncodeError", "maps", "data", "id", "nsp", "type"])
  Object.defineProperty(Object.prototype, name, { value: "polluted", configurable: true, writable: true });

const parser = createParser({});
const [bytes] = new parser.Encoder().encode({ type: 2, nsp: "/", data: ["x", 1], id: undefined });
const decoder = new parser.Decoder();
const results = [Array.from(bytes.subarray(0, 3), (byte) => byte.toString(16).padStart(2, "0"))];
decoder.on("decoded", (packet) => results.push(packet.data));
decoder.add(bytes);
console.log(JSON.stringify(results));
