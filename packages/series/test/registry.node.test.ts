/** Metrics in memory: found by name and tags in any order, never by anything else, and not kept when they are dropped or forgotten. */
import { afterEach, describe, expect, test } from "vitest";
import type { MetricRef } from "../src/api.ts";
import { CanonicalForms } from "../src/metric/canonical.ts";
import { MetricTree } from "../src/registry/metric-tree.ts";
import { RegisteredMetric } from "../src/registry/registered-metric.ts";
import { type DefinitionLog, Registry } from "../src/registry/registry.ts";
import type { NameSource } from "../src/select/name-source.ts";

const noLog: DefinitionLog = { assertWritable() {}, define() {} };

/** A store without metrics. */
const EMPTY: NameSource = {
  byForm: async (forms) => forms.map(() => undefined),
  byId: async (ids) => ids.map(() => undefined),
  get: async (keys) => keys.map(() => undefined),
  async *range() {},
};

async function registry(maxCached = 1000): Promise<Registry> {
  return new Registry(EMPTY, noLog, 0, maxCached);
}

/** The handle of a metric, registered if it is new; undefined when the store must be asked. */
function findOrCreate(metrics: Registry, ref: MetricRef): RegisteredMetric | undefined {
  return metrics.find(ref) ?? (metrics.isComplete ? metrics.create(ref) : undefined);
}

const owner = {};
const metric = (id: number, name: string, tags: Record<string, string> = {}) =>
  new RegisteredMetric(owner, id, name, { ...tags }, "float");

describe("the tree", () => {
  /** Many shapes: with common keys, with different keys, and without tags. */
  const many = (): RegisteredMetric[] => {
    const list: RegisteredMetric[] = [];
    const add = (name: string, tags: Record<string, string>) => list.push(metric(list.length, name, tags));
    for (let i = 0; i < 300; i++) {
      add(`m${i % 7}`, { host: `h${i}`, zone: `z${i % 5}` });
      add(`m${i % 7}`, { zone: `z${i}` });
      add(`own`, { [`key${i}`]: "v" });
      add(`own`, { [`key${i}`]: "v", host: `h${i % 3}` });
      add(
        `deep`,
        Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`k${key}`, key === i % 20 ? `${i}` : "0"])),
      );
      add(`alone${i}`, { host: "h" });
    }
    add("own", {});
    return list;
  };

  test("each metric is found in any order of its tags, with absent ones, and nothing else is", () => {
    const tree = new MetricTree();
    const all = many();
    for (const one of all) tree.set(one);
    for (const one of all) {
      const { name, tags, id } = one;
      expect(tree.get(name, tags)?.id).toBe(id);
      const reversed = Object.fromEntries(Object.entries(tags).reverse());
      expect(tree.get(name, reversed)?.id).toBe(id);
      expect(tree.get(name, { absent: "", ...tags })?.id).toBe(id);
      expect(tree.get(name, { ...tags, other: "x" })).toBeUndefined();
      expect(tree.get(`${name}x`, tags)).toBeUndefined();
      for (const key of Object.keys(tags)) {
        expect(tree.get(name, { ...tags, [key]: "other" })).toBeUndefined();
        expect(tree.get(name, { ...tags, [key]: 1 })).toBeUndefined();
      }
    }
    expect(tree.count().metrics).toBe(all.length);
    expect(tree.count().splits).toBeLessThan(all.length);
  });

  test("removed metrics leave nothing behind", () => {
    const tree = new MetricTree();
    const all = many();
    for (const one of all) tree.set(one);
    all.forEach((one, i) => {
      tree.delete(one);
      expect(tree.get(one.name, one.tags)).toBeUndefined();
      const next = all[i + 1];
      if (next !== undefined) expect(tree.get(next.name, next.tags)).toBe(next);
      const { metrics, splits } = tree.count();
      expect(metrics).toBe(all.length - i - 1);
      expect(splits).toBeLessThanOrEqual(metrics);
    });
    expect(tree.count()).toEqual({ metrics: 0, splits: 0 });
  });

  test("a metric takes the place of another one, whose removal leaves it there", () => {
    const tree = new MetricTree();
    const [old, young] = [metric(1, "a", { x: "1" }), metric(2, "a", { x: "1" })];
    tree.set(old);
    tree.set(young);
    tree.delete(old);
    expect(tree.get("a", { x: "1" })).toBe(young);
    tree.delete(metric(2, "a", { x: "1" }));
    expect(tree.count()).toEqual({ metrics: 0, splits: 0 });
  });

  test.each<[unknown, unknown]>([
    [1, {}],
    [undefined, undefined],
    ["a", null],
    ["a", "x"],
    ["a", { x: null }],
    ["a", { x: { toString: 5 } }],
    ["a", { "": "", x: "1" }],
    ["a", { "\u0000": "", x: "1" }],
    ["a", { "\ud800": "", x: "1" }],
  ])("%j with tags %j is not found", (name, tags) => {
    const tree = new MetricTree();
    for (const x of ["1", "2"]) tree.set(metric(Number(x), "a", { x }));
    for (let i = 0; i < 40; i++) tree.set(metric(10 + i, "a", { [`k${i}`]: "v" }));
    expect(tree.get(name, tags)).toBeUndefined();
  });
});

describe("prototypes", () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, "host");
  });

  test("only own tags count", async () => {
    const metrics = await registry();
    const a = findOrCreate(metrics, { name: "cpu", tags: { host: "a" } })!;
    const other = findOrCreate(metrics, { name: "cpu", tags: { zone: "z" } })!;
    const none = findOrCreate(metrics, { name: "cpu" })!;
    Object.defineProperty(Object.prototype, "host", {
      value: "a",
      enumerable: true,
      configurable: true,
      writable: true,
    });
    expect(metrics.find({ name: "cpu", tags: { zone: "z" } })).toBe(other);
    expect(metrics.find({ name: "cpu", tags: {} })).toBe(none);
    expect(metrics.find({ name: "cpu" })).toBe(none);
    expect(metrics.find({ name: "cpu", tags: JSON.parse('{"host":"a"}') as Record<string, string> })).toBe(a);
  });

  test("a tag may be called __proto__ or constructor", async () => {
    const metrics = await registry();
    const refs = ['{"__proto__":"a"}', '{"__proto__":"b"}', '{"constructor":"a"}', "{}"].map((text) => ({
      name: "toString",
      tags: JSON.parse(text) as Record<string, string>,
    }));
    const made = refs.map((ref) => findOrCreate(metrics, ref)!);
    expect(new Set(made).size).toBe(4);
    expect(refs.map((ref) => metrics.find(ref))).toEqual(made);
    expect(metrics.next).toBe(4);
  });
});

describe("the registry", () => {
  test("a metric is one in every order of its tags, with empty ones, even long ones", async () => {
    const metrics = await registry();
    const made = findOrCreate(metrics, { name: "cpu", tags: { a: "1", b: "2" } });
    expect(findOrCreate(metrics, { name: "cpu", tags: { b: "2", a: "1" } })).toBe(made);
    expect(findOrCreate(metrics, { name: "cpu", tags: { b: "2", c: "", a: "1" } })).toBe(made);
    expect(findOrCreate(metrics, { name: "cpu", tags: { b: "2", ["c".repeat(127)]: "", a: "1" } })).toBe(made);
    expect(metrics.next).toBe(1);
  });

  test.each([
    { name: "cpu", tags: { a: "1", b: 2 } },
    { name: "cpu", tags: { a: "1", ["b".repeat(128)]: "" } },
    { name: "cpu", tags: { a: "1", "b\n": "" } },
    { name: "cpu", tags: 5 },
    { tags: { a: "1" } },
  ])("%j is refused beside a metric that is like it", async (ref) => {
    const metrics = await registry();
    findOrCreate(metrics, { name: "cpu", tags: { a: "1" } });
    expect(() => metrics.find(ref as unknown as MetricRef)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_METRIC" }) as Error,
    );
  });

  test("a forgotten metric is not found; its name gets a new id", async () => {
    const metrics = await registry();
    const tags = { a: "1", b: "2" };
    const first = findOrCreate(metrics, { name: "cpu", tags })!;
    findOrCreate(metrics, { name: "cpu", tags: { a: "2" } });
    metrics.forget(first);
    expect(metrics.find({ name: "cpu", tags: { b: "2", a: "1" } })).toBeUndefined();
    expect(metrics.find(first)).toBeUndefined();
    const second = findOrCreate(metrics, { name: "cpu", tags })!;
    expect(second.id).toBe(2);
    expect(metrics.find(first)).toBe(second);
  });

  test("above the bound, metrics in the store are dropped, in whatever order of tags they were found", async () => {
    const metrics = await registry(10);
    const made: RegisteredMetric[] = [];
    for (let i = 0; i < 11; i++) {
      const one = findOrCreate(metrics, { name: "cpu", tags: { a: `${i}`, b: "x" } })!;
      expect(metrics.find({ name: "cpu", tags: { b: "x", a: `${i}` } })).toBe(one);
      made.push(one);
      metrics.persisted([{ metric: one, form: new CanonicalForms().of(one) }], i + 1);
    }
    const known = made.filter(({ name, tags }) => metrics.find({ name, tags }) !== undefined);
    expect(known).toEqual(made.slice(1));
    expect(metrics.find({ name: "cpu", tags: { a: "0", b: "x" } })).toBeUndefined();
    expect(metrics.find({ name: "cpu", tags: { b: "x", a: "0" } })).toBeUndefined();
    expect(findOrCreate(metrics, { name: "cpu", tags: { a: "0", b: "x" } })).toBeUndefined();
  });

  test("a metric with long tags counts as several", async () => {
    const metrics = await registry(100);
    const long = (i: number) => ({ name: "cpu", tags: { i: `${i}`, a: "a".repeat(1000), b: "b".repeat(1000) } });
    for (let i = 0; i < 50; i++) {
      const one = findOrCreate(metrics, long(i)) ?? metrics.create(long(i));
      metrics.persisted([{ metric: one, form: new CanonicalForms().of(one) }], i + 1);
    }
    const known = Array.from({ length: 50 }, (_, i) => i).filter((i) => metrics.find(long(i)) !== undefined);
    // Their forms take 2,019 bytes: eight times 256.
    expect(known).toEqual(Array.from({ length: 12 }, (_, i) => 38 + i));
  });

  test("pending metrics are counted until they are in the store, or forgotten", async () => {
    const metrics = await registry(10);
    const made = Array.from({ length: 30 }, (_, i) => metrics.create({ name: "cpu", tags: { i: `${i}` } }));
    expect(metrics.pendingBytes).toBeGreaterThan(30 * 500);
    const pending = [...metrics.pending.values()];
    metrics.forget(made[3]!);
    metrics.persisted(pending.slice(0, 20), 20);
    expect(metrics.pending.size).toBe(10);
    for (const one of made.slice(20)) metrics.forget(one);
    expect(metrics.pendingBytes).toBe(0);
  });
});
