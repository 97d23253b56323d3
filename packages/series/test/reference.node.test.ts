/** The slow implementation writes the examples of the format's page, and reads what it writes. */
import { describe, expect, test } from "vitest";
import { bytesOf, Cursor, hexOf } from "./reference/bytes.ts";
import { logExample, metricExample, pageExample, timeExamples, valueExamples } from "./reference/examples.ts";
import { decodeRecord, encodeRecord } from "./reference/log-record.ts";
import { decodeMetric, encodeMetric } from "./reference/metric.ts";
import { decodePage, encodePage } from "./reference/page.ts";
import { decodeTimes, encodeTimes } from "./reference/times.ts";
import { decodeValues, encodeValues, type Values } from "./reference/values.ts";

const tidy = (hex: string) => hex.replaceAll(" ", "");

describe("the examples of the format's page", () => {
  test.each(timeExamples)("$name", ({ times, hex }) => {
    expect(hexOf(encodeTimes(times))).toBe(tidy(hex));
    expect(decodeTimes(new Cursor(bytesOf(hex)))).toEqual(times);
  });

  test.each(valueExamples)("$name", ({ name: _, hex, ...values }) => {
    expect(hexOf(encodeValues(values as Values))).toBe(tidy(hex));
    const count = "floats" in values ? values.floats.length : values.int64s.length;
    expect(decodeValues(count, new Cursor(bytesOf(hex)))).toEqual(values);
  });

  test(pageExample.name, () => {
    const { key, bytes } = encodePage(pageExample.page);
    expect(hexOf(key)).toBe(tidy(pageExample.key));
    expect(hexOf(bytes)).toBe(tidy(pageExample.hex));
    expect(decodePage(key, bytes)).toEqual(pageExample.page);
  });

  test(metricExample.name, () => {
    expect(hexOf(encodeMetric(metricExample.metric))).toBe(tidy(metricExample.hex));
    expect(decodeMetric(new Cursor(bytesOf(metricExample.hex)))).toEqual(metricExample.metric);
  });

  test(logExample.name, () => {
    const { number, record, hex } = logExample;
    expect(hexOf(encodeRecord(number, record))).toBe(tidy(hex));
    expect(decodeRecord(new Cursor(bytesOf(hex)))).toEqual({ number, record });
  });
});
