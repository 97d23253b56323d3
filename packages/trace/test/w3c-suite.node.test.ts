/**
 * The cases of the W3C's validation suite for Trace Context, by their names, against a server: what comes in as headers, and
 * the headers that it would send. Where level 2 differs from the suite's level 1, level 2 counts, and the case says so.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { httpListener, runWithSpan, traceparent, tracestate } from "../src/index.ts";
import { get, type RawHeaders, type RunningServer, serve } from "./harness/raw-request.ts";

const TRACE = "12345678901234567890123456789012";
const SPAN = "1234567890123456";
const VALID: [string, string] = ["traceparent", `00-${TRACE}-${SPAN}-01`];
const FORMAT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-0[0-3]$/;

let server: RunningServer;

beforeAll(async () => {
  server = await serve(
    httpListener(
      async (request, response) => {
        const count = Number(request.url!.slice(1));
        const sent = [];
        for (let i = 0; i < count; i++)
          sent.push(await runWithSpan(async () => ({ traceparent: traceparent(), tracestate: tracestate() })));
        response.end(JSON.stringify(sent));
      },
      { traceContext: true },
    ),
  );
});
afterAll(() => server.close());

/** The headers that the service sends, `count` times. */
async function sentOn(headers: RawHeaders, count = 1) {
  const { body } = await get(server.port, headers, `/${count}`);
  return (JSON.parse(body) as { traceparent: string; tracestate?: string }[]).map((sent) => {
    const [, traceId, parentId] = FORMAT.exec(sent.traceparent) ?? [];
    expect(traceId).toBeDefined();
    const members = new Map((sent.tracestate ?? "").split(",").map((text) => text.split("=") as [string, string]));
    return { traceId, parentId, members, tracestate: sent.tracestate };
  });
}

async function one(...headers: [string, string][]) {
  return (await sentOn(headers))[0]!;
}

async function isContinued(value: string): Promise<boolean> {
  return (await one(["traceparent", value])).traceId === TRACE;
}

/** The tracestate that is sent on after these headers, beside a valid traceparent, which must be continued. */
async function state(...values: string[]) {
  const sent = await one(VALID, ...values.map((value): [string, string] => ["tracestate", value]));
  expect(sent.traceId).toBe(TRACE);
  return sent;
}

test("test_both_traceparent_and_tracestate_missing", async () => {
  expect((await one()).tracestate).toBeUndefined();
});

test("test_traceparent_included_tracestate_missing", async () => {
  const { traceId, parentId } = await one(VALID);
  expect(traceId).toBe(TRACE);
  expect(parentId).not.toBe(SPAN);
});

test("test_traceparent_duplicated", async () => {
  const other = TRACE.replace(/2$/, "1");
  const { traceId } = await one(["traceparent", `00-${other}-${SPAN}-01`], VALID);
  expect([TRACE, other]).not.toContain(traceId);
  expect((await one(VALID, VALID)).traceId).not.toBe(TRACE);
});

test("test_traceparent_header_name", async () => {
  expect((await one(["trace-parent", VALID[1]])).traceId).not.toBe(TRACE);
  expect((await one(["trace.parent", VALID[1]])).traceId).not.toBe(TRACE);
});

test.each([
  "TraceParent",
  "TrAcEpArEnT",
  "TRACEPARENT",
])("test_traceparent_header_name_valid_casing %s", async (name) => {
  expect((await one([name, VALID[1]])).traceId).toBe(TRACE);
});

test("test_traceparent_version_0x00", async () => {
  expect(await isContinued(`00-${TRACE}-${SPAN}-01.`)).toBe(false);
  expect(await isContinued(`00-${TRACE}-${SPAN}-01-what-the-future-will-be-like`)).toBe(false);
});

test("test_traceparent_version_0xcc", async () => {
  expect(await isContinued(`cc-${TRACE}-${SPAN}-01`)).toBe(true);
  expect(await isContinued(`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`)).toBe(true);
  expect(await isContinued(`cc-${TRACE}-${SPAN}-01.what-the-future-will-be-like`)).toBe(false);
});

test.each([
  ["test_traceparent_version_0xff", [`ff-${TRACE}-${SPAN}-01`]],
  ["test_traceparent_version_illegal_characters", [`.0-${TRACE}-${SPAN}-01`, `0.-${TRACE}-${SPAN}-01`]],
  ["test_traceparent_version_too_long", [`000-${TRACE}-${SPAN}-01`, `0000-${TRACE}-${SPAN}-01`]],
  ["test_traceparent_version_too_short", [`0-${TRACE}-${SPAN}-01`]],
  ["test_traceparent_parent_id_all_zero", [`00-${TRACE}-0000000000000000-01`]],
  [
    "test_traceparent_parent_id_illegal_characters",
    [`00-${TRACE}-.234567890123456-01`, `00-${TRACE}-123456789012345.-01`],
  ],
  ["test_traceparent_parent_id_too_long", [`00-${TRACE}-12345678901234567-01`]],
  ["test_traceparent_parent_id_too_short", [`00-${TRACE}-123456789012345-01`]],
  ["test_traceparent_trace_flags_illegal_characters", [`00-${TRACE}-${SPAN}-.0`, `00-${TRACE}-${SPAN}-0.`]],
  ["test_traceparent_trace_flags_too_long", [`00-${TRACE}-${SPAN}-001`]],
  ["test_traceparent_trace_flags_too_short", [`00-${TRACE}-${SPAN}-1`]],
])("%s", async (_name, values) => {
  for (const value of values) expect(await isContinued(value), value).toBe(false);
});

test.each([
  ["test_traceparent_trace_id_all_zero", ["00000000000000000000000000000000"]],
  [
    "test_traceparent_trace_id_illegal_characters",
    [".2345678901234567890123456789012", "1234567890123456789012345678901."],
  ],
  ["test_traceparent_trace_id_too_long", ["123456789012345678901234567890123"]],
  ["test_traceparent_trace_id_too_short", ["1234567890123456789012345678901"]],
])("%s", async (_name, ids) => {
  for (const id of ids) {
    const { traceId, members } = await one(["traceparent", `00-${id}-${SPAN}-01`], ["tracestate", "foo=1"]);
    expect(id.includes(traceId!) || traceId!.includes(id.replace(".", ""))).toBe(false);
    expect(members.has("foo")).toBe(false);
  }
});

test.each([" V", "\tV", "V ", "V\t", "\t V \t"])("test_traceparent_ows_handling %j", async (form) => {
  expect(await isContinued(form.replace("V", VALID[1]))).toBe(true);
});

test("test_tracestate_included_traceparent_missing", async () => {
  expect((await one(["tracestate", "foo=1"])).tracestate).toBeUndefined();
  expect((await one(["tracestate", "foo=1,bar=2"])).tracestate).toBeUndefined();
});

test("test_tracestate_included_traceparent_included", async () => {
  expect((await state("foo=1,bar=2")).tracestate).toBe("foo=1,bar=2");
});

test("test_tracestate_header_name", async () => {
  expect((await one(VALID, ["trace-state", "foo=1"])).tracestate).toBeUndefined();
  expect((await one(VALID, ["trace.state", "foo=1"])).tracestate).toBeUndefined();
});

test.each(["TraceState", "TrAcEsTaTe", "TRACESTATE"])("test_tracestate_header_name_valid_casing %s", async (name) => {
  expect((await one(VALID, [name, "foo=1"])).tracestate).toBe("foo=1");
});

test("test_tracestate_empty_header", async () => {
  expect((await state("")).tracestate).toBeUndefined();
  expect((await state("foo=1", "")).tracestate).toBe("foo=1");
  expect((await state("", "foo=1")).tracestate).toBe("foo=1");
});

test("test_tracestate_multiple_headers_different_keys", async () => {
  expect((await state("foo=1,bar=2", "rojo=1,congo=2", "baz=3")).tracestate).toBe("foo=1,bar=2,rojo=1,congo=2,baz=3");
});

test("test_tracestate_duplicated_keys (level 2: one of them may be kept)", async () => {
  expect((await state("foo=1,foo=1")).tracestate).toBe("foo=1");
  expect((await state("foo=1,foo=2")).tracestate).toBe("foo=1");
  expect((await state("foo=1", "foo=1")).tracestate).toBe("foo=1");
  expect((await state("foo=1", "foo=2")).tracestate).toBe("foo=1");
});

test("test_tracestate_all_allowed_characters", async () => {
  const key = "abcdefghijklmnopqrstuvwxyz0123456789_-*/";
  const printable = Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i)).join("");
  const value = printable.replace(/[,=]/g, "");
  expect((await state(`${key}=${value}`)).members.get(key)).toBe(value);
  const withVendor = `${key}@a-z0-9_-*/`;
  expect((await state(`${withVendor}=${value}`)).members.get(withVendor)).toBe(value);
});

test.each([
  "foo=1 \t , \t bar=2, \t baz=3",
  "foo=1\t \t,\t \tbar=2,\t \tbaz=3",
])("test_tracestate_ows_handling %j", async (value) => {
  expect((await state(value)).tracestate).toBe("foo=1,bar=2,baz=3");
});

test.each([
  " foo=1",
  "\tfoo=1",
  "foo=1 ",
  "foo=1\t",
  "\t foo=1 \t",
])("test_tracestate_ows_handling %j", async (value) => {
  expect((await state(value)).tracestate).toBe("foo=1");
});

test.each(["foo =1", "FOO=1", "foo.bar=1"])("test_tracestate_key_illegal_characters %j", async (value) => {
  expect((await state(value)).tracestate).toBeUndefined();
});

test("test_tracestate_key_illegal_vendor_format (level 2: @ anywhere but first)", async () => {
  expect((await state("@foo=1,bar=2")).tracestate).toBeUndefined();
  for (const value of ["foo@=1,bar=2", "foo@@bar=1,bar=2", "foo@bar@baz=1,bar=2"])
    expect((await state(value)).tracestate).toBe(value);
});

test("test_tracestate_member_count_limit", async () => {
  const members = Array.from({ length: 33 }, (_, i) => `bar${String(i + 1).padStart(2, "0")}=${i + 1}`);
  const headers = (count: number) =>
    [0, 10, 20, 30].map((from) => members.slice(from, Math.min(from + 10, count)).join());
  const { members: kept } = await state(...headers(32));
  expect(kept.get("bar01")).toBe("1");
  expect(kept.size).toBe(32);
  expect((await state(...headers(33))).tracestate).toBeUndefined();
});

test("test_tracestate_key_length_limit (level 2: 256 characters, with or without @)", async () => {
  expect((await state("foo=1", `${"z".repeat(256)}=1`)).members.get("foo")).toBe("1");
  expect((await state("foo=1", `${"z".repeat(257)}=1`)).tracestate).toBeUndefined();
  expect((await state("foo=1", `${"t".repeat(241)}@${"v".repeat(14)}=1`)).members.get("foo")).toBe("1");
  expect((await state("foo=1", `${"t".repeat(242)}@v=1`)).members.get("foo")).toBe("1");
  expect((await state("foo=1", `t@${"v".repeat(255)}=1`)).tracestate).toBeUndefined();
});

test.each(["foo=bar=baz", "foo=,bar=3"])("test_tracestate_value_illegal_characters %j", async (value) => {
  expect((await state(value)).tracestate).toBeUndefined();
});

test("test_multiple_requests_with_valid_traceparent", async () => {
  const sent = await sentOn([VALID], 3);
  expect(new Set(sent.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  expect(new Set(sent.map(({ parentId }) => parentId)).size).toBe(3);
});

test("test_multiple_requests_without_traceparent", async () => {
  expect(new Set((await sentOn([], 3)).map(({ parentId }) => parentId)).size).toBe(3);
});

test("test_multiple_requests_with_illegal_traceparent", async () => {
  const sent = await sentOn([["traceparent", `00-${"0".repeat(32)}-${SPAN}-01`]], 3);
  expect(new Set(sent.map(({ parentId }) => parentId)).size).toBe(3);
});
