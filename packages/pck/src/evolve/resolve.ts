/** Decodes bytes of one schema as values of another. */
import { type BytesInput, type ElementBudget, optionsObject, refuseUnknown, toBytes } from "moonpack/bytes";
import { type SchemaInput, toModel } from "../document/to-model.js";
import { type ReadStruct, readCounted, unpackMessageWithin } from "../runtime/message.js";
import { countingReader } from "../runtime/reader.js";
import { type CodecOptions, type CodecSettings, checkClasses, codecSettings, SHARED_RULES } from "../settings.js";
import { Converter } from "./execute.js";
import type { Plan, StructPlan } from "./plan.js";
import { fittingPlan } from "./planner.js";

/** Options of {@link resolve}: the options of a codec that concern decoding. */
export type ResolveOptions = Pick<
  CodecOptions,
  "int64" | "maps" | "typedArrays" | "binary" | "maxDepth" | "maxElements" | "absent" | "classes"
>;

/** Decodes bytes of one schema as values of another. Made by {@link resolve}; keep it, since making one takes time. */
export class Resolver<Out> {
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/pck.Resolver");
  }
  /** @internal */
  readonly root: StructPlan;
  /** @internal */
  readonly converter: Converter;
  /** Elements that the writer's root struct counts. */
  readonly #weight: number;
  readonly #read: ReadStruct<Out>;

  /** @internal */
  constructor({ root }: Plan, settings: CodecSettings) {
    this.root = root;
    this.converter = new Converter(settings);
    this.#weight = this.converter.weights.struct(root.from);
    this.#read = (reader, depth) => this.converter.struct(reader, this.root, depth) as Out;
  }

  /**
   * Decodes a whole message of the writer. Throws the errors of the writer's own decoder, as a `DecodeError` with code
   * and offset, and `ERR_UNKNOWN_INDEX` for a name or an arm that the reader lacks and that no default replaces.
   */
  decode(input: BytesInput): Out {
    const { maxDepth, maxElements } = this.converter.settings;
    return readCounted(countingReader(toBytes(input), maxDepth, maxElements), this.#read, this.#weight);
  }

  /** @internal Like `decode`, for a message that shares its element budget with others. */
  decodeWithin(input: BytesInput, budget: ElementBudget): Out {
    const { maxDepth } = this.converter.settings;
    return unpackMessageWithin(maxDepth, this.#read, input, this.#weight, budget);
  }
}

/**
 * Returns a decoder of bytes of the schema `writer` that returns values of the schema `reader`. Fields match by name,
 * else by an old name (`renamed`). Throws `ERR_SCHEMA` for schemas that do not fit; the text names both sides.
 * Throws `ERR_INVALID_ARGUMENT` for an unknown or invalid option.
 *
 * @example
 * const old = resolve(PlayerV1, Player);
 * const player = old.decode(bytesOfV1); // fields that PlayerV1 lacks have their defaults, or are absent
 */
export function resolve<Out, In>(
  writer: SchemaInput,
  reader: SchemaInput<Out, In>,
  options?: ResolveOptions,
): Resolver<Out> {
  if (options !== undefined) refuseUnknown(optionsObject(options), [...Object.keys(SHARED_RULES), "classes"]);
  const settings = codecSettings(options);
  const model = toModel(reader, "reader");
  checkClasses(settings, model);
  return new Resolver<Out>(fittingPlan(toModel(writer, "writer"), model), settings);
}
