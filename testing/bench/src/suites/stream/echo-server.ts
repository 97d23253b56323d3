/**
 * Sends every message back, in its own process: one port for each mode, printed in a line of JSON. The optional argument is the
 * gathering writers' `maxBatch`.
 */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Message, type Mode, peer } from "./echo-peer.js";

const [, , argument] = process.argv;
const maxBatch = argument === undefined ? undefined : Number(argument);

async function listen(mode: Mode): Promise<number> {
  const server = createServer((socket) => {
    const send: (message: Message) => void = peer(socket, mode, maxBatch, (message) => send(message));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

process.stdout.write(`${JSON.stringify({ gathered: await listen("gathered"), plain: await listen("plain") })}\n`);
// The parent process has ended.
process.stdin.resume().on("end", () => process.exit());
