/** The options that all servers share, and checks of other arguments. */
import {
  choiceOption,
  countOption,
  describe,
  flagOption,
  invalidArgument,
  ownOptions,
  refuseUnknown,
} from "moonpack/bytes";
import type { RequestError } from "../errors.js";
import type { MsgpackFormat } from "../formats/msgpack.js";
import type { PckFormat } from "../formats/pck-format.js";
import { type BodyPicker, checkPicker } from "./picked.js";

/** Options of `bodies`, the same for all frameworks. */
export interface BodiesOptions {
  /** MessagePack with options, from `msgpack`. */
  readonly msgpack?: MsgpackFormat;
  /** The most bytes of a body with one value, and of each value in a stream: status 413. Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * The format of the answer for a client that accepts any, as `fetch` does by default. Default `"msgpack"`. With `"json"`, an
   * interface with JSON clients gets MessagePack clients too, and nothing changes for the others.
   */
  readonly fallback?: "msgpack" | "json";
  /** Whether JSON is read and written too. Default true. */
  readonly json?: boolean;
  /**
   * Called with each error that is answered with a problem document, for logs. Default: prints the cause of status 500 with
   * `console.error`. Its own errors and rejections are printed too: the client has its answer.
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

/** Options of a call that reads the one value of a body. */
export interface ReadValueOptions<Out = unknown> extends ReadOptions<Out> {
  /**
   * A Picker of `moonpack/pick`, which reads only some values of the body and skips the rest: not with `pck`. It has its own options of a
   * decoder. A body in JSON is picked from as MessagePack.
   */
  readonly pick?: BodyPicker<Out>;
}

/** Options of a call that sends a value. */
export interface SendOptions<In = unknown> {
  /** The schema of the value: PCK is offered to clients that name it, and JSON is the schema's JSON form. */
  readonly pck?: PckFormat<unknown, In>;
}

/** Options of a call that sends a stream. */
export interface SendStreamOptions<In = unknown> extends SendOptions<In> {
  /**
   * Sends the head immediately. By default it is sent with the first value, so that an error before it can still be answered with a
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

/** Reads the options of `bodies`. Throws `ERR_INVALID_ARGUMENT`. */
export function readSettings(options: BodiesOptions | undefined): Settings {
  const given = ownOptions(options);
  refuseUnknown(given, ["msgpack", "maxBytes", "fallback", "json", "onError"]);
  const { msgpack, onError = printCause } = given;
  const json = flagOption("json", given.json, true);
  if (msgpack !== undefined && msgpack?.kind !== "msgpack") throw invalidArgument("msgpack must come from msgpack()");
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

/** Checks the options of a call that reads a body. Throws `ERR_INVALID_ARGUMENT`. */
export function checkReadOptions<Out>(
  settings: Settings,
  options: ReadValueOptions<Out> | undefined,
  isStream = false,
) {
  const given = ownOptions(options);
  refuseUnknown(given, ["pck", "maxBytes", ...(isStream ? [] : ["pick"])]);
  const { pck, pick, maxBytes } = given;
  checkPck(pck);
  checkPicker(pick, pck);
  return { pck, pick, maxBytes: countOption("maxBytes", maxBytes, settings.maxBytes, 1, Infinity) };
}

/** Checks the options of a call that sends a value. Throws `ERR_INVALID_ARGUMENT`. */
export function checkSendOptions<In>(options: SendOptions<In> | undefined): SendOptions<In> {
  const given = ownOptions(options);
  refuseUnknown(given, ["pck"]);
  checkPck(given.pck);
  return given;
}

/** Checks the options of a call that sends a stream. Throws `ERR_INVALID_ARGUMENT`. */
export function checkSendStreamOptions<In>(options: SendStreamOptions<In> | undefined) {
  const given = ownOptions(options);
  refuseUnknown(given, ["pck", "early"]);
  checkPck(given.pck);
  return { pck: given.pck, early: flagOption("early", given.early, false) };
}

/** Throws `ERR_INVALID_ARGUMENT` for a value that is not a format of PCK, such as a schema. */
function checkPck(pck: { readonly kind: string } | undefined): void {
  if (pck !== undefined && pck?.kind !== "pck") throw invalidArgument("pck must come from pck() or pckOf()");
}

/** Throws `ERR_INVALID_ARGUMENT` for an argument without a member that all of its kind have. */
export function checkArgument(value: unknown, member: string, what: string): void {
  if (typeof value === "object" && value !== null && member in value) return;
  throw invalidArgument(`expected ${what}, not ${describe(value)}`);
}
