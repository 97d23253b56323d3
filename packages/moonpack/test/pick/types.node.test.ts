/** The types of picked values follow from the paths. TypeScript checks this file when the tests are compiled. */
import { encode } from "moonpack";
import { type Changes, each, edit, Picker, pick, type Raw } from "moonpack/pick";
import { decodeFrames } from "moonpack/stream";
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

test("raw values are of the type Raw", () => {
  const order = new Picker({ body: "/user", skus: "/items/*/sku", id: "/id" }, { raw: ["body", "skus"] });
  const { body, skus, id } = order.decode<Order>(bytes);
  expectTypeOf(body).toEqualTypeOf<Raw | undefined>();
  expectTypeOf(skus).toEqualTypeOf<(Raw | undefined)[]>();
  expectTypeOf(id).toEqualTypeOf<number>();
  expectTypeOf(pick(bytes, "/user", { raw: true })).toEqualTypeOf<Raw | undefined>();
  expect(body?.decode()).toEqual({ name: "Ada" });
  const unknownAtCompileTime: boolean = skus.length > 0;
  expectTypeOf(pick(bytes, "/user", { raw: unknownAtCompileTime })).toBeUnknown();
});

test("a path that is only known as a text has no type, and what is not in a message has none", () => {
  const pointer: string = "/id";
  expectTypeOf(new Picker(pointer).decode<Order>(bytes)).toBeUnknown();
  interface Blob {
    readonly data: Uint8Array;
    readonly at: Date;
  }
  const none = new Picker({ length: "/data/length", time: "/at/getTime" });
  expectTypeOf(none.decode<Blob>(bytes)).toEqualTypeOf<{ length: undefined; time: undefined }>();
  expect(none.decode(bytes)).toEqual({ length: undefined, time: undefined });
});

test("functions among changes name the type of the old value", () => {
  const changes: Changes = { "/id": (n: number) => n + 1, "/a~1b": undefined, "/none": null };
  expect(pick(edit(bytes, changes), ["/id", "/a~1b", "/none"])).toEqual([8, undefined, null]);
});

test("frames have the type of their decoder", () => {
  type Item<T> = T extends AsyncIterable<infer V> ? V : never;
  const ids = new Picker({ id: "/id" });
  const picked = () => decodeFrames([], ids);
  expectTypeOf<Item<ReturnType<typeof picked>>>().toEqualTypeOf<{ id: unknown }>();
  const byOption = () => decodeFrames([], { decode: ids });
  expectTypeOf<Item<ReturnType<typeof byOption>>>().toEqualTypeOf<{ id: unknown }>();
  const typed = () => decodeFrames([], { decode: (frame) => ids.decode<{ id: number }>(frame) });
  expectTypeOf<Item<ReturnType<typeof typed>>>().toEqualTypeOf<{ id: number }>();
  const frames = () => decodeFrames([]);
  expectTypeOf<Item<ReturnType<typeof frames>>>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
});
