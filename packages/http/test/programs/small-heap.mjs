// A server and its client in a small heap: bodies of 1 MiB that would take a hundred times as much and more.
import { createServer } from "node:http";
import { pck } from "@moonpack/http";
import { fetchValue } from "@moonpack/http/client";
import { bodies } from "@moonpack/http/node";
import { array, omitEmpty, REF, schema, utf8 } from "@moonpack/pck";

const texts = Array.from({ length: 100 }, (_, i) => omitEmpty(utf8(`f${i}`)));
const format = pck(schema("List", array("v", REF(schema("Item", texts)))));
const COUNT = 1_000_000;

/** Absent values: `{}` is a byte of MessagePack, and 832 bytes with a hundred fields. */
function absent() {
  // {"v": [{}, {}, ..]}
  const bytes = new Uint8Array(8 + COUNT).fill(0x80);
  bytes.set([0x81, 0xa1, 0x76, 0xdd, 0, COUNT >> 16, (COUNT >> 8) & 0xff, COUNT & 0xff]);
  return bytes;
}

const MSGPACK = "application/vnd.msgpack";
const JSONS = "application/json";
const BODIES = {
  "absent fields": [MSGPACK, absent()],
  "absent fields in JSON": [JSONS, `{"v":[${new Array(340_000).fill("{}").join()}]}`],
};
const http = bodies();
const server = createServer(async (request, response) => {
  try {
    if (request.method === "GET") return response.setHeader("content-type", MSGPACK).end(absent());
    if (request.url === "/plain") return http.send(response, (await http.read(request)).length);
    http.send(response, (await http.read(request, { pck: format })).v.length);
  } catch (error) {
    http.sendProblem(response, error);
  }
});
server.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const results = {};
  for (const [name, [type, body]] of Object.entries(BODIES)) {
    const response = await fetch(url, { method: "POST", body, headers: { "content-type": type } });
    results[name] = [response.status, (await response.json()).code];
  }
  const error = await fetchValue(url, { response: format }).catch((reason) => reason);
  results["absent fields in an answer"] = [error.name, error.code];
  const body = `[${new Array(95_000).fill('{"1023":0}').join()}]`;
  const headers = { "content-type": JSONS, accept: JSONS };
  const response = await fetch(`${url}/plain`, { method: "POST", body, headers });
  results["keys that are array indices"] = [response.status, await response.json()];
  console.log(JSON.stringify(results));
  server.close();
});
