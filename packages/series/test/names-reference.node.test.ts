/** Names files and manifests against a second implementation, which was written from the format's page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ByteCache } from "../build/blocks/byte-cache.js";
import { FileHandles, PagedFile } from "../build/blocks/file-pages.js";
import { NamesFile } from "../build/names/names-file.js";
import { namesName } from "../build/names/names-format.js";
import { openWith } from "../build/open.js";
import { readOptions } from "../build/options.js";
import { ForgetfulFileSystem } from "./harness/forgetful-file-system.ts";
import { decodeBlock } from "./reference/block.ts";
import { encodeMetric } from "./reference/metric.ts";
import { decodeForms, decodeManifest, encodeNames, type NamedMetric } from "./reference/names.ts";
import { chunkOf, encodeChunk, indexKey } from "./reference/tag-index.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const NOW = 1_700_000_000_000;
const PATH = "/store";

function metricsOf(seed: number): NamedMetric[] {
  const random = randomFrom(seed);
  const count = [1, 3, 64, 65, 300, 1500, 5000][seed % 7]!;
  const text = () => ["x", "é", "😀"][random(3)]!;
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `m${random(3)}${"n".repeat(random(4))}`,
    type: random(4) === 0 ? "int64" : "float",
    tags: [
      ["id", `${"long".repeat(random(20))}${(id * 7919) % count}`],
      ...(random(2) === 0 ? [["host", `${text()}${random(9)}`] as const] : []),
      ...(random(9) === 0 ? [["absent", ""] as const] : []),
    ],
  }));
}

test.each(
  Array.from({ length: 14 }, (_, seed) => seed),
)("seed %i: the same bytes, and the same metrics", async (seed) => {
  const files = new ForgetfulFileSystem();
  const series = await openWith(readOptions({ path: PATH, now: () => NOW }), files);
  const metrics = metricsOf(seed);
  const handles = await Promise.all(
    metrics.map(({ name, tags, type }) => series.metric({ name, tags: Object.fromEntries(tags), type })),
  );
  expect(handles.map(({ id }) => id)).toEqual(metrics.map(({ id }) => id));
  const int64 = metrics[0]!.type === "int64";
  const { name, tags } = metrics[0]!;
  await series.write([{ metric: { name, tags: Object.fromEntries(tags) }, timestamp: NOW, value: int64 ? 7n : 7 }]);
  await series.flush();
  await series.delete({ metric: { name, tags: Object.fromEntries(tags) }, from: 0, to: 5 });
  await series.flush();

  const read = async (name: string) => [...(await files.read(join(PATH, name)))];
  const manifests = (await files.list(join(PATH, "manifest"))).sort();
  const manifest = decodeManifest(await read(`manifest/${manifests.at(-1)}`));
  expect(Object.keys(manifest)).toEqual(
    ["format", "id", "isBackup", "log", "nextFile", "nextId", "firstLog", "sealed", "generation", "dropped"].concat([
      "blocks",
      "names",
      "tombstones",
      "forgotten",
    ]),
  );
  const [block] = manifest.blocks as Record<string, never>[];
  const [names] = manifest.names as Record<string, never>[];
  const nameOf = (file: number) => String(file).padStart(10, "0");
  const blockBytes = await read(`blocks/${nameOf(block!.file!)}.blk`);
  expect(decodeBlock(blockBytes).map(({ id }) => id)).toEqual([0]);
  const namesBytes = await read(`names/${nameOf(names!.file!)}.nam`);
  expect(manifest).toMatchObject({
    format: 2,
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    isBackup: false,
    log: "log",
    nextId: metrics.length,
    sealed: Math.floor(NOW / 60_000),
    blocks: [{ level: 0, isWide: false, generations: [1, 1], from: NOW, to: NOW, points: 1, bytes: blockBytes.length }],
    names: [{ metrics: metrics.length, bytes: namesBytes.length }],
    tombstones: [{ id: 0, from: 0, to: 5 }],
    forgotten: [],
  });
  expect(Buffer.from(namesBytes).toString("hex")).toBe(Buffer.from(encodeNames(names!.file!, metrics)).toString("hex"));
  expect(decodeForms(namesBytes)).toEqual(
    metrics.map((one) => ({ form: encodeMetric(one), id: one.id, type: one.type })),
  );
  await series.close();
});

interface NamesVector {
  readonly name: string;
  readonly file: number;
  readonly metrics: readonly NamedMetric[];
  readonly bytes: string;
}

const { vectors } = JSON.parse(
  readFileSync(new URL("../../../vectors/series/names.json", import.meta.url), "utf8"),
) as { readonly vectors: readonly NamesVector[] };

test.each(vectors)("vector: $name", async ({ file, metrics, bytes }) => {
  const content = Uint8Array.from(Buffer.from(bytes, "hex"));
  expect(decodeForms([...content]).map(({ id }) => id)).toEqual(metrics.map(({ id }) => id));
  const files = new ForgetfulFileSystem();
  await files.makeFolder(join(PATH, "names"));
  const target = await files.create(join(PATH, namesName(file)));
  await target.write(content, 0);
  const cache = new ByteCache(2 ** 20);
  const paged = new PagedFile(join(PATH, namesName(file)), content.length, new FileHandles(files), cache);
  const view = new DataView(content.buffer);
  const footer = {
    offset: Number(view.getBigUint64(content.length - 16, true)),
    length: view.getUint32(content.length - 8, true),
    crc: view.getUint32(content.length - 4, true),
  };
  const names = new NamesFile({ file, metrics: metrics.length, bytes: content.length, footer }, paged, cache);
  const ids = new Map<string, number[]>();
  for (const one of metrics) {
    const form = Uint8Array.from(encodeMetric(one));
    const value = Uint8Array.of(0, 0, one.id >>> 8, one.id, one.type === "int64" ? 1 : 0);
    expect(await names.find(form)).toEqual(value);
    expect(await names.byId(one.id)).toEqual([form, value]);
    expect(await names.find(Uint8Array.of(...form, 0))).toBeUndefined();
    for (const [tag, text] of [["", one.name] as const, ...one.tags]) {
      const key = String(indexKey(tag, text, chunkOf(one.id)));
      ids.set(key, [...(ids.get(key) ?? []), one.id]);
    }
  }
  for (const [key, list] of ids)
    expect(await names.tag(Uint8Array.from(key.split(",").map(Number)))).toEqual(Uint8Array.from(encodeChunk(list)));
  expect(await names.byId(metrics.at(-1)!.id + 1)).toBeUndefined();
  await names.close();
});
