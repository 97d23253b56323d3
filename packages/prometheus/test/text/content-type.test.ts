/** Which format the headers of a request and of a response name. */
import { CONTENT_TYPES, chooseFormat, formatOfContentType, type TextFormat } from "@moonpack/prometheus/text";
import { expect, test } from "vitest";

const ACCEPT: readonly (readonly [string | undefined, TextFormat])[] = [
  [undefined, "prometheus"],
  ["", "prometheus"],
  ["*/*", "prometheus"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "prometheus"],
  ["text/plain", "prometheus"],
  ["text/*", "prometheus"],
  ["application/json", "prometheus"],
  ["application/openmetrics-text", "openmetrics"],
  ['Application/OpenMetrics-Text ; Version="1.0.0" ', "openmetrics"],
  ["application/openmetrics-text;version=0.0.1", "prometheus"],
  ["application/openmetrics-text;version=2.0.0,*/*;q=0.1", "prometheus"],
  ["application/openmetrics-text, text/plain", "openmetrics"],
  ["text/plain, application/openmetrics-text", "openmetrics"],
  ["application/openmetrics-text, */*", "openmetrics"],
  ["application/openmetrics-text;q=0.5, text/plain", "prometheus"],
  ["application/openmetrics-text;q=0.5, text/plain;q=0.4", "openmetrics"],
  ["application/openmetrics-text;q=0, */*", "prometheus"],
  ["application/openmetrics-text;q=0, text/plain;q=0", "prometheus"],
  ["application/openmetrics-text;q=2, text/plain;q=0.1", "prometheus"],
  ["application/openmetrics-text;q=x, text/plain;q=0.1", "prometheus"],
  ["application/*, text/plain;q=0.5", "openmetrics"],
  ['a/b;c="d,e;f\\"", application/openmetrics-text', "openmetrics"],
  // Prometheus 2.42 and 3.
  [
    "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
    "openmetrics",
  ],
  [
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
    "openmetrics",
  ],
  ["text/plain;version=0.0.4;q=0.5,application/openmetrics-text;version=1.0.0;q=0.4", "prometheus"],
];

test.each(ACCEPT)("Accept: %s", (accept, format) => {
  expect(chooseFormat(accept)).toBe(format);
});

test("content types", () => {
  expect(formatOfContentType(CONTENT_TYPES.prometheus)).toBe("prometheus");
  expect(formatOfContentType(CONTENT_TYPES.openmetrics)).toBe("openmetrics");
  expect(formatOfContentType("text/plain")).toBe("prometheus");
  expect(formatOfContentType("application/openmetrics-text;version=0.0.1")).toBe("openmetrics");
  expect(formatOfContentType("application/openmetrics-text")).toBe("openmetrics");
  for (const other of ["application/openmetrics-text;version=2.0.0", "text/html", "", undefined, null])
    expect(formatOfContentType(other)).toBe(undefined);
});

test("headers that were made to take long", () => {
  const started = performance.now();
  for (const part of ['"', ",", ";", '"\\', ";q=", "a/b,", '",']) {
    chooseFormat(part.repeat(20_000));
    formatOfContentType(part.repeat(20_000));
  }
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("arguments", () => {
  for (const wrong of [5, {}, []]) {
    expect(() => chooseFormat(wrong as never)).toThrow("the text of a header");
    expect(() => formatOfContentType(wrong as never)).toThrow("the text of a header");
  }
});
