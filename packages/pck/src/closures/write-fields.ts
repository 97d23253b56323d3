/**
 * Writes the fields of a struct one after the other.
 *
 * Hot, and long for the reason that read-fields.ts gives: each number of fields up to eight has an unrolled function of
 * its own.
 */
import { pathStep } from "moonpack/bytes";
import { type PackWriter, within } from "../runtime/writer.js";

/** Writes the value of a field. `start`: start of the struct's bit store. */
export type WriteField = (w: PackWriter, value: unknown, depth: number, start: number) => void;
/** Writes all fields of a struct from an object. `start`: start of the struct's bit store. */
export type WriteFields = (
  w: PackWriter,
  value: Readonly<Record<string, unknown>>,
  depth: number,
  start: number,
) => void;

type Names = readonly string[];
type Puts = readonly WriteField[];

/** Returns a writer of fields. None of the names exists on Object.prototype. */
export function fieldsWriter(names: Names, puts: Puts): WriteFields {
  const unrolled = UNROLLED[names.length];
  return unrolled === undefined
    ? readFieldsWriter(names, puts, (value, i) => value[names[i]!])
    : unrolled(names as never, puts as never);
}

/** Returns a writer of fields whose values `read` returns; `i` is the index in `names`. */
export function readFieldsWriter(
  names: Names,
  puts: Puts,
  read: (value: Readonly<Record<string, unknown>>, i: number) => unknown,
): WriteFields {
  return (w, value, depth, start) => {
    let i = 0;
    try {
      for (; i < names.length; i++) puts[i]!(w, read(value, i), depth, start);
    } catch (error) {
      throw within(error, pathStep(names[i]));
    }
  };
}

type Few<T, N extends number, L extends readonly T[] = readonly []> = L["length"] extends N
  ? L
  : Few<T, N, readonly [...L, T]>;
type Unrolled<N extends number> = (names: Few<string, N>, puts: Few<WriteField, N>) => WriteFields;

const write1: Unrolled<1> =
  ([n0], [put0]) =>
  (w, value, depth, start) => {
    const name = n0;
    try {
      put0(w, value[n0], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write2: Unrolled<2> =
  ([n0, n1], [put0, put1]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write3: Unrolled<3> =
  ([n0, n1, n2], [put0, put1, put2]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
      name = n2;
      put2(w, value[n2], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write4: Unrolled<4> =
  ([n0, n1, n2, n3], [put0, put1, put2, put3]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
      name = n2;
      put2(w, value[n2], depth, start);
      name = n3;
      put3(w, value[n3], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write5: Unrolled<5> =
  ([n0, n1, n2, n3, n4], [put0, put1, put2, put3, put4]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
      name = n2;
      put2(w, value[n2], depth, start);
      name = n3;
      put3(w, value[n3], depth, start);
      name = n4;
      put4(w, value[n4], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write6: Unrolled<6> =
  ([n0, n1, n2, n3, n4, n5], [put0, put1, put2, put3, put4, put5]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
      name = n2;
      put2(w, value[n2], depth, start);
      name = n3;
      put3(w, value[n3], depth, start);
      name = n4;
      put4(w, value[n4], depth, start);
      name = n5;
      put5(w, value[n5], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write7: Unrolled<7> =
  ([n0, n1, n2, n3, n4, n5, n6], [put0, put1, put2, put3, put4, put5, put6]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
      name = n2;
      put2(w, value[n2], depth, start);
      name = n3;
      put3(w, value[n3], depth, start);
      name = n4;
      put4(w, value[n4], depth, start);
      name = n5;
      put5(w, value[n5], depth, start);
      name = n6;
      put6(w, value[n6], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const write8: Unrolled<8> =
  ([n0, n1, n2, n3, n4, n5, n6, n7], [put0, put1, put2, put3, put4, put5, put6, put7]) =>
  (w, value, depth, start) => {
    let name = n0;
    try {
      put0(w, value[n0], depth, start);
      name = n1;
      put1(w, value[n1], depth, start);
      name = n2;
      put2(w, value[n2], depth, start);
      name = n3;
      put3(w, value[n3], depth, start);
      name = n4;
      put4(w, value[n4], depth, start);
      name = n5;
      put5(w, value[n5], depth, start);
      name = n6;
      put6(w, value[n6], depth, start);
      name = n7;
      put7(w, value[n7], depth, start);
    } catch (error) {
      throw within(error, pathStep(name));
    }
  };

const UNROLLED = [undefined, write1, write2, write3, write4, write5, write6, write7, write8] as const;
