/** The parameters of a request, from its URL and its form. */
import { mediaTypeOf } from "../text/content-type.js";
import { type BodyMemory, unpackBody } from "./body.js";
import { invalidParameter, RequestError } from "./errors.js";
import type { HttpRequest } from "./messages.js";
import { parseDuration, parseTime } from "./times.js";

const FORM = "application/x-www-form-urlencoded";
/** The most bytes of a form: its parameters are read without a turn of the event loop. */
const MAX_FORM_BYTES = 1 << 20;
/** The most parameters of a request: each that is looked for is compared with all of them. */
const MAX_PARAMETERS = 10_000;

/** Returns the parameters of a request, the form before the URL. */
export async function readParameters(
  request: HttpRequest,
  query: string,
  maxBytes: number,
  memory: BodyMemory,
): Promise<Parameters> {
  const own = parsed(query);
  if (request.method !== "POST") return new Parameters([own]);
  const encoding = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  const { type } = mediaTypeOf(request.headers.get("content-type") ?? FORM);
  if (type !== FORM) throw new RequestError(["bad_data", 415], `the content type must be ${FORM}, not ${type}`);
  const most = Math.min(maxBytes, MAX_FORM_BYTES);
  const form = await memory.with(request.body, most, async (body) =>
    parsed(new TextDecoder().decode(await unpackBody(body, encoding, most))),
  );
  return new Parameters([form, own]);
}

/** Returns the parameters in a text. Throws 413 for a text that is too long, and for too many parameters. */
function parsed(text: string): URLSearchParams {
  if (text.length > MAX_FORM_BYTES) throw new RequestError(["bad_data", 413], `more than ${MAX_FORM_BYTES} characters`);
  let count = 0;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) count++;
  if (count >= MAX_PARAMETERS) throw new RequestError(["bad_data", 413], `more than ${MAX_PARAMETERS} parameters`);
  return new URLSearchParams(text);
}

/** The parameters of a request. */
export class Parameters {
  readonly #sources: readonly URLSearchParams[];

  constructor(sources: readonly URLSearchParams[]) {
    this.#sources = sources;
  }

  /** Returns the first value of a parameter; an empty text without it. */
  text(name: string): string {
    for (const source of this.#sources) if (source.has(name)) return source.get(name)!;
    return "";
  }

  /** Returns all values of a parameter. */
  all(name: string): readonly string[] {
    return this.#sources.flatMap((source) => source.getAll(name));
  }

  /** Returns a time in milliseconds. Throws for one that is not valid, and for a missing one without a `fallback`. */
  time(name: string, fallback: number): number;
  time(name: string, fallback?: number): number | undefined;
  time(name: string, fallback?: number): number | undefined {
    const text = this.text(name);
    if (text === "") return fallback;
    const time = parseTime(text);
    if (time === undefined) throw invalidParameter(name, `cannot parse ${JSON.stringify(text)} to a valid timestamp`);
    return time;
  }

  /** Returns a time that must be given. */
  requiredTime(name: string): number {
    return this.time(name) ?? this.#missing(name, "timestamp");
  }

  /** Returns a duration in milliseconds; undefined without it. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === "") return undefined;
    const duration = parseDuration(text);
    if (duration === undefined)
      throw invalidParameter(name, `cannot parse ${JSON.stringify(text)} to a valid duration`);
    return duration;
  }

  /** Returns a duration that must be given. */
  requiredDuration(name: string): number {
    return this.duration(name) ?? this.#missing(name, "duration");
  }

  /** Returns a whole number from 0 up; Infinity without it, and for 0. */
  count(name: string): number {
    const text = this.text(name);
    if (text === "") return Infinity;
    if (!/^\d{1,15}$/.test(text)) throw invalidParameter(name, `${JSON.stringify(text)} is not a number from 0 up`);
    return Number(text) || Infinity;
  }

  /** Returns a whole number, also below 0; undefined without it. */
  integer(name: string): number | undefined {
    const text = this.text(name);
    if (text === "") return undefined;
    if (!/^[+-]?\d{1,15}$/.test(text)) throw new RequestError(["bad_data", 400], `${name} must be a number`);
    return Number(text);
  }

  #missing(name: string, what: string): never {
    throw invalidParameter(name, `cannot parse "" to a valid ${what}`);
  }
}
