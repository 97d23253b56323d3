/** The rules of `propagate` and `undiciInterceptor` for destinations. */
import { isIPv6 } from "node:net";
import { describe, invalidArgument } from "../errors.js";
import type { Destination } from "./destination.js";

/**
 * A destination that is allowed: a host (`"api.internal"`, on every port), a host and a port (`"api.internal:8080"`), all hosts
 * below one (`"*.internal"`), an origin (`"https://api.internal"`), a RegExp that is tested on the origin (anchor it: `/^..$/`),
 * or a function that returns true for the URLs that are.
 */
export type OutgoingRule = string | RegExp | ((url: URL) => boolean);

/** True if a destination is allowed; undefined means that it is not known. */
export type AllowList = (destination: Destination | undefined) => boolean;

type Rule = (destination: Destination) => boolean;

const HOST_AND_PORT = /^(\*\.)?(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/;

/** Reads the option `to`. Throws `ERR_INVALID_ARGUMENT`. */
export function readAllowList(to: unknown): AllowList {
  if (to === "any") return () => true;
  if (to === undefined) throw invalidArgument('to is required: the hosts that ids may be sent to, or "any"');
  const rules = (Array.isArray(to) ? (to as unknown[]) : [to]).map(readRule);
  return (destination) => destination !== undefined && rules.some((rule) => rule(destination));
}

/** Reads the option `origins`. Throws `ERR_INVALID_ARGUMENT`. */
export function readOrigins(origins: unknown): AllowList {
  if (typeof origins !== "function")
    throw invalidArgument(
      `origins must be a function that returns true for the origins that ids may be sent to, not ${describe(origins)}`,
    );
  const isAllowed = functionRule(origins as (url: URL) => unknown, ({ origin }) => origin);
  return (destination) => destination !== undefined && isAllowed(destination);
}

function readRule(rule: unknown): Rule {
  if (typeof rule === "string") return rule.includes("://") ? originRule(rule) : hostRule(rule);
  if (rule instanceof RegExp) return patternRule(rule);
  if (typeof rule === "function")
    return functionRule(rule as (url: URL) => unknown, ({ origin, path }) => origin + path);
  throw invalidArgument(`to must hold hosts, origins, RegExps or functions, not ${describe(rule)}`);
}

function originRule(text: string): Rule {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url !== undefined &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    // No user, path, query or fragment.
    url.href === `${url.origin}/` &&
    !text.includes("*") &&
    !hasEmptyLabel(url.hostname);
  if (!isOrigin) throw invalidArgument(`${describe(text)} in to is not an origin such as "https://api.internal"`);
  return ({ origin }) => origin === url.origin;
}

function hostRule(text: string): Rule {
  const parts = HOST_AND_PORT.exec(isIPv6(text) ? `[${text}]` : text);
  const [, wildcard, name, portText] = parts ?? [];
  const hostname = name === undefined ? undefined : hostnameOf(name);
  const port = portText === undefined ? undefined : Number(portText);
  if (hostname === undefined || (port !== undefined && (port === 0 || port > 65_535)))
    throw invalidArgument(`${describe(text)} in to is not a host such as "api.internal", "*.internal" or "[::1]:8080"`);
  const isPort = (other: number): boolean => port === undefined || other === port;
  if (wildcard === undefined) return (destination) => destination.hostname === hostname && isPort(destination.port);
  return (destination) => destination.hostname.endsWith(`.${hostname}`) && isPort(destination.port);
}

/** Returns a host as URLs write it: lower-case, punycode, addresses in their normal form. */
function hostnameOf(name: string): string | undefined {
  if (/[\s@/?#\\%*]/.test(name) || !URL.canParse(`http://${name}`)) return undefined;
  const { hostname } = new URL(`http://${name}`);
  return hasEmptyLabel(hostname) ? undefined : hostname;
}

/** True for `.internal` and `a..internal`: a rule with such a name would never match. */
function hasEmptyLabel(hostname: string): boolean {
  return hostname.startsWith(".") || hostname.includes("..");
}

function patternRule(pattern: RegExp): Rule {
  // A copy: with the flags g and y the object has a position.
  const copy = new RegExp(pattern.source, pattern.flags);
  return ({ origin }) => {
    copy.lastIndex = 0;
    return copy.test(origin);
  };
}

/** Only true allows: a promise or an error does not. */
function functionRule(rule: (url: URL) => unknown, textOf: (destination: Destination) => string): Rule {
  return (destination) => {
    try {
      return rule(new URL(textOf(destination))) === true;
    } catch {
      return false;
    }
  };
}
