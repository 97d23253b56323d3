// A server whose memory is measured: GET /memory returns its bytes after a collection.
import { createServer } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { bodies } from "@moonpack/http/node";

const http = bodies({ maxBytes: 8 << 20 });
let peak = 0;
const used = () => {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const server = createServer(async (request, response) => {
  try {
    if (request.url === "/memory") {
      response.end(String(used()));
    } else if (request.url === "/peak") {
      response.end(String(peak));
      peak = 0;
    } else if (request.url === "/sum") {
      let count = 0;
      for await (const _ of http.readStream(request)) {
        if (++count % 50 === 0) peak = Math.max(peak, used());
        if (count % 10 === 0) await turn();
      }
      http.send(response, count);
    } else if (request.url === "/rows") {
      const rows = (function* () {
        for (let i = 0; i < 3000; i++) {
          if (i % 100 === 0) peak = Math.max(peak, used());
          yield new Uint8Array(100_000);
        }
      })();
      await http.sendStream(response, rows);
    } else http.send(response, (await http.read(request)).length);
  } catch (error) {
    http.sendProblem(response, error);
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
