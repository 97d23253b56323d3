/** Reads the bytes of one schema as values of another. */
import { type BytesInput, toBytes } from "../../bytes/input.js";
import { isStackOverflow } from "../../bytes/limits.js";
import { expectEnd, PackReader, refused } from "../../bytes/pack-reader.js";
import { type CodecOptions, type CodecSettings, checkClasses, codecSettings } from "../codec/settings.js";
import { type SchemaInput, toModel } from "../to-model.js";
import { Converter } from "./execute.js";
import type { Plan, StructPlan } from "./plan.js";
import { fittingPlan } from "./planner.js";

/** Options of {@link resolve}: how values are read. */
export type ResolveOptions = Pick<CodecOptions, "int64" | "maps" | "typedArrays" | "binary" | "maxDepth" | "classes">;

/** Decodes the bytes of one schema as values of another. Made by {@link resolve}; may be kept and used from everywhere. */
export class Resolver<Out> {
  readonly #root: StructPlan;
  readonly #converter: Converter;

  /** @internal */
  constructor({ root }: Plan, settings: CodecSettings) {
    this.#root = root;
    this.#converter = new Converter(settings);
  }

  /**
   * The value of a whole message of the writer's. Every failure is a `DecodeError` with code and offset: those of the writer's
   * own decoder, and `ERR_UNKNOWN_INDEX` for a name or an arm that the reader has not and no default stands for.
   */
  decode(input: BytesInput): Out {
    const converter = this.#converter;
    const reader = new PackReader(toBytes(input), 0, converter.settings.maxDepth);
    let value: unknown;
    try {
      value = converter.struct(reader, this.#root, 1);
    } catch (error) {
      if (isStackOverflow(error)) throw refused("ERR_LIMIT_DEPTH", "the call stack is exhausted", reader.pos);
      throw error;
    }
    expectEnd(reader);
    return value as Out;
  }
}

/**
 * A decoder of bytes that `writer` wrote, for the values of `reader`. Fields match by name, else by an old one (`renamed`).
 * `ERR_SCHEMA`, whatever the bytes, for two schemas of which one cannot be read as the other; the text names both sides.
 *
 * @example
 * const old = resolve(PlayerV1, Player);
 * const player = old.decode(bytesOfV1); // what Player has and PlayerV1 had not is its default, or absent
 */
export function resolve<Out, In>(
  writer: SchemaInput,
  reader: SchemaInput<Out, In>,
  options?: ResolveOptions,
): Resolver<Out> {
  const settings = codecSettings(options);
  const model = toModel(reader);
  checkClasses(settings, model);
  return new Resolver<Out>(fittingPlan(toModel(writer), model), settings);
}
