/** A metric on disk: its canonical form, and a value with its id and its type (docs/series-format.md, section 2). */
import { SeriesError } from "../errors.js";
import { type MetricHandle, type MetricType, typeByte, typeOfByte } from "./metric.js";

const ID_BYTES = 4;

/** A metric on disk. */
export interface StoredName {
  /** The id of the metric. */
  readonly id: number;
  /** The type of the values. */
  readonly type: MetricType;
  /** The canonical form. */
  readonly form: Uint8Array;
}

/** Returns the value of a canonical form: the id `u32 BE` and the type. */
export function nameValue({ id, type }: Pick<MetricHandle, "id" | "type">): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(id >>> 24, id >>> 16, id >>> 8, id, typeByte(type));
}

/** Returns the metric with a form and its value. Throws `ERR_SERIES_CORRUPT`, which names the key of the entry, for an invalid value. */
export function storedName(form: Uint8Array, value: Uint8Array, key: Uint8Array = form): StoredName {
  const type = value.length === ID_BYTES + 1 ? typeOfByte(value[ID_BYTES]!) : undefined;
  if (type === undefined)
    throw new SeriesError("ERR_SERIES_CORRUPT", "the entry of a metric is damaged", { column: "metrics", key });
  return { id: new DataView(value.buffer, value.byteOffset).getUint32(0), type, form };
}
