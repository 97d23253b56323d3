/** Infers the type of the values at one place of the samples: a field, an element of a list, a value of a map. */
import { isWellFormed, MoonpackError, pathStep } from "moonpack/bytes";
import type { OmitFlag } from "../schema/field.js";
import { armsBy } from "./discriminator.js";
import {
  type Draft,
  ELEMENT,
  ENTRY,
  type FieldDraft,
  type Group,
  GUESS,
  isEmptyStruct,
  type Route,
  type SampleObject,
  type StructDraft,
  settled,
} from "./draft.js";
import { BOOL, BYTES, countsByKind, isAbsent, isMixed, kindsOf, LIST, MAP, NUMBER, OBJECT, TEXT } from "./kinds.js";
import { singular } from "./names.js";
import { isKeyType, type Leaf, numberType } from "./numbers.js";
import { type Pools, pooled } from "./pools.js";
import { classify, growAlong, joinHome, newGroup } from "./recursion.js";
import { textType } from "./text.js";

/** A place of the samples that the schema cannot hold as it is. */
export interface InferProblem {
  /** Where: `$` is a sample, `[]` any element of a list, `{}` any value of a map, `(name)` an arm of a union. */
  readonly path: string;
  readonly message: string;
}

/** A place within the samples. */
export interface Place {
  readonly path: string;
  /** The text that a struct at this place is named after. */
  readonly stem: string;
  /** The groups of objects around it, the outermost first. */
  readonly within: readonly Group[];
  /** The steps from a sample to it. */
  readonly route: Route;
}

/** The result for a place: a type, and a comment for readers of the schema. */
interface Found {
  readonly draft: Draft;
  readonly doc: string;
}

/** Lists of numbers that all have one length of 2 to 16, in at least 20 samples, have it for good: coordinates, colours. */
const LONGEST_FIXED = 16;
const SAMPLES_FOR_FIXED = 20;
/** Limit of a schema. */
const MAX_STRUCTS = 4096;

/** Infers types, and collects the problems. */
export class TypeInference {
  readonly #problems: InferProblem[] = [];
  /** The routes within the group that was last at a path: a group around it that has grown comes here again. */
  readonly #routes = new Map<string, ReadonlyMap<string, Route>>();
  readonly #headroom: number;
  readonly #pools: Pools;
  #structs = 0;

  /** `headroom`: see `InferOptions`. `pools`: the objects that share a struct, wherever they are. */
  constructor(headroom: number, pools: Pools) {
    this.#headroom = headroom;
    this.#pools = pools;
  }

  /** The problems so far. */
  get problems(): readonly InferProblem[] {
    return this.#problems;
  }

  /** Infers the struct of the samples themselves: a message is always a struct. */
  root(samples: readonly SampleObject[], stem: string): StructDraft {
    const found = this.#group(samples, { path: "$", stem, within: [], route: [] })!;
    return (settled(found.draft) as Draft & { readonly kind: "struct" }).struct;
  }

  /** Returns the type of values, none of which is absent; undefined after a problem. */
  #typeOf(values: readonly unknown[], place: Place): Found | undefined {
    const kinds = kindsOf(values);
    switch (kinds) {
      case 0:
        return plain({ type: "utf8", doc: GUESS });
      case BOOL:
        return plain({ type: "bool", doc: "" });
      case NUMBER:
        return this.#leaf(numberType(values as readonly number[], this.#headroom), place);
      case TEXT:
        return this.#leaf(textType(values as readonly string[]), place);
      case BYTES:
        return plain({ type: "bytes", doc: "" });
      case LIST:
        return this.#list(values as readonly ArrayLike<unknown>[], place);
      case MAP:
        return this.#map(values as readonly ReadonlyMap<unknown, unknown>[], place);
      case OBJECT:
        return this.#objects(values as readonly SampleObject[], place);
      default:
        if (isMixed(kinds))
          return this.#problem(place, `a place has one type; the samples have ${countsByKind(values)}`);
        return this.#problem(place, "PCK holds plain objects, lists, Maps, bytes, text, numbers and booleans only");
    }
  }

  #list(lists: readonly ArrayLike<unknown>[], place: Place): Found | undefined {
    const elements: unknown[] = [];
    for (const list of lists) for (let index = 0; index < list.length; index++) elements.push(list[index]);
    const found = this.#member(elements, place, ELEMENT);
    if (found === undefined) return undefined;
    const length = lists[0]!.length;
    const isFixed =
      kindsOf(elements) === NUMBER &&
      length >= 2 &&
      length <= LONGEST_FIXED &&
      lists.length >= SAMPLES_FOR_FIXED &&
      lists.every((list) => list.length === length);
    // An element takes at least one byte or bit.
    const element: Draft = isEmptyStruct(found.draft) ? { kind: "nullable", value: found.draft } : found.draft;
    return { draft: { kind: "array", element, length: isFixed ? length : undefined }, doc: found.doc };
  }

  #map(maps: readonly ReadonlyMap<unknown, unknown>[], place: Place): Found | undefined {
    const keys = maps.flatMap((map) => [...map.keys()]);
    const key = this.#keyType(keys);
    if (key === undefined) return this.#problem(place, "the keys of a map are all text or all 32-bit integers");
    if (key === "utf8" && !(keys as readonly string[]).every(isWellFormed)) return this.#problem(place, LONE_KEY);
    const values = maps.flatMap((map) => [...map.values()]);
    return this.#entries(key, values, place);
  }

  #keyType(keys: readonly unknown[]): Leaf["type"] | undefined {
    const kinds = kindsOf(keys);
    if (kinds === TEXT || kinds === 0) return UTF8.type;
    if (kinds !== NUMBER) return undefined;
    // Keys cannot be f64: the second try is without headroom.
    for (const headroom of [this.#headroom, 1]) {
      const leaf = numberType(keys as readonly number[], headroom);
      if (typeof leaf !== "string" && isKeyType(leaf.type)) return leaf.type;
    }
    return undefined;
  }

  #entries(key: Leaf["type"], values: readonly unknown[], place: Place): Found | undefined {
    const found = this.#member(values, place, ENTRY);
    return found && { draft: { kind: "map", key, value: found.draft }, doc: found.doc };
  }

  /** Returns the type of elements or of a map's values; `nullable` if one is absent. */
  #member(values: readonly unknown[], place: Place, step: typeof ELEMENT | typeof ENTRY): Found | undefined {
    const present = values.filter((value) => !isAbsent(value));
    const path = place.path + (step === ELEMENT ? "[]" : "{}");
    const inner = { ...place, path, stem: singular(place.stem), route: [...place.route, step] };
    const found = this.#typeOf(present, inner);
    if (found === undefined) return undefined;
    const { draft } = found;
    const isAlone = found.doc === "" || found.doc === GUESS || found.doc.startsWith(EACH);
    const doc = isAlone ? found.doc : EACH + found.doc;
    return { draft: present.length < values.length ? { kind: "nullable", value: draft } : draft, doc };
  }

  /** Returns the type of objects: the type of a similar group around them, else a new one. */
  #objects(objects: readonly SampleObject[], place: Place): Found | undefined {
    const home = joinHome(objects, place.within, place.route);
    if (home === undefined) return this.#group(objects, place);
    return { draft: { kind: "group", group: home }, doc: "" };
  }

  /** Infers the type of a group of objects, again for as long as the group grows. */
  #group(first: readonly SampleObject[], place: Place): Found | undefined {
    const group = newGroup(pooled(first, this.#pools), place.route.length);
    const known = this.#routes.get(place.path);
    if (known !== undefined && known.size > 0) {
      classify(group);
      growAlong(group, place.within, place.route, known.values());
    }
    this.#routes.set(place.path, group.routes);
    const inner: Place = { ...place, within: [...place.within, group] };
    const before = { problems: this.#problems.length, structs: this.#structs };
    for (;;) {
      group.hasGrown = false;
      // References to the group during this pass must not see the type of the last pass.
      group.type = undefined;
      this.#problems.length = before.problems;
      this.#structs = before.structs;
      const objects = [...group.objects];
      classify(group);
      let doc = "";
      if (group.isDictionary) {
        if (![...group.kinds.keys()].every(isWellFormed)) return this.#problem(place, LONE_KEY);
        const values = objects.flatMap((object) => Object.values(object));
        const found = this.#entries("utf8", values, inner);
        if (found === undefined) return undefined;
        group.type = found.draft;
        doc = found.doc;
      } else {
        group.type =
          group.discriminator === undefined
            ? { kind: "struct", struct: this.#structOf(group, inner) }
            : this.#union(objects, group.discriminator, inner);
      }
      // A group around this one that has grown starts again anyway.
      if (!group.hasGrown || place.within.some((around) => around.hasGrown))
        return { draft: { kind: "group", group }, doc };
    }
  }

  /** Returns the struct of a group, with its objects if those of other places may be added. */
  #structOf({ objects, depth }: Group, place: Place): StructDraft {
    const { length } = this.#problems;
    const struct = this.#struct([...objects], place);
    const isWhole = this.#problems.length === length;
    return depth > 0 && isWhole ? { ...struct, objects } : struct;
  }

  #union(objects: readonly SampleObject[], discriminator: string, place: Place): Draft {
    const arms = [...armsBy(objects, discriminator)!].map(([name, arm]) => {
      const inner = { ...place, path: `${place.path}(${name})`, stem: `${name} ${place.stem}` };
      return [name, this.#struct(arm, inner, discriminator)] as const;
    });
    return { kind: "union", discriminator, arms };
  }

  /** Returns the struct of objects. `but`: the discriminator, which is not a field. */
  #struct(objects: readonly SampleObject[], place: Place, but?: string): StructDraft {
    if (++this.#structs > MAX_STRUCTS)
      throw new MoonpackError("ERR_SCHEMA", `the samples have more than ${MAX_STRUCTS} kinds of objects`);
    const values = new Map<string, unknown[]>();
    for (const object of objects) {
      for (const name of Object.keys(object)) {
        const list = values.get(name);
        if (list !== undefined) list.push(object[name]);
        else if (name !== but) values.set(name, [object[name]]);
      }
    }
    const fields: FieldDraft[] = [];
    for (const [name, list] of values) {
      const inner = { ...place, path: place.path + pathStep(name), stem: name, route: [...place.route, name] };
      const field = this.#field(name, list, objects.length, inner);
      if (field !== undefined) fields.push(field);
    }
    return { stem: place.stem, fields, objects: undefined };
  }

  #field(name: string, values: readonly unknown[], objects: number, place: Place): FieldDraft | undefined {
    if (name === "" || !isWellFormed(name))
      return this.#problem(place, "the name of a field must not be empty, or have a lone surrogate");
    const present = values.filter((value) => !isAbsent(value));
    const found = this.#typeOf(present, place);
    if (found === undefined) return undefined;
    const absent = objects - present.length;
    const { draft: type, doc } = found;
    if (type.kind === "plain" && type.type === "bool") {
      if (absent === 0) return { name, type, omit: [], doc };
      return this.#problem(
        place,
        `${absent} of ${objects} objects have no value, but a bool is never absent: fill in false`,
      );
    }
    return { name, type, omit: absent > 0 || isEmptyStruct(type) ? ["null"] : flagOf(type, present), doc };
  }

  #leaf(leaf: Leaf | string, place: Place): Found | undefined {
    return typeof leaf === "string" ? this.#problem(place, leaf) : plain(leaf);
  }

  #problem({ path }: Place, message: string): undefined {
    this.#problems.push({ path, message });
    return undefined;
  }
}

/** Begins the comments about elements and values of maps. */
const EACH = "Each: ";
const LONE_KEY = "a map has a key with a lone surrogate, which UTF-8 cannot hold";
const UTF8: Leaf = { type: "utf8", doc: "" };

function plain({ type, doc }: Leaf): Found {
  return { draft: { kind: "plain", type }, doc };
}

/** Returns a flag for a type whose empty values, or zeros, are at least half of the samples. */
function flagOf(draft: Draft, values: readonly unknown[]): readonly OmitFlag[] {
  const flag = flagFor(draft);
  if (flag === undefined) return [];
  let count = 0;
  for (const value of values) if (flag === "zero" ? Object.is(value, 0) || value === 0n : isEmpty(value)) count++;
  return 2 * count >= values.length ? [flag] : [];
}

function flagFor(draft: Draft): OmitFlag | undefined {
  switch (draft.kind) {
    case "array":
      return draft.length === undefined ? "empty" : undefined;
    case "map":
      return "empty";
    case "group":
      return draft.group.type?.kind === "map" ? "empty" : undefined;
    case "plain":
      if (draft.type === "utf8" || draft.type === "bytes") return "empty";
      return typeof draft.type === "string" ? "zero" : undefined;
    default:
      return undefined;
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.length === 0;
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Map) return value.size === 0;
  return "length" in value && Object.hasOwn(value, "length") ? value.length === 0 : Object.keys(value).length === 0;
}
