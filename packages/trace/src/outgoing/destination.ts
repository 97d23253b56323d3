/** Where a request really goes: the address that is connected to, not what its headers say. */
import { isIPv6 } from "node:net";

/** A destination: scheme, host and port as a URL writes them, and the path of the request. */
export interface Destination {
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** Lower-case; addresses in their normal form, IPv6 in brackets. */
  readonly hostname: string;
  readonly port: number;
  /** As `URL.origin` has it: without the default port. */
  readonly origin: string;
  /** What the request asks for; "/" if that is not a path. */
  readonly path: string;
}

/** What no name of a host may hold: `URL` would take these for separators, or decode them. */
const NOT_HOST = /[\s@/?#\\%]/;

/** The destination of a host and a port as `http.request` has them; undefined if they are none that `URL` can write. */
export function destinationOf(protocol: unknown, host: unknown, port: unknown, path: unknown): Destination | undefined {
  if (typeof host !== "string" || NOT_HOST.test(host)) return undefined;
  const isBare = host.includes(":") && !host.startsWith("[");
  if (isBare && !isIPv6(host)) return undefined;
  return parsed(`${String(protocol)}//${isBare ? `[${host}]` : host}:${String(port)}`, path);
}

/** The destination of an origin, such as undici has it: text or a `URL`. */
export function originOf(origin: unknown, path: unknown): Destination | undefined {
  return typeof origin === "string" || origin instanceof URL ? parsed(String(origin), path) : undefined;
}

/** The target of a request that a proxy is to pass on (`GET http://host/path`); undefined for all others. */
export function proxiedTarget(path: unknown): Destination | undefined {
  return isAbsolute(path) ? originOf(path, undefined) : undefined;
}

/** True if a path is a whole URL: such a request goes to a proxy. */
export function isAbsolute(path: unknown): path is string {
  return typeof path === "string" && !path.startsWith("/") && path.includes("://");
}

function parsed(text: string, path: unknown): Destination | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, origin } = new URL(text);
  if ((protocol !== "http:" && protocol !== "https:") || hostname === "") return undefined;
  return {
    protocol,
    hostname,
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    origin,
    path: typeof path === "string" && path.startsWith("/") ? path : "/",
  };
}
