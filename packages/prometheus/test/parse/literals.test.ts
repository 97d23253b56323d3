/** Numbers, durations and strings. */
import { type NumberLiteral, parseQuery, printQuery, type StringLiteral } from "@moonpack/prometheus";
import { expect, test } from "vitest";
import { refusal } from "../harness/tree.ts";

const NUMBERS: [text: string, value: number, printed: string][] = [
  ["1", 1, "1"],
  ["2.", 2, "2"],
  [".5", 0.5, "0.5"],
  ["5e-3", 0.005, "0.005"],
  ["1.e5", 100_000, "100000"],
  ["1e+2", 100, "100"],
  ["1E300", 1e300, `1${"0".repeat(300)}`],
  ["1.5e-10", 1.5e-10, "0.00000000015"],
  ["-0", -0, "-0"],
  ["+7", 7, "7"],
  ["- -7", 7, "7"],
  ["0x1F", 31, "31"],
  ["0X_ff", 255, "255"],
  ["0xee", 238, "238"],
  ["017", 15, "15"],
  ["0_17", 15, "15"],
  ["018", 18, "18"],
  ["1_000_000", 1_000_000, "1000000"],
  ["1_0.2_5", 10.25, "10.25"],
  ["9223372036854775808", 2 ** 63, "9223372036854776000"],
  ["Inf", Number.POSITIVE_INFINITY, "+Inf"],
  ["-iNF", Number.NEGATIVE_INFINITY, "-Inf"],
  ["nan", Number.NaN, "NaN"],
  ["5m", 300, "5m"],
  ["-1h30m", -5400, "-1h30m"],
  ["1y2w3d4h5m6s7ms", 33_019_506.007, "382d4h5m6s7ms"],
  ["1w", 604_800, "1w"],
  ["8d", 691_200, "8d"],
  ["365d", 31_536_000, "1y"],
  ["90m", 5400, "1h30m"],
  ["1003ms", 1.003, "1s3ms"],
  ["0s", 0, "0s"],
];

test("numbers and durations", () => {
  for (const [text, value, printed] of NUMBERS) {
    const literal = parseQuery(text) as NumberLiteral;
    expect(literal.kind, text).toBe("number");
    expect(literal.value, text).toBe(value);
    expect(printQuery(literal), text).toBe(printed);
    expect(literal.isDuration, text).toBe(/[mhdwys]$/.test(text));
    expect(literal.start, text).toBe(0);
    expect(literal.end, text).toBe(text.length);
  }
});

test("numbers and durations that are refused, with their place", () => {
  for (const text of ["1_", "1__0", "1e", "0x", "1.5.2", "100..4", "5mm", "1s2", "1x0", "0deadbeef", "5m_"])
    expect(refusal(`a + ${text}`), text).toBe(`1:5: bad number or duration syntax: "${text}"`);
  expect(refusal("1h1y")).toBe('1:1: not a valid duration string: "1h1y"');
  expect(refusal("5m5m")).toBe('1:1: not a valid duration string: "5m5m"');
  expect(refusal("1ms1s")).toBe('1:1: not a valid duration string: "1ms1s"');
  expect(refusal("293y")).toBe("1:1: duration out of range");
  expect(refusal("1e309")).toBe('1:1: error parsing number: "1e309": value out of range');
  expect(refusal("0xFFFFFFFFFFFFFFFF")).toBe('1:1: error parsing number: "0xFFFFFFFFFFFFFFFF": value out of range');
});

const STRINGS: [text: string, value: string, printed: string][] = [
  ['"a"', "a", '"a"'],
  ["'a\"'", 'a"', '"a\\""'],
  ['"\'"', "'", '"\'"'],
  ["`a\\n\"'\n`", "a\\n\"'\n", '"a\\\\n\\"\'\\n"'],
  ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '\x07\b\f\n\r\t\v\\"', '"\\a\\b\\f\\n\\r\\t\\v\\\\\\""'],
  ["'\\''", "'", '"\'"'],
  ['"\\101\\x42\\u0043\\U00000044"', "ABCD", '"ABCD"'],
  ['"\\u00e4\\U0001F600"', "ä😀", '"ä😀"'],
  ['"\\xc3\\xa4\\xf0\\x9f\\x98\\x80"', "ä😀", '"ä😀"'],
  ['"\\377"', "\udcff", '"\\xff"'],
  ['"a\\xc5z"', "a\udcc5z", '"a\\xc5z"'],
  ['"\\xed\\xa0\\x80"', "\udced\udca0\udc80", '"\\xed\\xa0\\x80"'],
  ['"\\xc0\\x80\\xf5"', "\udcc0\udc80\udcf5", '"\\xc0\\x80\\xf5"'],
  ['"\\x00\\x7f\\u00a0\\u2028\\U000e0001"', "\0\x7f\u00a0\u2028\u{e0001}", '"\\x00\\x7f\\u00a0\\u2028\\U000e0001"'],
  ['"日本"', "日本", '"日本"'],
];

test("strings", () => {
  for (const [text, value, printed] of STRINGS) {
    const literal = parseQuery(text) as StringLiteral;
    expect(literal.value, text).toBe(value);
    expect(literal.valueType, text).toBe("string");
    expect(printQuery(literal), text).toBe(printed);
    expect((parseQuery(printed) as StringLiteral).value, text).toBe(value);
  }
});

test("strings that are refused, with their place", () => {
  expect(refusal('a == "b')).toBe("1:6: unterminated quoted string");
  expect(refusal('"b\n"')).toBe("1:1: unterminated quoted string");
  expect(refusal('"b\\')).toBe("1:1: unterminated quoted string");
  expect(refusal("`b")).toBe("1:1: unterminated raw string");
  expect(refusal('"ab\\q"')).toBe("1:4: unknown escape sequence 'q'");
  expect(refusal('"\\\'"')).toBe("1:2: unknown escape sequence '\\''");
  expect(refusal('"\\8"')).toBe("1:2: unknown escape sequence '8'");
  expect(refusal('"\\😀"')).toBe("1:2: unknown escape sequence '😀'");
  expect(refusal('"\\x4"')).toBe("1:5: illegal character '\"' in escape sequence");
  expect(refusal('"\\u12g4"')).toBe("1:6: illegal character 'g' in escape sequence");
  for (const sequence of ["\\400", "\\uD800", "\\UFFFFFFFF", "\\U00110000"])
    expect(refusal(`"${sequence}"`), sequence).toBe("1:2: escape sequence is an invalid Unicode code point");
  expect(refusal('"a\ud800"')).toBe("1:3: invalid UTF-8 rune");
  expect(refusal("`\ufffd`")).toBe("1:2: invalid UTF-8 rune");
});

test("white space and comments", () => {
  for (const text of ["# c\n1", "1 # c", " \t\r\n1\r# c\r", "#a\n#b\n1", "1#"])
    expect(printQuery(parseQuery(text))).toBe("1");
  expect(printQuery(parseQuery('a # "\n{b # {\n= "c"} # [\n [ # x\n5m # y\n]'))).toBe('a{b="c"}[5m]');
  expect(refusal("# only a comment")).toBe("1:1: no expression found in input");
  expect(refusal("")).toBe("1:1: no expression found in input");
  expect(refusal("a\n#c\n  $")).toBe("3:3: unexpected character: '$'");
});
