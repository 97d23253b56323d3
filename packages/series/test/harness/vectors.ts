/** The vectors of vectors/series, which the slow implementation wrote. */
import { readFileSync } from "node:fs";
import type { MetricType } from "../../src/metric/metric.ts";
import type { Values } from "../reference/values.ts";

export type JsonValues = { floats: (number | string)[] } | { int64s: string[] };
type Json = { readonly name: string };

export function vectorsOf<T>(file: string): (Json & T)[] {
  const text = readFileSync(new URL(`../../../../vectors/series/${file}.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { vectors: (Json & T)[] }).vectors;
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

export function fromJson(json: JsonValues): Values {
  return "floats" in json ? { floats: json.floats.map(Number) } : { int64s: json.int64s.map(BigInt) };
}

export type JsonMetric = {
  metric: { name: string; tags: [string, string][] };
  id: number;
  type: MetricType;
  canonical: string;
  entries: [key: string, value: string][];
  code?: string;
};

export type Damage = { kind: "page" | "metric" | "index" | "record"; key: string; bytes: string; cause?: string };
