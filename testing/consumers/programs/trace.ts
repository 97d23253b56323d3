import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import rTracer, {
  type ConnectMiddleware,
  type Context,
  carrier,
  context,
  expressMiddleware,
  fetchHandler,
  type HeaderLine,
  httpListener,
  id,
  outgoingHeaders,
  parseTraceparent,
  propagate,
  runWithCarrier,
  runWithContext,
  runWithId,
  set,
  TraceArgumentError,
  TraceFactoryError,
  type TraceOptions,
  traceId,
  traceparent,
  type UndiciInterceptor,
  undiciInterceptor,
} from "@moonpack/trace";

interface Order {
  readonly url?: string | undefined;
}

async function main(): Promise<void> {
  const options: TraceOptions<Order> = { useHeader: true, echoHeader: true, requestIdFactory: ({ url }) => url };
  const middleware: ConnectMiddleware = expressMiddleware(options);
  console.log(typeof middleware); // function

  // The server says what the listener's messages are.
  createServer(
    {},
    httpListener((request, response) => response.writeHead(200, "OK").end(request.socket.remoteAddress)),
  );
  const interceptor: UndiciInterceptor = undiciInterceptor({ origins: ({ hostname }) => hostname === "api.internal" });
  console.log(typeof interceptor); // function
  const listener: RequestListener = httpListener((_request, response) => void response.end(String(id())), options);
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const outgoing = propagate({ to: [`127.0.0.1:${port}`] });
  const answer = await runWithId(() => fetch(`http://127.0.0.1:${port}/`), "order-7");
  console.log(await answer.text(), answer.headers.get("x-request-id")); // order-7 order-7
  outgoing.stop();
  console.log(await (await fetch(`http://127.0.0.1:${port}/made`)).text()); // /made
  server.close();
  server.closeAllConnections();

  const here: Context | undefined = runWithId(() => {
    set("tenant", "north");
    return context();
  }, 7);
  console.log(runWithContext(here, id), here?.get("tenant")); // 7 north
  const job = runWithContext(here, () => carrier({ values: ["tenant"] }));
  console.log(runWithCarrier(job, () => [id(), traceId() === here?.traceId])); // [ 7, true ]
  const lines: HeaderLine[] | undefined = runWithContext(here, outgoingHeaders);
  console.log(lines?.map(([name]) => name).join()); // X-Request-Id,traceparent
  console.log(parseTraceparent(runWithContext(here, traceparent))?.traceId === here?.traceId); // true
  console.log(rTracer.runWithId(() => rTracer.id(), 0)); // 0
  const failing = fetchHandler(() => new Response(), { requestIdFactory: () => Promise.reject(0) });
  const error: unknown = await Promise.resolve(failing(new Request("http://a.example"))).catch((reason) => reason);
  console.log(error instanceof TraceFactoryError && [error.code, error.cause]); // [ 'ERR_USER_CODE', 0 ]
  try {
    expressMiddleware({ headerName: "no name" });
  } catch (error) {
    console.log(error instanceof TraceArgumentError && error.code); // ERR_INVALID_ARGUMENT
  }
}
main().catch((error: unknown) => console.log(String(error)));
