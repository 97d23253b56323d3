/** The destination of a request, read from its options, never from a Host header. */
import { isIPv6 } from "node:net";

/** A destination: scheme, host and port as a URL writes them, and the path of the request. */
export interface Destination {
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** Lower-case; addresses in their normal form, IPv6 in brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Without the default port, as in `URL.origin`. */
  readonly origin: string;
  /** The path of the request; "/" if it is not a path. */
  readonly path: string;
}

/** Characters that a host must not contain: `URL` would treat them as separators, or decode them. */
const NOT_HOST = /[\s@/?#\\%]/;

/** Returns the destination of a host and a port of `http.request`; undefined if a URL cannot have them. */
export function destinationOf(protocol: unknown, host: unknown, port: unknown, path: unknown): Destination | undefined {
  if (typeof host !== "string" || NOT_HOST.test(host)) return undefined;
  const isBare = host.includes(":") && !host.startsWith("[");
  if (isBare && !isIPv6(host)) return undefined;
  return parsed(`${String(protocol)}//${isBare ? `[${host}]` : host}:${String(port)}`, path);
}

/** Returns the destination of an origin as undici's requests have it: text or a `URL`. */
export function originOf(origin: unknown, path: unknown): Destination | undefined {
  return typeof origin === "string" || origin instanceof URL ? parsed(String(origin), path) : undefined;
}

/** Returns the target of a request to a proxy (`GET http://host/path`); undefined for other requests. */
export function proxiedTarget(path: unknown): Destination | undefined {
  return isAbsolute(path) ? originOf(path, undefined) : undefined;
}

/** True if a path is an absolute URL: such a request goes to a proxy. */
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
