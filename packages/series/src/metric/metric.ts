/** Metrics (docs/series-format.md, section 2): a name, tags and a type. */

/** The type of a metric's values. The first registration fixes it. */
export type MetricType = "float" | "int64";

/** A metric by its name and tags. */
export interface Metric {
  /** 1 to 255 bytes of UTF-8, without control characters. */
  readonly name: string;
  /** At most 32 tags. An empty value means that the metric does not have the tag. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Default: the type of the registered metric, or `float` for a new one. */
  readonly type?: MetricType;
}

/** The handle of a registered metric: the fastest way to refer to it. */
export interface MetricHandle {
  /** The id of the metric in this store. Ids are never reused. */
  readonly id: number;
  /** The name. */
  readonly name: string;
  /** The tags, without empty values. */
  readonly tags: Readonly<Record<string, string>>;
  /** The type of the values. */
  readonly type: MetricType;
}

/** Returns the byte of a type on disk. */
export function typeByte(type: MetricType): number {
  return type === "int64" ? 1 : 0;
}

/** Returns the type of a byte on disk; undefined for an unknown byte. */
export function typeOfByte(byte: number): MetricType | undefined {
  return byte === 0 ? "float" : byte === 1 ? "int64" : undefined;
}
