// @hono/node-server in front, which replaces the global Request and Response. Prints what came back, as JSON.
import { once } from "node:events";
import { createServer } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { fetchHandler, honoMiddleware, id } from "@moonpack/trace";
import { Hono } from "hono";

async function listening(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Another service, with another id. */
const inner = await listening(
  createServer((_request, response) => {
    response.writeHead(203, { "X-Request-Id": "inner", "X-Other": "o", "Set-Cookie": ["a=1", "b=2"] }).end("body");
  }),
);
const options = { useHeader: true, echoHeader: true };
const paths = {
  "": () => new Response(String(id())),
  fetched: () => fetch(inner),
  redirect: () => Response.redirect("http://a.example/", 307),
  none: () => new Response(null, { status: 204 }),
};
const answers = async (fetch) => {
  const url = await listening(createAdaptorServer({ fetch }));
  const all = {};
  for (const path of Object.keys(paths)) {
    const response = await globalThis.fetch(url + path, { headers: { "X-Request-Id": "mine" }, redirect: "manual" });
    const { status, headers } = response;
    const others = [headers.get("x-other"), headers.getSetCookie().join()];
    all[path] = [status, headers.get("x-request-id"), await response.text(), ...others].join(" ").trim();
  }
  return all;
};

const app = new Hono().use(honoMiddleware(options));
for (const [path, handler] of Object.entries(paths)) app.get(`/${path}`, handler);
const handler = fetchHandler((request) => paths[new URL(request.url).pathname.slice(1)](), options);
const results = { hono: await answers(app.fetch), fetchHandler: await answers(handler) };
process.stdout.write(JSON.stringify(results), () => process.exit(0));
