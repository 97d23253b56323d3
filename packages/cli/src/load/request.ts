/** The options of `moonpack load` for HTTP: what each request is. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import type { HttpTargetOptions } from "@moonpack/load/targets";
import { describeError } from "../shared/failure.js";
import { badOption } from "./arguments.js";

/** The options of a request, and those that a request may not use. */
export interface RequestArguments {
  readonly method?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly scenario?: "get" | "set" | "mixed";
  readonly payload?: number | string;
  readonly codec?: "json" | "msgpack" | "pck";
  readonly keys?: number;
  readonly distribution?: string;
}

/** True if the argument names a server of HTTP. */
export function isHttp(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Returns the options of the target for the requests. Throws for options that the requests do not use. */
export function requestOf(text: string, options: RequestArguments): Omit<HttpTargetOptions, "url"> {
  const { method, header, body, scenario = "get" } = options;
  if (!isHttp(text)) {
    const stray = firstGiven({ "--method": method, "--header": header, "--body": body });
    if (stray !== undefined) throw badOption(`${stray} needs a target that is http:// or https://`);
    return {};
  }
  if (scenario === "get") refuseUnused(text, options);
  if (scenario === "mixed" && method !== undefined)
    throw badOption("--method needs one kind of operations, but --scenario mixed has two");
  if (scenario !== "get" && body !== undefined)
    throw badOption(`--body is the same for each request, but --scenario ${scenario} sends values: use --payload`);
  checkHeaders(header ?? {});
  const verb = method?.toUpperCase();
  return {
    ...(verb !== undefined && (scenario === "set" ? { setMethod: verb } : { method: verb })),
    ...(verb !== undefined && verb !== "GET" && { name: `${verb} ${text}` }),
    ...(header !== undefined && { headers: header }),
    ...(body !== undefined && { body }),
  };
}

/** Throws for values and keys that no request has. */
function refuseUnused(text: string, { payload, codec, keys, distribution }: RequestArguments): void {
  const value = firstGiven({ "--payload": payload, "--codec": codec });
  if (value !== undefined) throw badOption(`${value} needs --scenario set or mixed: other requests send --body`);
  const key = firstGiven({ "--keys": keys, "--distribution": distribution });
  if (key !== undefined && !/\{key\}|%7Bkey%7D/i.test(text))
    throw badOption(`${key} needs {key} in the URL, such as http://127.0.0.1:3000/items/{key}`);
}

/** Returns the first option that is given. */
function firstGiven(options: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(options).find((name) => options[name] !== undefined);
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw badOption(`--header ${name}: ${describeError(error)}`);
    }
  }
}
