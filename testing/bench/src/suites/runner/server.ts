/** An HTTP server that takes some processor time for an answer; prints its port, and ends with its parent. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const WORK = new Uint8Array(256 * 1024);

const server = createServer((_request, response) => {
  response.end(createHash("sha256").update(WORK).digest("hex"));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.stdin.resume().on("end", () => process.exit());
