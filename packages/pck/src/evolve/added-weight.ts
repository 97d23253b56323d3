/**
 * The elements that a resolved struct counts towards `maxElements` beyond the writer's own weight (docs/pck.md, "Limits"):
 * fields that the writer lacks, and defaults that may replace absent or unknown values. Used by `resolve` and emitted
 * code.
 */
import { DEFAULT_MAX_DEPTH } from "moonpack/bytes";
import { DecoderCompiler } from "../closures/read.js";
import { EncoderCompiler } from "../closures/write.js";
import type { Member, Node } from "../model/model.js";
import { MAX_WEIGHT, NUMBERS_PER_ELEMENT, type WeightSettings, Weights, weightOfIndices } from "../model/weights.js";
import { countingReader } from "../runtime/reader.js";
import { codecSettings } from "../settings.js";
import type { FilledMember, StructPlan } from "./plan.js";

/** A budget that no default exhausts. */
const PLENTY = 2 ** 50;

/** Computes the weights of added values. */
export class AddedWeights {
  readonly #weights: Weights;
  readonly #encoders = new EncoderCompiler(codecSettings(undefined));
  readonly #decoders: DecoderCompiler;

  constructor({ typedArrays, absent }: WeightSettings) {
    this.#weights = new Weights({ typedArrays, absent });
    this.#decoders = new DecoderCompiler(codecSettings({ typedArrays, absent }));
  }

  /** Returns the elements that a struct counts at its first byte, beyond the elements of the writer's struct. */
  of({ to, added, fields }: StructPlan): number {
    let weight = this.#filled(added) + weightOfIndices(to);
    for (const { target } of fields) {
      for (const fill of [target?.ifAbsent, target?.ifUnknown]) {
        if (fill?.kind === "default" && holdsMore(fill.member.type)) weight += this.#default(fill.member);
      }
    }
    return Math.min(MAX_WEIGHT, weight);
  }

  /** Returns the weight of fields that are not in the bytes. Small fields of a struct count together. */
  #filled(members: readonly FilledMember[]): number {
    let weight = 0;
    // An explicit stack instead of recursion: structs may be nested 4,096 deep.
    const open = [members];
    for (let next = open.pop(); next !== undefined && weight < MAX_WEIGHT; next = open.pop()) {
      let small = 0;
      for (const { fill } of next) {
        if (fill.kind === "struct") {
          weight += 1 + weightOfIndices(fill.filled.struct);
          open.push(fill.filled.members);
        } else if (fill.kind === "default" && holdsMore(fill.member.type)) weight += this.#default(fill.member);
        else if (fill.kind === "empty" && isContainer(fill.type)) weight += this.#weights.of(fill.type);
        else small++;
      }
      weight += Math.ceil(small / NUMBERS_PER_ELEMENT);
    }
    return weight;
  }

  /** Returns the weight of a default: what decoding its bytes counts. */
  #default({ type, fallback }: Member): number {
    const reader = countingReader(this.#encoders.encodeValue(type, fallback), DEFAULT_MAX_DEPTH, PLENTY);
    this.#decoders.get(type)(reader, 1);
    return this.#weights.of(type) + (PLENTY - reader.elementsLeft - reader.elementsSpare);
  }
}

/** True for types whose defaults contain other values. Texts and numbers count the same, whatever they are. */
function holdsMore(type: Node): boolean {
  return type.kind === "ref" || type.kind === "union" || isContainer(type);
}

function isContainer({ kind }: Node): boolean {
  return kind === "array" || kind === "map" || kind === "bytes";
}
