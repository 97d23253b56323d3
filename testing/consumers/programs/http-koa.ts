import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchValue } from "@moonpack/http/client";
import { bodies, type KoaBodies, type KoaContextLike, type KoaMiddleware } from "@moonpack/http/koa";

/** A media type that is read, in a charset that is not. Bodies of other types are left to other parsers. */
const LATIN = "application/json; charset=latin1";

async function main(): Promise<void> {
  const http: KoaBodies = bodies();
  const body: KoaMiddleware = http.body();
  // As much of Koa as is used.
  const server = createServer((req, res) => {
    const request: { body?: unknown } = {};
    const context: KoaContextLike = {
      req,
      res,
      request,
      status: 200,
      body: undefined,
      set: (name, value) => void res.setHeader(name, value),
      vary: (field) => void res.setHeader("vary", field),
    };
    const next = async () => http.send(context, { got: request.body });
    void body(context, next).then(() => res.writeHead(context.status).end(context.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(JSON.stringify(await fetchValue(url, { value: "Ada" }))); // {"got":"Ada"}
  const response = await fetch(url, { method: "POST", body: "x", headers: { "content-type": LATIN } });
  console.log(response.status); // 415
  server.close();
  server.closeAllConnections();
}
main().catch((error: unknown) => console.log(String(error)));
