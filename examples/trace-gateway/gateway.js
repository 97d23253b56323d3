// The gateway: gives each request an id, and calls both services. They get the id and the trace, since they are in the list.
import { createServer } from "node:http";
import { httpListener, propagate } from "@moonpack/trace";
import { makeLogger } from "./logger.js";
import { listening, reply } from "./server.js";

const [orders, prices] = process.argv.slice(2);
const log = makeLogger("gateway");
propagate({ to: [new URL(orders).host, new URL(prices).host] });

async function handle(request, response) {
  log.info({ method: request.method, url: request.url }, "asked");
  try {
    const [order, price] = await Promise.all([ask(`${orders}/orders/7`), ask(`${prices}/prices/tea`)]);
    reply(response, 200, { ...order, ...price });
    log.info("answered");
  } catch (error) {
    log.error({ err: error }, "a service failed");
    reply(response, 502, { error: "a service failed" });
  }
}

async function ask(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

// Requests from outside: valid ids are accepted, traces are not continued.
listening(createServer(httpListener(handle, { useHeader: true, echoHeader: true, traceContext: "restart" })));
