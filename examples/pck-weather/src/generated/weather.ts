/**
 * Weather: PCK codecs.
 * Made by moonpack from a schema: edit the schema, not this file.
 */

import {
  type BytesInput,
  PackMessages,
  type PackReader,
  type PackWriter,
  asPlace,
  asU32,
  asU8,
  f32At,
  isEmptyList,
  listOf,
  notCanonical,
  notPadded,
  objectOf,
  packMessageInto,
  packMessageOwned,
  packMessageShared,
  packedSize,
  placesOf,
  putF32,
  readCount,
  readIndex,
  readText,
  shortList,
  truncatedBlock,
  u32At,
  unpackMessage,
  within,
  writeText,
  writeUvar,
} from "@moonpack/pck/runtime";

// Types

export interface Weather {
  reports: Report[];
}

/** A value that can be encoded as {@link Weather}. */
export interface WeatherInput {
  readonly reports: readonly ReportInput[];
}

/** One observation of the weather. */
export interface Report {
  place: string;
  /** Seconds since 1970. */
  time: number;
  celsius: number;
  /** In km/h. */
  wind: number;
  sky: "clear" | "cloudy" | "rain" | "snow";
  source: "person" | "sensor";
  warnings: string[];
}

/** A value that can be encoded as {@link Report}. */
export interface ReportInput {
  readonly place: string;
  readonly time: number;
  readonly celsius: number;
  readonly wind: number;
  readonly sky: "clear" | "cloudy" | "rain" | "snow";
  readonly source: "person" | "sensor";
  readonly warnings?: readonly string[] | undefined;
}

const REPORT_SKY = ["clear", "cloudy", "rain", "snow"] as const;
const REPORT_SKY_PLACES = placesOf(REPORT_SKY);
const REPORT_SOURCE = ["person", "sensor"] as const;
const REPORT_SOURCE_PLACES = placesOf(REPORT_SOURCE);

// Writing

function writeWeather(w: PackWriter, value: WeatherInput): void {
  let at = "";
  try {
    objectOf(value);
    at = ".reports";
    const list = listOf(value.reports);
    const count = list.length;
    writeUvar(w, count);
    let i = 0;
    try {
      for (; i < count; i++) {
        writeReport(w, list[i]!);
      }
    } catch (error) {
      throw within(error, `[${i}]`);
    }
  } catch (error) {
    throw within(error, at);
  }
}

function writeReport(w: PackWriter, value: ReportInput): void {
  let at = "";
  try {
    objectOf(value);
    w.reserve(12);
    const b = w.bytes;
    let p = w.pos;
    at = ".warnings";
    const warnings = value.warnings;
    const hasWarnings = warnings !== undefined && !isEmptyList(warnings);
    b[p++] = hasWarnings ? 1 : 0;
    at = ".time";
    w.view.setInt32(p, asU32(value.time), true);
    p += 4;
    at = ".wind";
    b[p++] = asU8(value.wind);
    at = ".celsius";
    p = putF32(w.view, p, value.celsius);
    at = ".sky";
    b[p++] = asPlace(value.sky, REPORT_SKY_PLACES);
    at = ".source";
    b[p++] = asPlace(value.source, REPORT_SOURCE_PLACES);
    w.pos = p;
    at = ".place";
    writeText(w, value.place);
    if (hasWarnings) {
      at = ".warnings";
      const list = listOf(warnings);
      const count = list.length;
      writeUvar(w, count);
      let i = 0;
      try {
        for (; i < count; i++) {
          writeText(w, list[i]!);
        }
      } catch (error) {
        throw within(error, `[${i}]`);
      }
    }
  } catch (error) {
    throw within(error, at);
  }
}

// Reading

function readWeather(r: PackReader): Weather {
  const count = readCount(r, 13, 2);
  const reports: Report[] = count < 5 ? shortList(count) : [];
  r.reserved += count * 13;
  for (let i = 0; i < count; i++) {
    r.reserved -= 13;
    reports[i] = readReport(r);
  }
  return { reports };
}

function readReport(r: PackReader): Report {
  const b = r.bytes;
  const end = r.end;
  let p = r.pos;
  if (p + 10 > end) throw truncatedBlock(r, p, [-1, 4, 1, 4]);
  const bits = b[p]!;
  if (bits > 1) throw notPadded(p);
  const time = u32At(b, p + 1);
  const wind = b[p + 5]!;
  const celsius = f32At(b, p + 6);
  p += 10;
  r.pos = p;
  const sky = REPORT_SKY[readIndex(r, 4)]!;
  const source = REPORT_SOURCE[readIndex(r, 2)]!;
  const place = readText(r);
  let warnings: string[];
  if ((bits & 1) !== 0) {
    const start = r.pos;
    const count = readCount(r, 1, 1);
    warnings = count < 5 ? shortList(count) : [];
    for (let i = 0; i < count; i++) {
      warnings[i] = readText(r);
    }
    if (count === 0) throw notCanonical(start);
  } else warnings = [];
  return { place, time, celsius, wind, sky, source, warnings };
}

// Messages

const messages = /* @__PURE__ */ new PackMessages(512);

/** Encodes a Weather into new memory. Throws `EncodeError` with code and path. */
export function encodeWeather(value: WeatherInput): Uint8Array<ArrayBuffer> {
  return packMessageOwned(messages, writeWeather, value);
}

/** Encodes a Weather into `target` at `offset`. Returns the offset after its bytes. */
export function encodeWeatherInto(value: WeatherInput, target: Uint8Array, offset = 0): number {
  return packMessageInto(messages, writeWeather, value, target, offset);
}

/** Encodes a Weather. The result is a view that is valid until the next call of this module. */
export function encodeWeatherShared(value: WeatherInput): Uint8Array<ArrayBuffer> {
  return packMessageShared(messages, writeWeather, value);
}

/** Returns how many bytes a Weather takes. */
export function sizeWeather(value: WeatherInput): number {
  return packedSize(messages, writeWeather, value);
}

/** Decodes a Weather. Throws `DecodeError` with code and offset. */
export function decodeWeather(bytes: BytesInput): Weather {
  return unpackMessage(messages, readWeather, bytes, 2);
}
