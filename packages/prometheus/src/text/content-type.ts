/** Which text format a client asks for, and which one a server sends. */
import { invalidArgument } from "moonpack/bytes";
import type { TextFormat } from "./types.js";

/**
 * The values of the header `Content-Type`, by format.
 *
 * @example
 * response.setHeader("content-type", CONTENT_TYPES[chooseFormat(request.headers.accept)]);
 */
export const CONTENT_TYPES: Readonly<Record<TextFormat, string>> = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** A media type with its parameters, names in lower case. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Returns the format for the header `Accept` of a request: the one with the higher `q`, then the one that the header names exactly, then
 * OpenMetrics if it names both. Prometheus' own format where the header accepts neither, as exporters do. Throws
 * `ERR_INVALID_ARGUMENT` unless `accept` is a text or undefined.
 *
 * @example
 * chooseFormat("application/openmetrics-text;version=1.0.0,text/plain;q=0.5"); // "openmetrics"
 */
export function chooseFormat(accept: string | null | undefined): TextFormat {
  if (typeof (accept ?? "") !== "string") throw invalidArgument("accept must be the text of a header");
  const ranges = split(accept ?? "", ",").map(mediaTypeOf);
  const [text, textDepth] = quality(ranges, "text/plain", "0.0.4");
  const [open, openDepth] = quality(ranges, "application/openmetrics-text", "1.0.0");
  const isNamed = open > 0 && openDepth > 1 && openDepth >= textDepth;
  return open > text || (open === text && isNamed) ? "openmetrics" : "prometheus";
}

/**
 * Returns the format of a text by its header `Content-Type`; undefined for any other type and for other versions of OpenMetrics. Throws
 * `ERR_INVALID_ARGUMENT` unless it is a text or undefined.
 *
 * @example
 * formatOfContentType("text/plain; version=0.0.4"); // "prometheus"
 */
export function formatOfContentType(contentType: string | null | undefined): TextFormat | undefined {
  if (typeof (contentType ?? "") !== "string") throw invalidArgument("contentType must be the text of a header");
  const { type, parameters } = mediaTypeOf(contentType ?? "");
  if (type === "text/plain") return "prometheus";
  const isOpen = type === "application/openmetrics-text" && !/^[2-9]/.test(parameters.get("version") ?? "1");
  return isOpen ? "openmetrics" : undefined;
}

/** The `q` of a type, by the most exact range that matches it: 1 for all types, 2 for `text/*`, 3 and 4 for the type itself. */
function quality(ranges: readonly MediaType[], type: string, version: string): readonly [q: number, depth: number] {
  let found: readonly [number, number] = [0, 0];
  for (const range of ranges) {
    const wanted = range.parameters.get("version");
    let depth = range.type === "*/*" ? 1 : range.type === `${type.split("/")[0]}/*` ? 2 : 0;
    if (range.type === type && (wanted ?? version) === version) depth = wanted === undefined ? 3 : 4;
    if (depth > found[1]) found = [qualityOf(range), depth];
  }
  return found;
}

/** A range whose `q` is not valid is not acceptable. */
function qualityOf({ parameters }: MediaType): number {
  const text = parameters.get("q") ?? "1";
  return QUALITY.test(text) ? Number(text) : 0;
}

/** Returns the parts of a media type: `text/plain; version=0.0.4`. */
export function mediaTypeOf(text: string): MediaType {
  const [type = "", ...rest] = split(text, ";");
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim().toLowerCase();
    parameters.set(name, unquoted(part.slice(at + 1).trim()));
  }
  return { type: type.trim().toLowerCase(), parameters };
}

/** Splits a header where a separator is not in quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) at++;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function unquoted(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}
