/**
 * Reads the fields of a struct one after the other.
 *
 * Hot, and long for a reason: each number of fields up to eight has its own unrolled function. V8 collects type
 * feedback for each position in the source. Without a loop, and in a codec of few structs, each position sees one name,
 * one hidden class and one reader, which V8 inlines. A struct of three fields takes 40 ns this way and 110 ns by a
 * loop. Structs with the same number of fields share a function, and are then as fast as by the loop.
 */
import type { PackReader } from "../runtime/reader.js";

/** Reads a field, or makes the value of an absent one. `start`: start of the struct's bit store. */
export type ReadField = (r: PackReader, depth: number, start: number) => unknown;
/** Reads all fields of a struct into an object. `start`: start of the struct's bit store. */
export type ReadFields = (r: PackReader, depth: number, start: number) => Record<string, unknown>;

type Names = readonly string[];
type Gets = readonly ReadField[];
type Template = Readonly<Record<string, unknown>>;

/** Returns a reader of fields into copies of a template, which has all properties. */
export function fieldsReader(names: Names, gets: Gets, template: Template): ReadFields {
  const unrolled = UNROLLED[names.length];
  return unrolled === undefined
    ? createdFieldsReader(names, gets, () => ({ ...template }))
    : unrolled(names as never, gets as never, template);
}

/** Returns a reader of fields into objects that `create` makes. */
export function createdFieldsReader(names: Names, gets: Gets, create: () => Record<string, unknown>): ReadFields {
  return (r, depth, start) => {
    const value = create();
    for (let i = 0; i < names.length; i++) value[names[i]!] = gets[i]!(r, depth, start);
    return value;
  };
}

type Few<T, N extends number, L extends readonly T[] = readonly []> = L["length"] extends N
  ? L
  : Few<T, N, readonly [...L, T]>;
type Unrolled<N extends number> = (names: Few<string, N>, gets: Few<ReadField, N>, template: Template) => ReadFields;

const read1: Unrolled<1> =
  ([n0], [get0], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    return value;
  };

const read2: Unrolled<2> =
  ([n0, n1], [get0, get1], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    return value;
  };

const read3: Unrolled<3> =
  ([n0, n1, n2], [get0, get1, get2], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    value[n2] = get2(r, depth, start);
    return value;
  };

const read4: Unrolled<4> =
  ([n0, n1, n2, n3], [get0, get1, get2, get3], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    value[n2] = get2(r, depth, start);
    value[n3] = get3(r, depth, start);
    return value;
  };

const read5: Unrolled<5> =
  ([n0, n1, n2, n3, n4], [get0, get1, get2, get3, get4], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    value[n2] = get2(r, depth, start);
    value[n3] = get3(r, depth, start);
    value[n4] = get4(r, depth, start);
    return value;
  };

const read6: Unrolled<6> =
  ([n0, n1, n2, n3, n4, n5], [get0, get1, get2, get3, get4, get5], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    value[n2] = get2(r, depth, start);
    value[n3] = get3(r, depth, start);
    value[n4] = get4(r, depth, start);
    value[n5] = get5(r, depth, start);
    return value;
  };

const read7: Unrolled<7> =
  ([n0, n1, n2, n3, n4, n5, n6], [get0, get1, get2, get3, get4, get5, get6], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    value[n2] = get2(r, depth, start);
    value[n3] = get3(r, depth, start);
    value[n4] = get4(r, depth, start);
    value[n5] = get5(r, depth, start);
    value[n6] = get6(r, depth, start);
    return value;
  };

const read8: Unrolled<8> =
  ([n0, n1, n2, n3, n4, n5, n6, n7], [get0, get1, get2, get3, get4, get5, get6, get7], template) =>
  (r, depth, start) => {
    const value: Record<string, unknown> = { ...template };
    value[n0] = get0(r, depth, start);
    value[n1] = get1(r, depth, start);
    value[n2] = get2(r, depth, start);
    value[n3] = get3(r, depth, start);
    value[n4] = get4(r, depth, start);
    value[n5] = get5(r, depth, start);
    value[n6] = get6(r, depth, start);
    value[n7] = get7(r, depth, start);
    return value;
  };

const UNROLLED = [undefined, read1, read2, read3, read4, read5, read6, read7, read8] as const;
