/**
 * Skips values. Only their structure is checked: counts, bits, depth, and that their bytes are there. A case that a step
 * does not take is read by the decoder, which throws its own error, or reads what is fine.
 */
import type { Get } from "../closures/closure.js";
import { RECURSIVE_DEPTH, runTask } from "../closures/trampoline.js";
import {
  isInBits,
  isWide,
  knownBytesOf,
  type ListNode,
  type MapNode,
  minBytesOf,
  type Node,
  type Struct,
  type UnionNode,
} from "../model/model.js";
import { type SkipAt, skipIndex, skipText, skipTexts, skipUvar, skipUvar64, skipVarints } from "../runtime/picks.js";
import { bitAt, checkDepth, type PackReader, readBits, readCount, readFlag, readIndex } from "../runtime/reader.js";
import type { Out } from "../runtime/take.js";
import { BIT, type Skip, skipDeep } from "./skip-deep.js";
import { BY_STEP, COUNTED, type Items, type Leaf, type Step, VARINT, type Walk } from "./walk.js";

/** Skips `count` elements. */
type SkipEach = (r: PackReader, depth: number, count: number) => void;

/** A field that is skipped; `bit`: the number of its presence bit, -1 for a required field. */
export interface SkippedField {
  readonly type: Node;
  readonly bit: number;
}

/** Structs nested deeper than this are not measured. */
const MAX_LEVELS = 500;
/** Skips write nothing. */
const NOTHING: Out = /* @__PURE__ */ Object.freeze({});

/** Compiles the skips of types. */
export class SkipCompiler {
  /** Returns the decoder of a type. */
  readonly #decoder: (type: Node) => Get;
  readonly #walkOf: (items: Items) => Walk;
  readonly #structs = new Map<Struct, Walk>();
  /** See {@link #levels}, by struct. */
  readonly #depths = new Map<Struct, number>();

  /** `walkOf` compiles the walk over a struct. */
  constructor(decoder: (type: Node) => Get, walkOf: (items: Items) => Walk) {
    this.#decoder = decoder;
    this.#walkOf = walkOf;
  }

  /** Returns a walk over the fields of a struct: those that are skipped, leaves, and steps for the others. */
  walk(bits: number, fields: readonly (SkippedField | Leaf | Step)[]): Walk {
    const codes: number[] = [];
    const presence: number[] = [];
    const steps: Step[] = [];
    const leaves: (Leaf | undefined)[] = [];
    const add = (code: number, bit: number, step: Step, leaf?: Leaf) => {
      codes.push(code);
      presence.push(bit);
      steps.push(step);
      leaves.push(leaf);
    };
    /** Required fields of known size, which are one item. */
    let block: Node[] = [];
    let size = 0;
    const close = () => {
      if (block.length > 0) add(size, -1, this.#block(block));
      block = [];
      size = 0;
    };
    for (const field of fields) {
      if (isSkipped(field)) {
        const { type, bit } = field;
        const code = this.#code(type);
        if (bit >= 0 || code <= 0) {
          close();
          add(code, bit, this.skip(type));
          continue;
        }
        block.push(type);
        size += code;
      } else {
        close();
        if (typeof field === "function") add(BY_STEP, -1, field);
        else add(BY_STEP, -1, leafStep(field), field);
      }
    }
    close();
    return this.#walkOf({ bits, codes, presence, steps, leaves });
  }

  /** Returns a walk that skips a struct. */
  struct(struct: Struct): Walk {
    const known = this.#structs.get(struct);
    if (known !== undefined) return known;
    const fields = struct.ordered.filter(({ type }) => type.kind !== "bool");
    let bit = 0;
    const walk = this.walk(
      struct.optionals.length + struct.bools.length,
      fields.map(({ type, isOptional }) => ({ type, bit: isOptional ? bit++ : -1 })),
    );
    this.#structs.set(struct, walk);
    return walk;
  }

  /** Returns the skip of a type: as a field, an element or a map's value. */
  skip(type: Node): Skip {
    if (type.kind !== "bool" && knownBytesOf(type) >= 0) return this.#block([type]);
    switch (type.kind) {
      case "utf8":
      case "ascii":
      case "bytes":
        return skipCounted;
      case "ref":
        return this.#ref(type.struct);
      case "union":
        return this.#union(type);
      case "array":
        return this.#array(type);
      case "map":
        return this.#map(type);
      case "nullable": {
        const skip = this.skip(type.value);
        return (r, depth) => {
          if (readFlag(r)) skip(r, depth);
        };
      }
      case "bool":
        return readFlag;
      default:
        return byPosition(varintSkip(type));
    }
  }

  /** Returns the skip of values of known size, one after the other. */
  #block(types: readonly Node[]): Skip {
    const size = types.reduce((sum, type) => sum + knownBytesOf(type), 0);
    const levels = types.reduce((most, type) => Math.max(most, this.#levels(type, 0)), 0);
    let decoders: readonly Get[] | undefined;
    return (r, depth) => {
      if (size <= r.end - r.pos && (levels === 0 || depth + levels <= r.maxDepth)) r.pos += size;
      else for (const get of (decoders ??= types.map(this.#decoder))) get(r, depth);
    };
  }

  /** Returns how the loop over fields skips a type. */
  #code(type: Node): number {
    const size = knownBytesOf(type);
    if (size >= 0) return this.#levels(type, 0) === 0 ? size : BY_STEP;
    switch (type.kind) {
      case "utf8":
      case "ascii":
      case "bytes":
        return COUNTED;
      case "enumeration":
      case "uvar":
      case "ivar":
      case "uvar64":
      case "ivar64":
        return VARINT;
      default:
        return BY_STEP;
    }
  }

  /** Returns how many levels of structs and lists a type of known size adds; Infinity for very many. */
  #levels(type: Node, above: number): number {
    if (above > MAX_LEVELS) return Infinity;
    if (type.kind === "array") return 1 + this.#levels(type.element, above + 1);
    if (type.kind !== "ref") return 0;
    const { struct } = type;
    const known = this.#depths.get(struct);
    if (known !== undefined) return known;
    const levels = 1 + struct.fixed.reduce((most, member) => Math.max(most, this.#levels(member.type, above + 1)), 0);
    this.#depths.set(struct, levels);
    return levels;
  }

  #ref(struct: Struct): Skip {
    let walk: Walk | undefined; // not compiled here: the struct may refer to itself
    return (r, depth) => {
      if (depth < RECURSIVE_DEPTH) (walk ??= this.struct(struct))(r, depth + 1, NOTHING);
      else runTask(skipDeep(r, struct, depth + 1, (type) => this.skip(type)));
    };
  }

  #union({ arms }: UnionNode): Skip {
    const skips = arms.map(({ struct }) => this.#ref(struct));
    return (r, depth) => {
      checkDepth(r, depth + 1);
      skips[readIndex(r, arms.length)]!(r, depth);
    };
  }

  #array(node: ListNode): Skip {
    const { element, length } = node;
    if (isInBits(element)) {
      const skip = element.kind === "nullable" ? this.skip(element.value) : undefined;
      return (r, depth) => {
        checkDepth(r, depth + 1);
        const count = length === 0 ? readCount(r, BIT, 0, Infinity) : length;
        const start = readBits(r, count);
        if (skip !== undefined) for (let i = 0; i < count; i++) if (bitAt(r, start, i)) skip(r, depth + 1);
      };
    }
    const min = minBytesOf(element);
    const skipEach = this.#each(element, length === 0 ? min : 0);
    return (r, depth) => {
      checkDepth(r, depth + 1);
      skipEach(r, depth + 1, length === 0 ? readCount(r, min, 0, Infinity) : length);
    };
  }

  /** Returns the skip of `count` elements. `reserved`: what the caller's count owes for each of them. */
  #each(element: Node, reserved: number): SkipEach {
    const skip = this.skip(element);
    const size = knownBytesOf(element);
    if (size >= 0) {
      const levels = this.#levels(element, 0);
      return (r, depth, count) => {
        if (count * size <= r.end - r.pos && depth + levels <= r.maxDepth) r.pos += count * size;
        else for (let i = 0; i < count; i++) skip(r, depth);
      };
    }
    switch (this.#code(element)) {
      case VARINT: {
        const one = varintSkip(element);
        return (r, _, count) => skipVarints(r, count, one);
      }
      case COUNTED:
        return (r, _, count) => skipTexts(r, count);
    }
    return (r, depth, count) => {
      r.reserved += count * reserved;
      for (let i = 0; i < count; i++) {
        r.reserved -= reserved;
        skip(r, depth);
      }
    };
  }

  #map({ key, value }: MapNode): Skip {
    const min = minBytesOf(key) + minBytesOf(value);
    const isKnown = this.#code(key) > 0 && (value.kind === "bool" || this.#code(value) > 0);
    const skipKey = this.skip(key);
    const skipValue = this.skip(value);
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const count = readCount(r, min, 0, Infinity);
      if (isKnown) {
        r.pos += count * min;
        return;
      }
      r.reserved += count * min;
      for (let i = 0; i < count; i++) {
        r.reserved -= min;
        skipKey(r, depth + 1);
        skipValue(r, depth + 1);
      }
    };
  }
}

/** Returns the skip of a varint. */
function varintSkip(type: Node): SkipAt {
  if (type.kind === "enumeration") return (r, pos) => skipIndex(r, pos, type.values.length);
  return isWide(type.kind) ? skipUvar64 : skipUvar;
}

function byPosition(skip: SkipAt): Skip {
  return (r) => {
    r.pos = skip(r, r.pos);
  };
}

function skipCounted(r: PackReader): void {
  r.pos = skipText(r, r.pos);
}

function isSkipped(field: SkippedField | Leaf | Step): field is SkippedField {
  return Object.hasOwn(field, "bit");
}

function leafStep({ key, get }: Leaf): Step {
  return (r, depth, out) => {
    out[key] = get(r, depth);
  };
}
