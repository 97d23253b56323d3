// http2 and https over real sockets, for any version of Node. Prints what requests saw, as JSON.
import { once } from "node:events";
import http2 from "node:http2";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { httpListener, id, propagate, runWithId } from "@moonpack/trace";

const options = { useHeader: true, echoHeader: true };
const results = {};

/** TLS by a key that both sides know: no certificate is needed. */
const key = Buffer.alloc(32, 7);
const secret = { ciphers: "PSK+AES128", minVersion: "TLSv1.2", maxVersion: "TLSv1.2" };
const serverSide = { ...secret, pskCallback: () => key, pskIdentityHint: "a" };
const clientSide = {
  ...secret,
  pskCallback: () => ({ psk: key, identity: "a" }),
  checkServerIdentity: () => undefined,
};

/** Waits for a condition, up to some seconds: the results show if it was not met. */
async function until(condition) {
  for (let tries = 0; tries < 2000 && !condition(); tries++) await sleep(2);
}

async function listening(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
}

/** The ids of one request: at once, later, when its body has come, in its events. */
function listenerTo(late, asked = new Set()) {
  return httpListener(async (request, response) => {
    const first = id();
    asked.add(first);
    response.once("finish", () => late.push([first, id()]));
    response.on("close", () => late.push([first, id()]));
    const ids = [id()];
    for await (const _part of request) ids.push(id());
    await sleep(Math.random() * 3);
    ids.push(id());
    response.end(JSON.stringify(ids.every((each) => each === first) ? first : ids), () => late.push([first, id()]));
  }, options);
}

async function over2(name, server, connectOptions) {
  const late = [];
  const asked = new Set();
  server.on("request", listenerTo(late, asked));
  const port = await listening(server);
  const protocol = connectOptions === undefined ? "http" : "https";
  const clients = [1, 2].map(() => http2.connect(`${protocol}://127.0.0.1:${port}`, connectOptions));
  const one = async (client, key) => {
    const stream = client.request({ ":method": "POST", "x-request-id": key });
    const answered = once(stream, "response");
    stream.end("x".repeat(50_000));
    const [headers] = await answered;
    let text = "";
    for await (const part of stream) text += part;
    return headers["x-request-id"] === key && JSON.parse(text) === key;
  };
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => one(clients[i % 2], `key-${i}`)));
  // A stream that the client gives up.
  const aborted = clients[0].request({ ":method": "POST", "x-request-id": "aborted" });
  aborted.on("error", () => undefined).write("a");
  await until(() => asked.has("aborted"));
  aborted.close(http2.constants.NGHTTP2_CANCEL);
  const isAborted = () => late.some(([first]) => first === "aborted");
  await until(() => late.length >= 301 && isAborted());
  results[name] = {
    right: answers.filter(Boolean).length,
    events: late.length >= 301,
    wrong: late.filter(([first, seen]) => first !== seen).length,
    aborted: isAborted(),
  };
  for (const client of clients) client.destroy();
  server.close();
}

await over2("http2", http2.createServer());
await over2("http2 over TLS", http2.createSecureServer(serverSide), clientSide);

{
  const late = [];
  const server = https.createServer(serverSide, listenerTo(late));
  const port = await listening(server);
  const agent = new https.Agent({ keepAlive: true, maxSockets: 10 });
  const outgoing = propagate({ to: `https://127.0.0.1:${port}` });
  const one = (key) =>
    new Promise((resolve, reject) => {
      const request = https.request(
        { ...clientSide, agent, host: "127.0.0.1", port, method: "POST" },
        async (response) => {
          let text = "";
          for await (const part of response) text += part;
          resolve(JSON.parse(text) === key && response.headers["x-request-id"] === key);
        },
      );
      request.on("error", reject).end("x".repeat(1000));
    });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => runWithId(() => one(`https-${i}`), `https-${i}`)),
  );
  outgoing.stop();
  const elsewhere = propagate({ to: `http://127.0.0.1:${port}` });
  const refused = await runWithId(() => one("not sent"), "not sent");
  elsewhere.stop();
  await until(() => late.length >= 303);
  results.https = {
    events: late.length >= 303,
    right: answers.filter(Boolean).length,
    wrong: late.filter(([first, seen]) => first !== seen).length,
    refused,
  };
  agent.destroy();
  server.closeAllConnections();
  server.close();
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
