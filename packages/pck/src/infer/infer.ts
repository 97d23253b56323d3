import { countOption, invalidArgument, MoonpackError, optionsObject, ownOption, refuseUnknown } from "moonpack/bytes";
import type { SchemaDocument } from "../document/document.js";
import { fromDocument } from "../document/schemas.js";
import { documentFrom } from "./document.js";
import type { SampleObject } from "./draft.js";
import { kindOf, OBJECT } from "./kinds.js";
import { checkNesting } from "./nesting.js";
import { poolsIn } from "./pools.js";
import { type InferProblem, TypeInference } from "./type-inference.js";

/** Ids and counters grow: samples of 1 to 3 do not justify a u8. Numbers below 128 take one byte in a varint, too. */
const DEFAULT_HEADROOM = 1000;

/** Options of {@link infer}. */
export interface InferOptions {
  /** Name of the root struct. Default `"Root"`. */
  readonly name?: string;
  /**
   * How many times the largest sample an integer type holds; one of 32 bits twice at most. 1 is the narrowest type: for
   * samples that are all there is. Default 1,000.
   */
  readonly headroom?: number;
}

/** A schema that was inferred from samples. */
export interface Inferred {
  /** The schema, for `fromDocument`, `codec` and `schemaSource`. */
  readonly document: SchemaDocument;
  /**
   * Places of the samples that the schema cannot hold as they are: values of several types, missing booleans, Dates. Such a
   * field is not in the schema, and a codec leaves it out.
   */
  readonly problems: readonly InferProblem[];
}

/**
 * Infers a PCK schema from samples: values as `JSON.parse` or `decode` return them.
 *
 * - Integers get the type that takes the fewest bytes of those that hold all samples and a thousand times as much: the
 *   option `headroom`. Beyond 32 bits numbers are `f64`, which is exact and decodes as numbers; bigints are 64-bit integers.
 * - A property that is missing or null somewhere is optional. So is one that is empty or 0 in half of the samples.
 * - Text is an enumeration when it has at most 32 values that come 4 times on average.
 * - Objects are a union when a text property determines which properties they have, a map when their keys are data, and
 *   otherwise a struct. Objects of several places with the same properties, of the same kinds, are one struct. Data that
 *   contains itself gives a schema that does.
 * - The field's comment says what the text always is (a date, a UUID).
 *
 * Every sample encodes with `codec(document, { maps: "object" })`, without the fields that problems name, and every sample of
 * JSON is read by `fromJSON(sample, { int64: "any" })`.
 *
 * Throws `ERR_INVALID_ARGUMENT` without samples, `ERR_UNSUPPORTED_TYPE` for a sample that is not an object,
 * `ERR_LIMIT_DEPTH` for samples nested deeper than 512 levels, `ERR_SCHEMA` beyond the limits of a schema.
 *
 * @example
 * const { document, problems } = infer([{ id: 1, name: "Ann" }, { id: 2, name: "Zoe" }], { name: "Person" });
 * const people = codec(document, { maps: "object" });
 */
export function infer(samples: Iterable<unknown>, options?: InferOptions): Inferred {
  if (options !== undefined) refuseUnknown(optionsObject(options), ["name", "headroom"]);
  const name = ownOption(options, "name") ?? "Root";
  if (typeof name !== "string" || name === "") throw invalidArgument("name must be text that is not empty");
  const headroom = countOption("headroom", ownOption(options, "headroom"), DEFAULT_HEADROOM, 1, Infinity);
  if (typeof Object(samples)[Symbol.iterator] !== "function") throw invalidArgument("samples must be iterable");
  const objects = [...samples].map((sample, index) => {
    if (kindOf(sample) === OBJECT) return sample as SampleObject;
    throw new MoonpackError("ERR_UNSUPPORTED_TYPE", `sample ${index} is not a plain object; a PCK message is a struct`);
  });
  if (objects.length === 0) throw invalidArgument("there must be at least one sample");
  checkNesting(objects);
  const alone = new TypeInference(headroom, new Map());
  const first = alone.root(objects, name);
  const pools = poolsIn(first);
  const together = pools.size === 0 ? undefined : new TypeInference(headroom, pools);
  const document = documentFrom(
    together?.root(objects, name) ?? first,
    `Inferred from ${objects.length} sample${objects.length === 1 ? "" : "s"}.`,
  );
  fromDocument(document);
  return { document, problems: (together ?? alone).problems };
}
