/** Annotated dumps of PCK messages and containers, valid or broken, for people. Not a hot path. */
import {
  type BytesInput,
  DecodeError,
  type Frame,
  flagOption,
  MoonpackError,
  optionsObject,
  ownOption,
  readFrame,
  refuseUnknown,
  toBytes,
  truncated,
} from "moonpack/bytes";
import { areEqual, type ContainerHead, FINGERPRINT_BYTES, headOf, MAGIC } from "../container/head.js";
import { frameLimit } from "../container/options.js";
import { fingerprintOf } from "../document/fingerprint.js";
import { type SchemaInput, toModel } from "../document/to-model.js";
import { countingReader } from "../runtime/reader.js";
import { type CodecSettings, codecSettings } from "../settings.js";
import { counted, type Diagnosis, hex } from "./item.js";
import { titleOf, walkMessage } from "./walk.js";

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** The message is framed: it begins with the fingerprint of its schema. Default false. */
  readonly framed?: boolean;
  /** Limit of nested structs and containers; the root is level 1. Default 512, at most 4,096. */
  readonly maxDepth?: number;
}

/** Options of {@link diagnoseContainer}. */
export interface DiagnoseContainerOptions {
  /** Limit of nested structs and containers; the root is level 1. Default 512, at most 4,096. */
  readonly maxDepth?: number;
  /** Limit of the bytes of one value. Default 64 MiB. */
  readonly maxFrameBytes?: number;
}

const ROOT = { path: "$", depth: 0, role: "value" } as const;

/**
 * Walks a message and yields each item with its position, type and meaning. For a broken message, the last item carries
 * the error that `decode` throws. Never throws for invalid bytes; the work is linear in the bytes.
 *
 * @example
 * for (const item of diagnose(bytes, Player)) console.log(item.offset, item.path, item.format, item.meaning);
 * // 0 $ struct Player / 0 $.jumping bool bit 0 true / 1 $.attributes struct Attributes / 1 $.attributes.str u8 100 ..
 */
export function* diagnose(
  input: BytesInput,
  schema: SchemaInput,
  options?: DiagnoseOptions,
): Generator<Diagnosis, void, undefined> {
  const settings = settingsOf(options, "framed");
  const isFramed = flagOption("framed", ownOption(options, "framed"), false);
  const model = toModel(schema);
  const bytes = toBytes(input);
  const before = isFramed ? FINGERPRINT_BYTES : 0;
  const fault = isFramed ? frameFault(bytes, fingerprintOf(model)) : null;
  if (fault !== null) return yield broken(fault, bytes.length);
  const reader = countingReader(bytes.subarray(before), settings.maxDepth, Infinity);
  const format = isFramed ? "framed struct" : "struct";
  yield* walkMessage(reader, model.root, settings, {
    ...ROOT,
    base: before,
    before,
    format,
    meaning: titleOf(model.root),
  });
}

/**
 * Works like {@link diagnose}, for a whole container. The items of the head come first: `$` is the container, `$(schema)` the
 * schema document, `$(fingerprint)` the fingerprint. The values are `$[0]`, `$[1]`, ..
 */
export function* diagnoseContainer(
  input: BytesInput,
  options?: DiagnoseContainerOptions,
): Generator<Diagnosis, void, undefined> {
  const settings = settingsOf(options, "maxFrameBytes");
  const maxFrameBytes = frameLimit(ownOption(options, "maxFrameBytes"));
  const bytes = toBytes(input);
  let head: ContainerHead;
  try {
    head = headOf(bytes);
  } catch (error) {
    const fault = withOffset(error);
    if (fault.offset > 0)
      yield { ...ROOT, offset: 0, end: fault.offset, format: "container", meaning: "its beginning" };
    return yield broken(fault, bytes.length);
  }
  const { root, structs } = toModel(head.schema);
  yield* headItems(head, titleOf(root), structs.length);
  let offset = head.size;
  for (let i = 0; offset < bytes.length; i++) {
    let found: Frame;
    try {
      found = readFrame(bytes, offset, { maxFrameBytes });
    } catch (error) {
      return yield broken(withOffset(error), bytes.length);
    }
    const { start, end } = found;
    const reader = countingReader(bytes.subarray(start, end), settings.maxDepth, Infinity);
    const meaning = `${titleOf(root)} of ${counted(end - start, "byte")}`;
    const frame = { base: start, path: `$[${i}]`, depth: 1, before: start - offset, format: "value", meaning };
    for (const item of walkMessage(reader, root, settings, frame)) {
      yield item;
      if (item.error !== undefined) return;
    }
    offset = end;
  }
}

function* headItems({ fingerprint, size }: ContainerHead, title: string, structs: number): Generator<Diagnosis> {
  const at = MAGIC.length;
  const end = size - FINGERPRINT_BYTES;
  const inside = { depth: 1, role: "value" } as const;
  yield { ...ROOT, offset: 0, end: at, format: "container", meaning: `version 1, of ${title}` };
  const meaning = `document of ${counted(structs, "struct")}`;
  yield { ...inside, path: "$(schema)", offset: at, end, format: "schema", meaning };
  yield { ...inside, path: "$(fingerprint)", offset: end, end: size, format: "fingerprint", meaning: hex(fingerprint) };
}

/** Returns the settings for reading. Throws `ERR_INVALID_ARGUMENT` for an option that is not `maxDepth` or `other`. */
function settingsOf(options: object | undefined, other: string): CodecSettings {
  refuseUnknown(optionsObject(options), ["maxDepth", other]);
  const maxDepth = ownOption(options, "maxDepth") as number;
  return { ...codecSettings({ maxDepth }), binary: "view" };
}

/** Returns the error of the fingerprint that a framed message begins with; null if it is right. */
function frameFault(bytes: Uint8Array, print: Uint8Array): DecodeError | null {
  const missing = FINGERPRINT_BYTES - bytes.length;
  if (missing > 0) return truncated(0, missing);
  const given = bytes.subarray(0, FINGERPRINT_BYTES);
  return areEqual(print, given)
    ? null
    : new DecodeError("ERR_FINGERPRINT", `the fingerprint is ${hex(given)}, the schema's ${hex(print)}`, 0);
}

/** Returns an error with an offset. An invalid schema document gets the document's. */
function withOffset(error: unknown): DecodeError {
  if (error instanceof DecodeError) return error;
  if (error instanceof MoonpackError) return new DecodeError(error.code, error.message, MAGIC.length, 0, error.cause);
  throw error;
}

function broken(error: DecodeError, end: number): Diagnosis {
  return { ...ROOT, offset: error.offset, end, format: "broken", meaning: error.message, error };
}
