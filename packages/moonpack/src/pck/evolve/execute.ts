/**
 * Closures over a plan: they read what the writer's schema says is there, with the checks and the errors of its own decoder, and
 * answer what the reader's decoder would. Structs are compiled when they are first met in bytes.
 */
import type { DecodeError } from "../../bytes/errors.js";
import { bitAt, checkDepth, readBits, readFlag, readIndex, refused } from "../../bytes/pack-reader.js";
import { creator } from "../codec/objects.js";
import { type Absence, absenceOf, absentValueOf, isObjectMap, typedArrayOf } from "../codec/presence.js";
import { DecoderCompiler } from "../codec/read.js";
import { bitListReader, type Get, listReader, mapReader } from "../codec/read-containers.js";
import { type CodecSettings, codecSettings } from "../codec/settings.js";
import { comparisonOf } from "../codec/write.js";
import type { Member, Node } from "../model/model.js";
import { FillCompiler, type Make } from "./fill-values.js";
import { isWide } from "./numbers.js";
import type {
  Conversion,
  EnumerationConversion,
  FieldPlan,
  LeafConversion,
  ListConversion,
  MapConversion,
  StructPlan,
  Target,
  UnionConversion,
} from "./plan.js";

/** Reads a field of the writer's; `name` is the reader's, undefined for what is skipped. */
interface Step {
  readonly name: string | undefined;
  readonly get: Get;
}

/** The same of an optional field. */
interface OptionalStep extends Step {
  readonly absent: Make;
}

/** Makes the decoders of a plan. */
export class ConvertingCompiler {
  readonly #settings: CodecSettings;
  readonly #decoders: DecoderCompiler;
  /** Reads what nobody will see: options refuse nothing of it. */
  readonly #skips: DecoderCompiler;
  readonly #fills: FillCompiler;
  readonly #structs = new Map<StructPlan, Get>();

  constructor(settings: CodecSettings) {
    this.#settings = settings;
    this.#decoders = new DecoderCompiler(settings);
    this.#skips = new DecoderCompiler(SKIPPING);
    this.#fills = new FillCompiler(settings);
  }

  /** The decoder of a struct that lies at the depth it is given. */
  struct(plan: StructPlan): Get {
    const known = this.#structs.get(plan);
    if (known !== undefined) return known;
    const get = this.#compile(plan, []);
    this.#structs.set(plan, get);
    return get;
  }

  /** `first`: properties that come before the fields. */
  #compile(plan: StructPlan, first: readonly (readonly [string, unknown])[]): Get {
    const create = creator(plan.to, first, this.#settings);
    const { optionals, bools } = plan.from;
    const bits = optionals.length + bools.length;
    let bit = optionals.length;
    const bitSteps: { name: string; bit: number }[] = [];
    const steps: Step[] = [];
    const optionalSteps: OptionalStep[] = [];
    for (const field of plan.fields) {
      const { from, target } = field;
      if (from.isOptional) optionalSteps.push(this.#optional(field));
      else if (from.type.kind !== "bool") steps.push(this.#required(field));
      else {
        if (target !== undefined) bitSteps.push({ name: target.member.name, bit });
        bit++;
      }
    }
    const added = plan.added.map(({ member, fill }) => ({ name: member.name, make: this.#fills.make(fill) }));
    return (r, depth) => {
      checkDepth(r, depth);
      const start = bits === 0 ? 0 : readBits(r, bits);
      const value = create();
      // Loops by index, as in the codec's own decoder.
      for (let i = 0; i < bitSteps.length; i++) {
        const { name, bit } = bitSteps[i]!;
        value[name] = bitAt(r, start, bit);
      }
      for (let i = 0; i < steps.length; i++) {
        const { name, get } = steps[i]!;
        const member = get(r, depth);
        if (name !== undefined) value[name] = member;
      }
      for (let i = 0; i < optionalSteps.length; i++) {
        const { name, get, absent } = optionalSteps[i]!;
        const member = bitAt(r, start, i) ? get(r, depth) : absent(r.pos);
        if (name !== undefined) value[name] = member;
      }
      for (let i = 0; i < added.length; i++) {
        const { name, make } = added[i]!;
        value[name] = make(r.pos);
      }
      return value;
    };
  }

  #required({ from, target }: FieldPlan): Step {
    if (target === undefined) return { name: undefined, get: this.#skips.get(from.type) };
    const get = this.#target(target);
    const settle = this.#settler(target.member);
    return { name: target.member.name, get: settle === undefined ? get : (r, depth) => settle(get(r, depth)) };
  }

  #optional({ from, target }: FieldPlan): OptionalStep {
    const get = target === undefined ? this.#skips.get(from.type) : this.#target(target);
    const isRedundant = redundancyOf(
      from,
      target?.member.type ?? from.type,
      target === undefined ? SKIPPING : this.#settings,
    );
    const settle = target === undefined ? undefined : this.#settler(target.member);
    return {
      name: target?.member.name,
      get: (r, depth) => {
        const { pos } = r;
        const value = get(r, depth);
        if (isRedundant(value)) throw refused("ERR_NOT_CANONICAL", "a field that is present and means absent", pos);
        return settle === undefined ? value : settle(value);
      },
      absent: target?.ifAbsent === undefined ? nothing : this.#fills.make(target.ifAbsent),
    };
  }

  #target({ conversion, ifUnknown }: Target): Get {
    return this.#get(conversion, ifUnknown === undefined ? undefined : this.#fills.make(ifUnknown));
  }

  /** Turns what means absent to the reader's field into what it is read as then. */
  #settler(member: Member): ((value: unknown) => unknown) | undefined {
    if (!member.omit.has("zero") && !member.omit.has("empty")) return undefined;
    const isAbsent = absenceOf(member, this.#settings);
    const absent = absentValueOf(member, this.#settings);
    return (value) => (isAbsent(value) ? absent() : value);
  }

  /** `unknown`: what a name or arm becomes that the reader has not. */
  #get(conversion: Conversion, unknown?: Make): Get {
    switch (conversion.kind) {
      case "leaf":
        return this.#leaf(conversion, this.#settings.int64 === "bigint");
      case "enumeration":
        return enumerationReader(conversion, unknown);
      case "struct": {
        const { plan } = conversion;
        return (r, depth) => this.struct(plan)(r, depth + 1);
      }
      case "union":
        return this.#union(conversion, unknown);
      case "list":
        return this.#list(conversion);
      case "map":
        return this.#map(conversion);
      case "nullable": {
        const get = this.#get(conversion.value);
        return (r, depth) => (readFlag(r) ? get(r, depth) : null);
      }
      case "present":
        return this.#get(conversion.value);
    }
  }

  /** Keys, and elements of typed arrays: 64-bit integers are bigints always. */
  #wide(conversion: Conversion): Get {
    return conversion.kind === "leaf" ? this.#leaf(conversion, true) : this.#get(conversion);
  }

  #leaf({ from, to }: LeafConversion, isBig: boolean): Get {
    if (!isWide(to.kind) || !isBig) return this.#decoders.get(from);
    const get = this.#decoders.wide(from);
    return isWide(from.kind) ? get : (r, depth) => BigInt(get(r, depth) as number);
  }

  #union({ from, to, arms }: UnionConversion, unknown: Make | undefined): Get {
    const compiled: (Get | undefined)[] = arms.map(() => undefined);
    return (r, depth) => {
      checkDepth(r, depth + 1);
      const start = r.pos;
      const index = readIndex(r, arms.length);
      const arm = arms[index];
      if (arm === undefined) {
        const { name, struct } = from.arms[index]!;
        if (unknown === undefined) throw unknownName(name, start);
        this.#skips.struct(struct)(r, depth + 1);
        return unknown(start);
      }
      const get = (compiled[index] ??= this.#compile(arm.plan, [[to.discriminator, to.arms[arm.place]!.name]]));
      return get(r, depth + 1);
    };
  }

  #list({ from, to, element }: ListConversion): Get {
    if (from.element.kind === "bool") return bitListReader(from, undefined);
    if (element.kind === "nullable") return bitListReader(from, this.#get(element.value));
    const Typed = typedArrayOf(to.element, this.#settings);
    return listReader(from, Typed === undefined ? this.#get(element) : this.#wide(element), Typed);
  }

  #map({ from, to, key, value, isReordered }: MapConversion): Get {
    const compare = comparisonOf(to.key);
    const isObject = isObjectMap(to, this.#settings);
    return mapReader(from, this.#wide(key), this.#get(value), (map) => {
      const entries = isReordered ? [...map].sort((a, b) => compare(a[0], b[0])) : map;
      if (isObject) return Object.fromEntries(entries);
      return isReordered ? new Map(entries) : map;
    });
  }
}

/** What is skipped is checked, and nothing else: an integer that nobody gets may be as large as it likes. */
const SKIPPING: CodecSettings = /* @__PURE__ */ codecSettings({ binary: "view" });

function nothing(): undefined {
  return undefined;
}

/** Is a value, of the reader's type, one that means absent to the writer's field? What is read is never null. */
function redundancyOf({ omit }: Member, type: Node, settings: CodecSettings): Absence {
  const others = new Set([...omit].filter((flag) => flag !== "null"));
  return others.size === 0 ? () => false : absenceOf({ omit: others, type }, settings);
}

function enumerationReader({ from, places }: EnumerationConversion, unknown: Make | undefined): Get {
  const { values } = from;
  return (r) => {
    const start = r.pos;
    const index = readIndex(r, values.length);
    const name = values[index]!;
    if (places[index]! >= 0) return name;
    if (unknown === undefined) throw unknownName(name, start);
    return unknown(start);
  };
}

function unknownName(name: string, offset: number): DecodeError {
  return refused("ERR_UNKNOWN_INDEX", `${JSON.stringify(name)}, which the reader's schema has not`, offset);
}
