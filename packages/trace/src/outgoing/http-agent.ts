/**
 * Requests of `http` and `https`: headers go in where the agent gets the request, at `Agent.prototype.addRequest`. The channel
 * `http.client.request.created` of Node 22.12 knows neither the port nor what the agent's options replace (its `host`, `port` and
 * `socketPath` win), and the Host header, which has a port, is the caller's.
 */
import http from "node:http";
import https from "node:https";
import { currentContext } from "../context/storage.js";
import { active, linesFor } from "./active.js";
import { type Destination, destinationOf, isAbsolute, proxiedTarget } from "./destination.js";
import { warnOnce } from "./warning.js";

type AddRequest = (this: AgentParts, request: http.ClientRequest, options: unknown, ...legacy: unknown[]) => unknown;

/** What is read of an agent. */
interface AgentParts {
  readonly options?: { readonly proxyEnv?: Readonly<Record<string, unknown>> };
  readonly protocol?: string;
  readonly createConnection?: unknown;
  readonly createSocket?: unknown;
  addRequest: AddRequest;
}

/** The options that say where a connection goes. */
interface ConnectionOptions {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly socketPath?: unknown;
}

/** Our method while it is switched on, and what it replaced. */
interface Patch {
  readonly addRequest: AddRequest;
  readonly former: PropertyDescriptor;
}

let patch: Patch | undefined;

/** Makes all agents add headers. */
export function patchAgents(): void {
  const former = Object.getOwnPropertyDescriptor(http.Agent.prototype, "addRequest");
  if (typeof former?.value !== "function") return;
  patch = { addRequest: adding(former.value as AddRequest), former };
  Object.defineProperty(http.Agent.prototype, "addRequest", { ...former, value: patch.addRequest });
}

/** Puts the former method back, unless somebody else has replaced ours: then it stays below theirs, and adds nothing any more. */
export function restoreAgents(): void {
  const last = patch;
  patch = undefined;
  if (last === undefined || agentPrototype().addRequest !== last.addRequest) return;
  Object.defineProperty(http.Agent.prototype, "addRequest", last.former);
}

function agentPrototype(): AgentParts {
  return http.Agent.prototype as unknown as AgentParts;
}

/** A method of its own for each time that agents are patched: one that stayed below another's must not call what is above. */
function adding(former: AddRequest): AddRequest {
  return function addRequest(this: AgentParts, request, options, ...legacy) {
    if (patch?.addRequest === addRequest && currentContext() !== undefined) {
      try {
        addLines(this, request, options, legacy[0]);
      } catch {
        // Tracing never breaks a request.
      }
    }
    return former.call(this, request, options, ...legacy);
  };
}

function addLines(agent: AgentParts, request: http.ClientRequest, options: unknown, legacyPort: unknown): void {
  // Headers given as an array, or with Expect, are written already.
  if (request.headersSent || request.method === "CONNECT") return;
  const given = typeof options === "string" ? { host: options, port: legacyPort } : (options as ConnectionOptions);
  // As Node does: the agent's options replace the request's.
  const merged: ConnectionOptions = { ...given, ...agent.options };
  if (merged.socketPath || (agent.options as { path?: unknown } | undefined)?.path) return;
  const destinations: (Destination | undefined)[] = [
    connectsItself(agent)
      ? undefined
      : destinationOf(request.protocol ?? agent.protocol, merged.host ?? "localhost", merged.port ?? 80, request.path),
  ];
  if (isAbsolute(request.path)) destinations.push(proxiedTarget(request.path));
  for (const [name, value] of linesFor(active(), destinations, (name) => request.hasHeader(name)))
    request.setHeader(name, value);
  if (destinations[0] === undefined && connectsItself(agent) && !request.hasHeader("traceparent"))
    warnOnce(
      "MOONPACK_TRACE_AGENT",
      "an http agent makes its connections itself: where its requests go is not known, so they carry no id. " +
        'Add outgoingHeaders() to them, or allow "any"',
    );
}

/**
 * True if it is not known where an agent connects to: its connections are not made by Node (a proxy's agent, one for a Unix socket),
 * or Node sends its plain requests to a proxy of the environment (`proxyEnv`). Through a tunnel, which https takes, a proxy reads none.
 */
function connectsItself(agent: AgentParts): boolean {
  const { createConnection, createSocket, protocol } = agent;
  if (protocol !== "https:" && hasHttpProxy(agent)) return true;
  const own = agentPrototype();
  const secure = https.Agent.prototype as unknown as AgentParts;
  return (
    (createConnection !== own.createConnection && createConnection !== secure.createConnection) ||
    (createSocket !== own.createSocket && createSocket !== secure.createSocket)
  );
}

/** True if Node sends an agent's plain requests to a proxy. NODE_USE_ENV_PROXY gives the global agent one. */
function hasHttpProxy(agent: AgentParts): boolean {
  const env = agent.options?.proxyEnv;
  if (env !== undefined && env !== null && (env["http_proxy"] || env["HTTP_PROXY"])) return true;
  // What Node read of it when the agent was made: the environment may have changed since.
  const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === "kProxyConfig");
  return key !== undefined && Boolean(Reflect.get(agent, key));
}
