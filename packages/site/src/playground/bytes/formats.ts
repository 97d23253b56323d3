// The formats that bytes may have, and how their items are read.

import { diagnoseContainer } from "@moonpack/pck";
import { type Diagnosis, diagnose } from "moonpack";
import { looksLikeMessage } from "./protobuf-guess.ts";
import { protobufItems } from "./protobuf-items.ts";

/** The formats by their names in addresses and messages. */
export const FORMATS = {
  msgpack: "MessagePack",
  pck: "PCK container",
  protobuf: "Protobuf without its schema",
} as const;

/** A format. */
export type Format = keyof typeof FORMATS;

/** How items are read. */
export interface ItemSettings {
  /** MessagePack: several messages follow each other. */
  readonly sequence: boolean;
  /** Containers inside each other that are accepted. */
  readonly maxDepth: number;
}

const MAGIC = [0x50, 0x43, 0x4b, 0x01];
/** Bytes of MessagePack that are looked at before it is taken for Protobuf. */
const LOOKED_AT = 200;

/**
 * Guesses the format of bytes. PCK begins with its own bytes. Bytes are Protobuf if they fail early as MessagePack, and are Protobuf
 * fields to their end. All others are MessagePack.
 */
export function detectFormat(bytes: Uint8Array): Format {
  if (MAGIC.every((byte, index) => bytes[index] === byte)) return "pck";
  return bytes.length > 0 && breaksEarly(bytes) && looksLikeMessage(bytes) ? "protobuf" : "msgpack";
}

function breaksEarly(bytes: Uint8Array): boolean {
  let count = 0;
  for (const { error, format } of diagnose(bytes)) {
    if (error !== undefined && format === "broken") return true;
    if (++count === LOOKED_AT) return false;
  }
  return false;
}

/** The items of bytes in a format, one by one. */
export function itemsOf(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  { sequence, maxDepth }: ItemSettings,
): Generator<Diagnosis, void, undefined> {
  if (format === "pck") return diagnoseContainer(bytes, { maxDepth }) as Generator<Diagnosis, void, undefined>;
  return format === "protobuf" ? protobufItems(bytes) : diagnose(bytes, { sequence, maxDepth });
}
