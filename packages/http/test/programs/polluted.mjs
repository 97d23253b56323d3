// Servers and a client while Object.prototype has properties with the names of options, headers and results.
import { createServer } from "node:http";
import { pck, bodies as webBodies } from "@moonpack/http";
import { fetchStream, fetchValue, streamBody } from "@moonpack/http/client";
import { bodies } from "@moonpack/http/node";
import { schema, u8 } from "@moonpack/pck";

const Point = schema("Point", u8("x"));
const points = pck(Point);
const names = [
  "pck",
  "maxBytes",
  "fallback",
  "json",
  "msgpack",
  "early",
  "value",
  "request",
  "response",
  "older",
  "code",
  "detail",
  "title",
  "offset",
  "path",
  "problem",
  "fingerprint",
  "charset",
  "toJSON",
  "decoder",
  "encoder",
  "stream",
];
for (const name of names)
  Object.defineProperty(Object.prototype, name, {
    value: "polluted",
    configurable: true,
    enumerable: false,
    writable: true,
  });

const http = bodies();
const server = createServer(async (request, response) => {
  try {
    if (request.url === "/stream") {
      const values = [];
      for await (const value of http.readStream(request)) values.push(value);
      await http.sendStream(response, values);
    } else if (request.url === "/point")
      http.send(response, await http.read(request, { pck: points }), { pck: points });
    else if (request.url === "/none") response.writeHead(500, { "content-type": "application/json" }).end("{}");
    else http.send(response, await http.read(request));
  } catch (error) {
    http.sendProblem(response, error);
  }
});
server.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const results = [];
  results.push(await fetchValue(url, { value: { a: 1 } }));
  results.push(await fetchValue(`${url}/point`, { value: { x: 1 }, request: points, response: points }));
  for await (const value of fetchStream(`${url}/stream`, { body: streamBody([1, 2]) })) results.push(value);
  for (const path of ["/", "/none"]) {
    const error = await fetchValue(url + path, { value: 1, headers: { "content-type": "text/plain" } }).catch(
      (reason) => reason,
    );
    results.push([error.status, error.code, error.offset ?? null, error.path ?? null]);
  }
  const json = await fetch(url, {
    method: "POST",
    body: '{"b":[2]}',
    headers: { "content-type": "application/json", accept: "application/json" },
  });
  results.push(await json.text());
  results.push(webBodies().response(new Request(url), 1).headers.get("content-type"));
  for (const name of names) delete Object.prototype[name];
  console.log(JSON.stringify(results));
  server.close();
  server.closeAllConnections();
});
