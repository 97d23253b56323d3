/** The options that all servers share. */

import { choiceOption, countOption, flagOption, invalidArgument, ownOptions } from "moonpack/bytes";
import type { RequestError } from "../errors.js";
import type { MsgpackFormat } from "../formats/msgpack.js";
import type { PckFormat } from "../formats/pck-format.js";

/** Options of `bodies`, the same for all frameworks. */
export interface BodiesOptions {
  /** MessagePack with options, from `msgpack`. */
  readonly msgpack?: MsgpackFormat;
  /** The most bytes of a body with one value, and of each value in a stream: status 413. Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * The format of the answer for a client that accepts any, as `fetch` does unless it is told otherwise. Default `"msgpack"`. With
   * `"json"`, an interface that has clients of JSON gets clients of MessagePack too, and the others notice nothing.
   */
  readonly fallback?: "msgpack" | "json";
  /** Whether JSON is read and written too. Default true. */
  readonly json?: boolean;
  /**
   * Called with each error that is answered with a problem document, for logs. Default: prints the cause of status 500 with
   * `console.error`. What it throws, or rejects with, is printed, too: the client has its answer.
   */
  readonly onError?: (error: RequestError) => void;
}

/** Options of a call that reads a body. */
export interface ReadOptions<Out = unknown> {
  /** The schema of the body: PCK is read too, and a body in MessagePack or JSON is checked against the schema. */
  readonly pck?: PckFormat<Out, never>;
  /** As in {@link BodiesOptions}, for this call. */
  readonly maxBytes?: number;
}

/** Options of a call that sends a value. */
export interface SendOptions<In = unknown> {
  /** The schema of the value: PCK is offered to those who ask for it, and JSON is the schema's JSON form. */
  readonly pck?: PckFormat<unknown, In>;
}

/** Options of a call that sends a stream. */
export interface SendStreamOptions<In = unknown> extends SendOptions<In> {
  /**
   * Sends the head at once. By default it is sent with the first value, so that an error before it can still be answered with a
   * status.
   */
  readonly early?: boolean;
}

/** The options, checked. */
export interface Settings {
  readonly msgpack: MsgpackFormat | undefined;
  readonly maxBytes: number;
  readonly isJsonFirst: boolean;
  readonly json: boolean;
  readonly onError: (error: RequestError) => void;
}

const DEFAULT_MAX_BYTES = 1 << 20;

/** Reads the options of `bodies`. `ERR_INVALID_ARGUMENT` for an invalid one. */
export function readSettings(options: BodiesOptions | undefined): Settings {
  const given = ownOptions(options);
  const { msgpack, onError = printCause } = given;
  const json = flagOption("json", given.json, true);
  if (msgpack !== undefined && msgpack.kind !== "msgpack") throw invalidArgument("msgpack must come from msgpack()");
  if (typeof onError !== "function") throw invalidArgument("onError must be a function");
  const isJsonFirst = choiceOption("fallback", given.fallback, ["msgpack", "json"]) === "json";
  if (isJsonFirst && !json) throw invalidArgument('fallback "json" needs json');
  return {
    msgpack,
    maxBytes: countOption("maxBytes", given.maxBytes, DEFAULT_MAX_BYTES, 1, Infinity),
    isJsonFirst,
    json,
    onError: (error) => void noted(onError, error),
  };
}

async function noted(onError: (error: RequestError) => unknown, error: RequestError): Promise<void> {
  try {
    await onError(error);
  } catch (thrown) {
    console.error(thrown);
  }
}

function printCause({ status, cause }: RequestError): void {
  if (status === 500) console.error(cause);
}

/** The options of a call that reads, checked. */
export function readCall<Out>(settings: Settings, options: ReadOptions<Out> | undefined) {
  const { pck, maxBytes } = ownOptions(options);
  checkPck(pck);
  return { pck, maxBytes: countOption("maxBytes", maxBytes, settings.maxBytes, 1, Infinity) };
}

/** `ERR_INVALID_ARGUMENT` for a format that is not PCK: a schema itself, say. */
export function checkPck(pck: { readonly kind: string } | undefined): void {
  if (pck !== undefined && pck.kind !== "pck") throw invalidArgument("pck must come from pck() or pckOf()");
}
