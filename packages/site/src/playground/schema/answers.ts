// Answers of the worker of the second tab.

import type { InferProblem } from "@moonpack/pck/infer";
import type { Changes } from "./changes.ts";
import type { SchemaForm } from "./form.ts";
import type { SourceFault } from "./read-schema.ts";

/** Where samples come from. */
export type SampleSource =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly file: File };

/** The schemas or the errors of a text. */
export interface Look {
  readonly form: SchemaForm;
  /** The names of its schemas. */
  readonly names: readonly string[];
  /** The chosen one's place among them; -1 without schemas. */
  readonly chosen: number;
  readonly faults: readonly SourceFault[];
  readonly note: string;
  /** The fingerprint of the chosen schema in hexadecimal digits; "" without one. */
  readonly fingerprint: string;
}

/** A file of code. */
export interface MadeFile {
  readonly path: string;
  /** All of its text, or the beginning of a long one. */
  readonly text: string;
  /** How many characters there are. */
  readonly length: number;
  /** All of it, if that is more than `text`. */
  readonly whole: Blob | undefined;
}

/** Code that was made. */
export interface Emission {
  readonly files: readonly MadeFile[];
  /** Why nothing was emitted; "" otherwise. */
  readonly fault: string;
}

/** A comparison, or the error of the older text. */
export interface Comparison {
  readonly changes: Changes | undefined;
  readonly faults: readonly SourceFault[];
}

/** How many samples were read. */
export interface SampleCount {
  readonly count: number;
  /** The number of used samples, the first ones. */
  readonly kept: number;
  /** The schema of a container, as a module in TypeScript; "" for other samples. */
  readonly schema: string;
}

/** Samples in another format. */
export interface Conversion {
  /** Undefined if a sample does not fit the schema. */
  readonly file: Blob | undefined;
  /** The sample, and why it does not fit; "" if all do. */
  readonly fault: string;
}

/** A schema that was inferred. */
export interface Inference {
  /** As a module in TypeScript. */
  readonly text: string;
  readonly problems: readonly InferProblem[];
}
