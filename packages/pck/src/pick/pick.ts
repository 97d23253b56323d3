/** Pickers: they decode only some fields of messages. */
import {
  type BytesInput,
  choiceOption,
  describe,
  invalidArgument,
  isFarIndex,
  isInstance,
  optionsObject,
  ownOption,
  recordOf,
  refuseUnknown,
} from "moonpack/bytes";
import { compileFunction, defaultGenerator } from "#engine";
import { Codec } from "../codec.js";
import { toModel } from "../document/to-model.js";
import type { StructPlan } from "../evolve/plan.js";
import type { Resolver } from "../evolve/resolve.js";
import type { ConversionCompiler } from "../evolve/steps.js";
import { PackMessages, type ReadStruct, unpackMessage, unpackMessageInPlace } from "../runtime/message.js";
import type { Out } from "../runtime/take.js";
import type { AnySchema } from "../schema/schema.js";
import type { CodecSettings } from "../settings.js";
import { CodecSource } from "./codec-source.js";
import { PickCompiler } from "./compile.js";
import { generatedWalk } from "./generate.js";
import { stepsOf } from "./paths.js";
import { PathTree } from "./tree.js";
import type { Paths, Picked } from "./types.js";
import { type Items, type Walk, walkOf } from "./walk.js";

/** Options of {@link pick}. */
export interface PickOptions {
  /**
   * `check` (default): the whole message is walked, so that truncated messages and bytes after the message are errors, as in
   * `decode`. `ignore`: the walk ends behind the last wanted field, and later bytes may be missing.
   */
  readonly rest?: "check" | "ignore";
}

/** What {@link pick} reads messages as: a codec, or the result of `resolve`. */
export type PickInput<Out = unknown> = Codec<Out, never> | Resolver<Out>;

/** Decodes some fields of messages. Made by {@link pick}; keep it, since making one takes time. */
export class Picker<Result> {
  readonly #messages: PackMessages;
  readonly #read: ReadStruct<Result>;
  readonly #decode: typeof unpackMessage;

  /** @internal */
  constructor(settings: CodecSettings, read: ReadStruct<Result>) {
    this.#messages = new PackMessages(settings.maxDepth, settings.maxElements);
    this.#read = read;
    this.#decode = settings.binary === "view" ? unpackMessageInPlace : unpackMessage;
  }

  /**
   * Returns the picked values of one message. All are there: undefined stands for a field of an absent struct, or of another arm of
   * a union. Throws the errors of the codec's `decode`, but skipped parts are checked for structure only.
   */
  decode(input: BytesInput): Result {
    // The result counts one element.
    return this.#decode(this.#messages, this.#read, input, 1);
  }
}

/**
 * Returns a decoder of some fields, which skips the others. `paths`: a path, a list of paths or an object of paths, for a value, a
 * list or an object. Throws `ERR_INVALID_ARGUMENT` for a path that the schema does not have, and for a wrong option.
 *
 * @example
 * const routes = pick(codec(Order), { id: "id", tenant: "header.tenant", skus: "items.*.sku" });
 * routes.decode(bytes); // { id: 7, tenant: "eu", skus: ["A1", "B2"] }
 */
export function pick<T, const P extends Paths>(
  input: PickInput<T>,
  paths: P,
  options?: PickOptions,
): Picker<Picked<T, P>> {
  const given = optionsObject(options);
  refuseUnknown(given, ["rest"]);
  const ignoresRest = choiceOption("rest", ownOption(given, "rest"), ["check", "ignore"]) === "ignore";
  const { plan, source } = sourceOf(input);
  const { settings } = source;
  const { entries, create } = resultOf(paths);
  const tree = new PathTree();
  for (const [key, path] of entries) tree.add(stepsOf(plan.to, path), key);
  const walk = new PickCompiler(source, walkerOf(settings)).struct(plan, tree, ignoresRest);
  const isOne = typeof paths === "string";
  return new Picker(settings, (r, depth) => {
    const out = create();
    walk(r, depth, out);
    if (ignoresRest) r.pos = r.end;
    return (isOne ? out[0] : out) as Picked<T, P>;
  });
}

/** Returns the plan of an input, and what reads its values. */
function sourceOf(input: PickInput): { readonly plan: StructPlan; readonly source: ConversionCompiler } {
  const schema = input instanceof Codec ? schemaOf(input) : undefined;
  if (schema !== undefined) {
    const source = new CodecSource((input as Codec<unknown, never>).settings);
    return { plan: source.plan(toModel(schema).root), source };
  }
  if (isResolver(input)) return { plan: input.root, source: input.converter };
  throw invalidArgument(`a codec or a resolver is needed, not ${describe(input)}`);
}

/** Returns the schema of a codec; undefined for a copy of its properties, and for an object that inherits from it. */
function schemaOf(codec: Codec<unknown, never>): AnySchema | undefined {
  try {
    return codec.schema;
  } catch {
    return undefined;
  }
}

/** True for a resolver. It is known by its brand: pages without one do without its code. */
function isResolver(input: unknown): input is Resolver<unknown> {
  const isOurs = isInstance({ prototype: {}, brand: Symbol.for("@moonpack/pck.Resolver") }, input);
  return isOurs && Object.hasOwn(input as object, "root");
}

/** Walks are generated where codecs are. */
function walkerOf({ generator }: CodecSettings): (items: Items) => Walk {
  const generates = compileFunction !== null && (generator === undefined ? defaultGenerator : generator) !== null;
  return generates ? generatedWalk : walkOf;
}

/** Where the value of each path goes, and a function that creates the result. */
interface ResultShape {
  readonly entries: readonly (readonly [string | number, unknown])[];
  readonly create: () => Out;
}

function resultOf(paths: unknown): ResultShape {
  const list = typeof paths === "string" ? [paths] : paths;
  if (Array.isArray(list)) {
    const empty = list.map(() => undefined);
    return { entries: [...list.entries()], create: () => empty.slice() as unknown as Out };
  }
  if (typeof paths !== "object" || paths === null)
    throw invalidArgument("paths must be a path, a list of paths or an object of paths");
  const entries = Object.entries(paths);
  const names = entries.map(([name]) => [name, undefined] as const);
  // A name such as "1023" needs an object of its kind each time; others are copied, which is faster.
  const isPlain = !names.some(([name]) => isFarIndex(name));
  const empty = recordOf(names);
  return { entries, create: isPlain ? () => ({ ...empty }) : () => recordOf(names) };
}
