/**
 * Compiles wanted places to closures over a plan: the writer's fields decide what is skipped, the wanted fields of the reader
 * what is converted and filled. For a codec, both schemas are the same.
 */
import type { Get } from "../closures/closure.js";
import { unknownName } from "../evolve/execute.js";
import type { Make } from "../evolve/fill-values.js";
import type { Conversion, FieldPlan, ListConversion, StructPlan, UnionConversion } from "../evolve/plan.js";
import { type Adjust, type ConversionCompiler, stepOf } from "../evolve/steps.js";
import { isInBits, minBytesOf, type Node } from "../model/model.js";
import type { Weights } from "../model/weights.js";
import { bitAt, checkDepth, countElements, readBitCount, readBits, readCount, readIndex } from "../runtime/reader.js";
import { Rows } from "../runtime/take.js";
import { SkipCompiler, type SkippedField } from "./skip.js";
import { TAKES, TakeCompiler } from "./take.js";
import { type PathTree, putKeys, slotsOf } from "./tree.js";
import type { Items, Leaf, Step, Walk } from "./walk.js";

/** How the values of a field are read, and what its value is for a name or arm that the reader lacks. */
interface Reading {
  readonly get: Get;
  readonly adjust: Adjust | undefined;
  readonly unknown: Make | undefined;
}

/** Compiles wanted places. `isLast`: nothing behind the last wanted place is looked at. */
export class PickCompiler {
  readonly #source: ConversionCompiler;
  readonly #weights: Weights;
  readonly #skips: SkipCompiler;
  readonly #takes = new TakeCompiler(TAKES);
  readonly #walks = new Map<PathTree, Map<StructPlan, Walk>>();
  readonly #lastWalks = new Map<PathTree, Map<StructPlan, Walk>>();

  /** `source` reads values, `walkOf` compiles the walk over a struct. */
  constructor(source: ConversionCompiler, walkOf: (items: Items) => Walk) {
    this.#source = source;
    this.#weights = source.weights;
    this.#skips = new SkipCompiler((type) => source.skipped(type), walkOf);
  }

  /** Returns a walk that reads the wanted fields of a struct. */
  struct(plan: StructPlan, tree: PathTree, isLast: boolean): Walk {
    // Kept: a path through unions would reach a struct in many ways.
    const all = isLast ? this.#lastWalks : this.#walks;
    const walks = all.get(tree) ?? new Map<StructPlan, Walk>();
    all.set(tree, walks);
    const walk = walks.get(plan) ?? this.#struct(plan, tree, isLast);
    walks.set(plan, walk);
    return walk;
  }

  #struct(plan: StructPlan, tree: PathTree, isLast: boolean): Walk {
    const { from, to } = plan;
    const fields = plan.fields.map((field) => ({
      field,
      wanted: field.target && tree.fields.get(field.target.member.name),
    }));
    const last = fields.map(({ wanted }) => wanted !== undefined).lastIndexOf(true);
    const added = plan.added.filter(({ member }) => tree.fields.has(member.name));
    const weight = this.#source.added.of({
      from,
      to,
      added,
      fields: fields.flatMap((one) => (one.wanted ? [one.field] : [])),
    });
    const items: (SkippedField | Leaf | Step)[] = weight > 0 ? [(r) => countElements(r, weight)] : [];
    let presence = 0;
    let bool = from.optionals.length;
    for (const [i, { field, wanted }] of fields.entries()) {
      if (isLast && i > last) break;
      const { type, isOptional } = field.from;
      if (type.kind === "bool") {
        const bit = bool++;
        if (wanted !== undefined) items.push((r, _, out, start) => putKeys(wanted, bitAt(r, start, bit), out));
        continue;
      }
      const bit = isOptional ? presence++ : -1;
      items.push(wanted === undefined ? { type, bit } : this.#field(field, bit, wanted, isLast && i === last));
    }
    for (const { member, fill } of added) {
      const make = this.#source.fills.make(fill);
      const take = this.#takes.value(tree.fields.get(member.name)!, member.type);
      items.push((r, _, out) => take.from(r, make(r.pos), out));
    }
    return this.#skips.walk(from.optionals.length + from.bools.length, items);
  }

  #field(field: FieldPlan, bit: number, tree: PathTree, isLast: boolean): Leaf | Step {
    const { from, target } = field;
    const { conversion, ifAbsent, member } = target!;
    const reading = stepOf(field, this.#source);
    const isWhole = tree.keys.length > 0;
    const weight = isWhole ? this.#weights.field(from) : 0;
    const leaf = leafOf(tree, reading);
    if (leaf !== undefined && ifAbsent === undefined && weight === 0) return leaf;
    const read = this.#value(conversion, tree, reading, isLast);
    if (ifAbsent === undefined) return counting(weight, read);
    const absent = this.#source.fills.make(ifAbsent);
    const take = this.#takes.value(tree, member.type);
    const present = counting(isWhole ? this.#weights.present(from.type) : 0, read);
    return counting(weight, (r, depth, out, start) => {
      if (bitAt(r, start, bit)) present(r, depth, out, start);
      else take.from(r, absent(r.pos), out);
    });
  }

  /** Returns a reader of a value within a struct or container at `depth`: of all of it, or only of wanted places in it. */
  #value(conversion: Conversion, tree: PathTree, reading: Reading, isLast: boolean): Step {
    if (tree.keys.length > 0) return this.#whole(conversion.to, tree, reading);
    switch (conversion.kind) {
      case "struct": {
        const walk = this.struct(conversion.plan, tree, isLast);
        return (r, depth, out) => walk(r, depth + 1, out);
      }
      case "union":
        return this.#union(conversion, tree, reading, isLast);
      case "list":
        return this.#list(conversion, tree, reading);
      default:
        return this.#skips.skip(conversion.from); // a value without places, in an arm beside arms that have them
    }
  }

  #union({ from, to, arms }: UnionConversion, tree: PathTree, { unknown }: Reading, isLast: boolean): Step {
    const kind = tree.fields.get(to.discriminator);
    const take = this.#takes.value(tree, to);
    const walks = arms.map((arm, i) =>
      arm === undefined ? this.#skips.struct(from.arms[i]!.struct) : this.struct(arm.plan, tree, isLast),
    );
    return (r, depth, out) => {
      checkDepth(r, depth + 1);
      const { pos } = r;
      const index = readIndex(r, arms.length);
      const arm = arms[index];
      if (arm === undefined && unknown === undefined) throw unknownName(from.arms[index]!.name, pos);
      if (arm !== undefined && kind !== undefined) putKeys(kind, to.arms[arm.place]!.name, out);
      walks[index]!(r, depth + 1, out);
      if (arm === undefined) take.from(r, unknown!(pos), out);
    };
  }

  #list({ from, to, element }: ListConversion, tree: PathTree, reading: Reading): Step {
    const { each } = tree;
    if (each === undefined) return this.#skips.skip(from); // fields are wanted, in an arm beside arms that have them
    const { length, element: type } = from;
    const isWhole = each.tree.keys.length > 0;
    const isBits = isInBits(type);
    const min = isBits ? 0 : minBytesOf(type);
    const lists = each.lists.length;
    // The list of whole values counts them as `decode` does. An item of any other list counts one.
    const weight = isWhole && !isBits ? this.#weights.of(type) + lists - 1 : lists;
    const ofAll = lists + slotsOf(type, length) * weight;
    const ofPresent = isWhole && type.kind === "nullable" ? this.#weights.nullable(type.value) : 0;
    const value = element.kind === "nullable" || element.kind === "present" ? element.value : element;
    const get = this.#source.converted(value, undefined);
    const read = this.#value(value, each.tree, { get, adjust: undefined, unknown: undefined }, false);
    const reserved = length === 0 ? min : 0;
    // An empty list may stand for an absent one: whole values are checked for that.
    const readEmpty = length === 0 && reading.adjust !== undefined ? this.#whole(to, tree, reading) : undefined;
    return (r, depth, out, start) => {
      if (readEmpty !== undefined && r.pos < r.end && r.bytes[r.pos] === 0) {
        readEmpty(r, depth, out, start);
        return;
      }
      checkDepth(r, depth + 1);
      let count = length;
      countElements(r, ofAll);
      if (length === 0) {
        count = isBits ? readBitCount(r) : readCount(r, min, weight);
        if (isBits) countElements(r, slotsOf(type, count) * (lists - 1));
      }
      const bits = isBits ? readBits(r, count) : 0;
      r.reserved += count * reserved;
      const rows = new Rows(each.lists, out);
      for (let i = 0; i < count; i++) {
        r.reserved -= reserved;
        if (type.kind === "bool") putKeys(each.tree, bitAt(r, bits, i), rows.row);
        else if (isBits && !bitAt(r, bits, i)) putKeys(each.tree, null, rows.row);
        else {
          if (ofPresent > 0) countElements(r, ofPresent);
          read(r, depth + 1, rows.row, 0);
        }
        rows.next();
      }
    };
  }

  /** Returns a step that reads a whole value, and takes the wanted places from it. */
  #whole(type: Node, tree: PathTree, { get, adjust }: Reading): Step {
    const take = this.#takes.value(tree, type);
    return (r, depth, out) => {
      const { pos } = r;
      const value = get(r, depth);
      take.from(r, adjust === undefined ? value : adjust(value, pos), out);
    };
  }
}

/** Returns a step that counts elements first. */
function counting(weight: number, step: Step): Step {
  if (weight === 0) return step;
  return (r, depth, out, start) => {
    countElements(r, weight);
    step(r, depth, out, start);
  };
}

/** Returns the leaf of a value that has one key, and whose places are not wanted. */
function leafOf({ keys, fields, each }: PathTree, { get, adjust }: Reading): Leaf | undefined {
  const isLeaf = keys.length === 1 && fields.size === 0 && each === undefined && adjust === undefined;
  return isLeaf ? { key: keys[0]!, get } : undefined;
}
