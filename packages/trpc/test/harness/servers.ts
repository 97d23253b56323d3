/** The router on real sockets, with each handler. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TRPCError } from "@trpc/server";
import { moonpackHandler } from "../../src/node/index.ts";
import { type MsgpackHandlerOptions, moonpackFetchHandler } from "../../src/server/fetch.ts";
import { type AppRouter, type Context, router } from "./router.ts";

/** A server, and the errors that its `onError` got. */
export interface TestServer {
  readonly url: string;
  readonly errors: { readonly code: string; readonly path: string | undefined; readonly cause: unknown }[];
  /** Received requests: method, URL, bytes of the body. */
  readonly seen: { method: string; url: string; type: string | undefined; accept: string | undefined }[];
  close(): Promise<void>;
}

export interface Settings {
  readonly msgpack?: MsgpackHandlerOptions;
  readonly maxBatchSize?: number;
}

type Make = (settings: Settings, errors: TestServer["errors"]) => RequestListener;

const note =
  (errors: TestServer["errors"]) =>
  ({ error, path }: { error: TRPCError; path: string | undefined }): void =>
    void errors.push({ code: error.code, path, cause: error.cause });

const node: Make = (settings, errors) =>
  moonpackHandler<AppRouter>({
    ...settings,
    router,
    basePath: "/trpc/",
    createContext: ({ req }): Context => ({ user: req.headers["x-user"]?.toString() }),
    onError: note(errors),
  });

/** Serves a fetch handler with Node. */
const web: Make = (settings, errors) => {
  const handler = moonpackFetchHandler<AppRouter>({
    ...settings,
    router,
    endpoint: "/trpc",
    createContext: ({ req }): Context => ({ user: req.headers.get("x-user") ?? undefined }),
    onError: note(errors),
  });
  return async (req, res) => {
    const left = new AbortController();
    res.once("close", () => left.abort());
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const method = req.method!;
    const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
    const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const init = { method, headers, body, signal: left.signal };
    const response = await handler(new Request(`http://${req.headers.host}${req.url}`, init));
    res.statusCode = response.status;
    response.headers.forEach((value, name) => {
      res.setHeader(name, value);
    });
    res.end(new Uint8Array(await response.arrayBuffer()));
  };
};

export const HANDLERS: Readonly<Record<string, Make>> = { node, fetch: web };

/** Starts a server on loopback. */
export async function start(make: Make, settings: Settings = {}): Promise<TestServer> {
  const errors: TestServer["errors"] = [];
  const seen: TestServer["seen"] = [];
  const listener = make(settings, errors);
  return listening(
    createServer((req, res) => {
      const { method = "", url = "", headers } = req;
      seen.push({ method, url, type: headers["content-type"], accept: headers.accept });
      return listener(req, res);
    }),
    { errors, seen },
  );
}

async function listening(server: Server, rest: Pick<TestServer, "errors" | "seen">): Promise<TestServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...rest,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/trpc`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
