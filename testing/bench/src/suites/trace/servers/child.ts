/** The process of a server: its job is the argument. It answers {@link ServerRequest}s of its parent. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCompanion } from "../../../measure/companion.js";
import { loadTracer, type TracerId } from "../tracers.js";
import { expressApplication, fastifyApplication } from "./applications.js";
import { withCallbacks, withPromises } from "./article.js";
import { type Log, makeLog } from "./logger.js";
import { profiled } from "./profiled.js";

/** The job of a server process. */
export type ServerKind = "callbacks" | "promises" | "express" | "fastify" | "profiled";

/** A server. */
export interface ServerJob {
  readonly kind: ServerKind;
  readonly tracer: TracerId;
  /** Of `profiled`: the share of requests that is profiled; undefined without a profiler. */
  readonly sampleRate?: number | undefined;
  /** Lines of logs are kept. */
  readonly keepsLines?: boolean;
}

/** A request of the parent. */
export type ServerRequest = "port" | "processor" | "lines";

/** The answer: the port; the processor's time so far, in microseconds; the lines. */
export type ServerReply = number | string[];

async function listenerOf({ kind, tracer: id, sampleRate, keepsLines }: ServerJob): Promise<RequestListener> {
  const tracer = await loadTracer(id);
  const log = (): Promise<Log> => makeLog(id, tracer, keepsLines === true ? (line) => lines.push(line) : undefined);
  switch (kind) {
    case "callbacks":
      return withCallbacks(tracer);
    case "promises":
      return withPromises(tracer);
    case "express":
      return expressApplication(tracer, await log());
    case "fastify":
      return fastifyApplication(id, tracer, await log());
    case "profiled":
      return profiled(tracer, sampleRate);
  }
}

const lines: string[] = [];
const server = createServer(await listenerOf(JSON.parse(process.argv[2]!) as ServerJob));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

serveCompanion<{ ask: ServerRequest }, { reply: ServerReply }>(({ ask }) => {
  if (ask === "port") return { reply: port };
  if (ask === "lines") return { reply: lines.splice(0) };
  const { user, system } = process.cpuUsage();
  return { reply: user + system };
});
// The parent process has ended, or needs this one no more.
process.once("disconnect", () => process.exit());
