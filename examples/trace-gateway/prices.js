// A service on Node's own server.
import { createServer } from "node:http";
import { httpListener } from "@moonpack/trace";
import { makeLogger } from "./logger.js";
import { listening, reply } from "./server.js";

const log = makeLogger("prices");

function handle(request, response) {
  log.info({ item: request.url.split("/").pop() }, "looked up");
  reply(response, 200, { price: 3.5 });
}

listening(createServer(httpListener(handle, { useHeader: true, traceContext: true })));
