import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchValue } from "@moonpack/http/client";
import {
  bodies,
  type ExpressBodies,
  type ExpressErrorMiddleware,
  type ExpressMiddleware,
  type ExpressRequest,
} from "@moonpack/http/express";

/** A media type that is read, in a charset that is not. Bodies of other types are left to other parsers. */
const LATIN = "application/json; charset=latin1";

async function main(): Promise<void> {
  const http: ExpressBodies = bodies();
  const body: ExpressMiddleware = http.body();
  const errors: ExpressErrorMiddleware = http.errors;
  // A server of the form (request, response, next), without Express.
  const server = createServer((request: ExpressRequest & { url?: string | undefined }, response) => {
    body(request, response, (error) => {
      if (error !== undefined) errors(error, request, response, () => response.writeHead(500).end());
      else http.send(response, { got: request.body });
    });
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
