/**
 * Cases of `maxElements`: schema, bytes, elements of the message, and the offset where the last of them are counted.
 */
import type { AnySchema } from "@moonpack/pck";
import * as pck from "@moonpack/pck";

const { array, bool, bytes, map, nullable, omitEmpty, omitNull, omitZero, ref, schema, u8, union, utf8 } = pck;
const { ARRAY, BOOL, BYTES, REF, U8, UTF8 } = pck;

const Point = schema("Point", [u8("x"), u8("y")]);
export const Tagged = schema("Tagged", [omitEmpty(array("tags", UTF8)), omitEmpty(map("names", UTF8, U8))]);
const all = (fields: Parameters<typeof schema>[1]) => schema("All", fields as never) as AnySchema;

export const ELEMENT_CASES: readonly (readonly [string, AnySchema, readonly number[], number, number])[] = [
  ["a struct of numbers", Point, [1, 2], 1, 0],
  ["four optional numbers are one element", all([1, 2, 3, 4].map((i) => omitZero(u8(`n${i}`)))), [0], 2, 0],
  ["five are two", all([1, 2, 3, 4, 5].map((i) => omitZero(u8(`n${i}`)))), [0], 3, 0],
  ["bools and optional texts are none", all([bool("a"), omitEmpty(utf8("t"))]), [0], 1, 0],
  ["an absent list is one, a Map four", Tagged, [0], 6, 0],
  ["bytes are four", all([bytes("a"), omitEmpty(bytes("b"))]), [0, 0], 9, 0],
  ["a required struct counts with its own", all([ref("p", Point), ref("t", Tagged)]), [1, 2, 0], 8, 0],
  ["elements", all([array("v", U8)]), [3, 1, 2, 3], 5, 0],
  ["elements that are structs", all([array("v", REF(Tagged))]), [2, 0, 0], 14, 0],
  ["lists of lists", all([array("v", ARRAY(U8))]), [2, 1, 7, 0], 5, 1],
  ["lists of bytes", all([array("v", BYTES())]), [1, 0], 6, 0],
  ["eight bools are one", all([array("v", BOOL)]), [9, 0, 0], 4, 0],
  ["eight nulls too", all([array("v", nullable(U8))]), [8, 0], 3, 0],
  ["a nullable that is there", all([array("v", nullable(REF(Tagged)))]), [1, 1, 0], 9, 2],
  ["a list of known length", all([array("v", U8, 3)]), [1, 2, 3], 5, 0],
  ["pairs", all([map("m", U8, UTF8)]), [1, 1, 0], 7, 0],
  ["a Map's nullables", all([map("m", U8, nullable(REF(Point)))]), [1, 1, 1, 5, 6], 7, 3],
  ["a struct that is there", all([omitNull(ref("p", Point))]), [1, 5, 6], 2, 1],
  ["one that is absent", all([omitNull(ref("p", Point))]), [0], 1, 0],
  ["an arm", all([union("u", { point: Point, tagged: Tagged })]), [1, 0], 7, 1],
];
