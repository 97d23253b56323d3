// Loaded into the process of an example before its code (node --import): reports the servers that listen, and what the
// example's own clients send to them. With MOONPACK_DELAY_CLIENTS=1 a server's clients wait until the parent has released it: its
// event `listening` and their connections come later, so that hostile clients are served first.
import { Server, Socket } from "node:net";

const delaysClients = process.env.MOONPACK_DELAY_CLIENTS === "1";
/** The state of each server. */
const entries = new Map();
const { emit, listen } = Server.prototype;
const { connect, write } = Socket.prototype;

Server.prototype.listen = function (...args) {
  const entry = {};
  entry.released = new Promise((resolve) => {
    entry.release = resolve;
  });
  if (!delaysClients) entry.release();
  entries.set(this, entry);
  return listen.apply(this, withFreePort(args));
};

Server.prototype.emit = function (event, ...args) {
  const entry = event === "listening" ? entries.get(this) : undefined;
  const port = this.address()?.port;
  if (entry === undefined || port === undefined) return emit.call(this, event, ...args);
  process.send?.({ listening: port });
  entry.released.then(() => emit.call(this, event, ...args));
  return true;
};

/** A fixed port may be in use. */
function withFreePort([first, ...rest]) {
  if (typeof first === "number") return [0, ...rest];
  return typeof first?.port === "number" ? [{ ...first, port: 0 }, ...rest] : [first, ...rest];
}

/** The number of the connection, for sockets that the example itself connects to one of its servers. */
const ids = new WeakMap();
let connections = 0;

Socket.prototype.connect = function (...args) {
  // net.connect passes its arguments as one array.
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const port = Number(first?.port ?? first);
  const [, entry] = [...entries].find(([server]) => server.address()?.port === port) ?? [];
  if (entry === undefined) return connect.apply(this, args);
  ids.set(this, connections++);
  if (!delaysClients) return connect.apply(this, args);
  this.connecting = true; // writes wait until the socket is connected
  entry.released.then(() => connect.apply(this, args));
  return this;
};

Socket.prototype.write = function (data, encoding, ...rest) {
  const id = ids.get(this);
  if (id !== undefined && !delaysClients) {
    const bytes = typeof data === "string" ? Buffer.from(data, encoding) : Buffer.from(data);
    process.send?.({ connection: id, sent: bytes.toString("base64") });
  }
  return write.call(this, data, encoding, ...rest);
};

process.on("message", ({ release }) => {
  for (const [server, entry] of entries) if (server.address()?.port === release) entry.release();
});
process.channel?.unref(); // the example ends when it has nothing else to do
