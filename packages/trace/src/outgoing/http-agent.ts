/**
 * Requests of `http` and `https`. `Agent.prototype.addRequest` is replaced while a propagation is active. The channel
 * `http.client.request.created` of Node 22.12 is not enough: it shows neither the port nor the agent's options, whose `host`, `port`
 * and `socketPath` win, and the caller may set the Host header.
 */
import http from "node:http";
import https from "node:https";
import { currentContext } from "../context/storage.js";
import { type Destination, destinationOf, isAbsolute, proxiedTarget } from "./destination.js";
import { linesFor, propagations } from "./propagations.js";
import { warnOnce } from "./warning.js";

type AddRequest = (this: AgentParts, request: http.ClientRequest, options: unknown, ...legacy: unknown[]) => unknown;

/** The members of an agent that are read. */
interface AgentParts {
  readonly options?: { readonly proxyEnv?: unknown };
  readonly protocol?: string;
  readonly createConnection?: unknown;
  readonly createSocket?: unknown;
  addRequest: AddRequest;
}

/** The options that give the address of a connection. */
interface ConnectionOptions {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly socketPath?: unknown;
}

/**
 * Replaces the method of all agents. Returns a function that restores it, unless other code has replaced ours: then ours stays below it,
 * and adds nothing any more.
 */
export function patchAgents(): () => void {
  const former = Object.getOwnPropertyDescriptor(http.Agent.prototype, "addRequest");
  if (typeof former?.value !== "function") return () => {};
  let isActive = true;
  const addFormer = former.value as AddRequest;
  // A new method for each patch: one that stayed below other code's must not call the method above it.
  const addRequest: AddRequest = function (this: AgentParts, request, options, ...legacy) {
    if (isActive && currentContext() !== undefined) {
      try {
        addLines(this, request, options, legacy[0]);
      } catch {
        // Tracing never breaks a request.
      }
    }
    return addFormer.call(this, request, options, ...legacy);
  };
  Object.defineProperty(http.Agent.prototype, "addRequest", { ...former, value: addRequest });
  return () => {
    isActive = false;
    if (agentPrototype().addRequest === addRequest) Object.defineProperty(http.Agent.prototype, "addRequest", former);
  };
}

function agentPrototype(): AgentParts {
  return http.Agent.prototype as unknown as AgentParts;
}

function addLines(agent: AgentParts, request: http.ClientRequest, options: unknown, legacyPort: unknown): void {
  // Headers that were given as an array, or with Expect, are already written.
  if (request.headersSent || request.method === "CONNECT") return;
  const given = typeof options === "string" ? { host: options, port: legacyPort } : (options as ConnectionOptions);
  // As in Node, the agent's options replace the request's.
  const merged: ConnectionOptions = { ...given, ...agent.options };
  if (merged.socketPath || (agent.options as { path?: unknown } | undefined)?.path) return;
  const destinations: (Destination | undefined)[] = [
    connectsItself(agent)
      ? undefined
      : destinationOf(request.protocol ?? agent.protocol, merged.host ?? "localhost", merged.port ?? 80, request.path),
  ];
  if (isAbsolute(request.path)) destinations.push(proxiedTarget(request.path));
  for (const [name, value] of linesFor(propagations.active, destinations, (name) => request.hasHeader(name)))
    request.setHeader(name, value);
  if (destinations[0] === undefined && connectsItself(agent) && !request.hasHeader("traceparent"))
    warnOnce(
      "MOONPACK_TRACE_AGENT",
      "an http agent makes its connections itself, so the destination of its requests is not known and they carry no id. " +
        'Add outgoingHeaders() to them, or allow "any"',
    );
}

/**
 * True if the address that an agent connects to is not known: it makes its connections itself (a proxy's agent, one for a Unix socket),
 * or its option `proxyEnv` lets Node send plain requests to a proxy. With https Node uses a tunnel, so the proxy reads no headers.
 */
function connectsItself(agent: AgentParts): boolean {
  const { createConnection, createSocket, protocol, options } = agent;
  if (protocol !== "https:" && typeof options?.proxyEnv === "object" && options.proxyEnv !== null) return true;
  const own = agentPrototype();
  const secure = https.Agent.prototype as unknown as AgentParts;
  return (
    (createConnection !== own.createConnection && createConnection !== secure.createConnection) ||
    (createSocket !== own.createSocket && createSocket !== secure.createSocket)
  );
}
