/**
 * The settings of a reader: the checked options, and the two features that a bundle includes only on request (reading by
 * shape, the preset `js`).
 */
import type { Limits } from "../../bytes/limits.js";
import type { Engine } from "../engine.js";
import type { ExtensionTable } from "../extension-table.js";
import type { ReaderState } from "./reader-state.js";

/** Options of a decoder, checked and complete. */
export interface DecoderSettings extends Required<Limits> {
  readonly utf8: "strict" | "replace";
  readonly maps: "auto" | "object" | "map";
  readonly int64: "auto" | "bigint" | "number";
  readonly timestamps: "auto" | "date" | "timestamp";
  readonly binary: "copy" | "view" | "buffer";
  readonly unknownExtensions: "throw" | "keep";
  readonly strict: boolean;
  readonly extensions: ExtensionTable;
  /** The preset `js`, if it was chosen. */
  readonly js: JsExtensions | null;
  /** Creates the readers of hot shapes; null: no code is generated. */
  readonly shapes: ShapeFactory | null;
  /** The engine, if one was chosen. */
  readonly engine: Engine | null;
  /** True if all objects of one shape must get one hidden class; see objects.ts. Only V8 needs code for this. */
  readonly keepsClasses: boolean;
}

/** The reading side of the preset `js`; see fidelity/read.ts. */
export interface JsExtensions {
  /** True for the extension types of the preset. */
  owns(type: number): boolean;
  /** True if regular expressions are read, which compiles them. */
  readonly regExps: boolean;
  /** Reads the extension whose header starts at `start` and whose data are `from..to`. All bytes are present. */
  read(reader: ReaderState, type: number, start: number, from: number, to: number): unknown;
  /** As readOnStack (stack.ts); opens the extensions of the preset too. */
  readOnStack(reader: ReaderState, start: number, frames: object[]): unknown;
}

/** Reading by shape, as `moonpack/msgpack/features` exports it: for the option `codeGeneration`. */
export type ShapeSupport = (inParts: boolean) => object;

/** {@link ShapeSupport} with the internal type: creates a {@link ShapeReading}. `inParts`: its input may end inside a message. */
export type ShapeFactory = (inParts: boolean) => ShapeReading;

/** Reads the maps of one decoder that have a generated reader; see shapes/table.ts. */
export interface ShapeReading {
  /** Objects read by a generated reader. */
  readonly hits: number;
  /** Objects that a generated reader started but that had other keys. */
  readonly misses: number;
  /** Readers generated so far. */
  readonly compiled: number;
  /** Reads a map of `n` keys, n > 0, whose header has been read. `reserved`: see MessageReader. */
  readMap(reader: ReaderState, n: number, reserved: number): unknown;
  /** Creates the reader that generated readers need: the only way to get it in pages. */
  createReader(settings: DecoderSettings): ReaderState;
  /** Counts an object of `n` keys that was read without a generated reader. `hash`: of its list of keys. */
  count(object: Record<string, unknown>, n: number, hash: number): void;
}
