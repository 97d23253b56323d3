// Many requests on keep-alive connections, pipelined, to a traced server; prints the heap after parts of them, in bytes, as JSON.
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { expressMiddleware, id, set, traceparent } from "@moonpack/trace";

const CONNECTIONS = 16;
/** Requests of one packet. */
const BATCH = 32;
const STATUS = "HTTP/1.1 200";

const count = Number(process.argv[2]);
const middleware = expressMiddleware({ echoHeader: true });
const server = createServer((request, response) => {
  middleware(request, response, () => {
    set("user", request.url);
    const note = () => undefined;
    response.on("finish", () => traceparent()).on("close", note);
    response.off("close", note);
    setImmediate(() => response.end(String(id())));
  });
}).listen(0, "127.0.0.1");
server.keepAliveTimeout = 0;
await once(server, "listening");

let asked = 0;
let answered = 0;

/** Sends batches until `until` requests are sent by all connections, each when the one before is answered. */
function connection(until) {
  return new Promise((resolve, reject) => {
    const socket = connect(server.address().port, "127.0.0.1").setEncoding("latin1");
    let open = 0;
    let rest = "";
    const send = () => {
      const size = Math.min(BATCH, until - asked);
      if (size <= 0) return socket.end();
      let text = "";
      for (let i = 0; i < size; i++) text += `GET /${++asked} HTTP/1.1\r\nHost: a\r\n\r\n`;
      open = size;
      socket.write(text);
    };
    socket.on("data", (part) => {
      const text = rest + part;
      const found = text.split(STATUS).length - 1;
      rest = text.slice(1 - STATUS.length); // shorter than a status line, so none is counted twice
      answered += found;
      open -= found;
      if (open === 0) send();
    });
    socket.on("close", resolve).on("error", reject).on("connect", send);
  });
}

const heaps = [];
for (const part of [0.25, 0.5, 0.75, 1]) {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => connection(Math.floor(count * part))));
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  heaps.push(process.memoryUsage().heapUsed);
}
process.stdout.write(JSON.stringify({ answered, heaps }), () => process.exit(0));
