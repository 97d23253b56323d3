/** The types of picked values follow from the paths. TypeScript checks this file when the tests are compiled. */
import { encode } from "moonpack";
import { each, Picker, pick } from "moonpack/pick";
import { expect, expectTypeOf, test } from "vitest";

interface Order {
  readonly id: number;
  readonly user: { readonly name: string; readonly mail?: string };
  readonly items: readonly { readonly sku: string; readonly price: number | null }[];
  readonly "a/b": boolean;
  readonly counts: ReadonlyMap<string, bigint>;
}
const bytes = encode({ id: 7, user: { name: "Ada" }, items: [{ sku: "a", price: 1 }], "a/b": true, counts: new Map() });

test("values, lists and objects of paths", () => {
  const name = new Picker("/user/name").decode<Order>(bytes);
  expectTypeOf(name).toEqualTypeOf<string>();
  const list = new Picker(["/id", "/items/*/sku", "/items/0/price", "/a~1b"]).decode<Order>(bytes);
  expectTypeOf(list).toEqualTypeOf<[number, string[], number | null | undefined, boolean]>();
  const object = new Picker({ mail: "/user/mail", none: "/user/none", count: "/counts/x", all: "" }).decode<Order>(
    bytes,
  );
  expectTypeOf(object.mail).toEqualTypeOf<string | undefined>();
  expectTypeOf(object.none).toEqualTypeOf<undefined>();
  expectTypeOf(object.count).toEqualTypeOf<bigint | undefined>();
  expectTypeOf(object.all).toEqualTypeOf<Order>();
  expect([name, ...list]).toEqual(["Ada", 7, ["a"], 1, true]);
});

test("without a type of the message, and with lists of keys, they are unknown", () => {
  expectTypeOf(pick(bytes, "/id")).toBeUnknown();
  expectTypeOf(pick(bytes, { id: "/id" })).toEqualTypeOf<{ id: unknown }>();
  expectTypeOf(new Picker({ sku: ["items", each, "sku"] }).decode<Order>(bytes)).toEqualTypeOf<{ sku: unknown }>();
  expect(pick(bytes, { id: "/id" })).toEqual({ id: 7 });
});
