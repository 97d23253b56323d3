/** What a metric is (docs/series-format.md, section 2): a name, tags and a type. */

/** The type of a metric's values: fixed by its first registration. */
export type MetricType = "float" | "int64";

/** A metric, as users name it. */
export interface Metric {
  /** 1 to 255 bytes of UTF-8, without control characters. */
  readonly name: string;
  /** At most 32 tags. An empty value means that the metric does not have the tag. */
  readonly tags?: Readonly<Record<string, string>>;
  /** `float` unless the metric is known already. */
  readonly type?: MetricType;
}

/** A metric that is registered: the fastest way to name it in writes. */
export interface MetricHandle {
  /** The number of the metric in this store. It never returns to another metric. */
  readonly id: number;
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly type: MetricType;
}

/** The byte that stands for a type on disk. */
export function typeByte(type: MetricType): number {
  return type === "int64" ? 1 : 0;
}

/** The type that a byte stands for; undefined for any other byte. */
export function typeOfByte(byte: number): MetricType | undefined {
  return byte === 0 ? "float" : byte === 1 ? "int64" : undefined;
}
