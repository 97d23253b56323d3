// node server.js [PORT] [--no-pipelining]
import { createServer } from "node:net";
import { serve } from "./protocol.js";

const values = new Map();
const handlers = {
  set(key, value) {
    values.set(key, value);
    return values.size;
  },
  get: (key) => values.get(key),
  add: (a, b) => a + b,
};

const pipelining = !process.argv.includes("--no-pipelining");
const port = Number(process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? 7000);
// Half-open: a client that has ended its side still gets its responses.
const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, handlers, { pipelining }));
server.listen(port, "127.0.0.1", () => console.log(`listening on ${server.address().port}`));
