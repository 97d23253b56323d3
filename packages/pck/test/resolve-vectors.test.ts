/** The vectors of `resolve` and `compare`. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { fromHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { compare, type Readable, resolve, type SchemaDocument } from "@moonpack/pck";
import { expect, test } from "vitest";
import type { Rejection } from "./harness/decode.ts";
import { Evolution } from "./harness/evolution.ts";
import { linesOf } from "./harness/files.ts";
import type { Json } from "./harness/shape.ts";
import { valueOfJson } from "./harness/values.ts";

interface ResolveCase {
  readonly writer: SchemaDocument;
  readonly reader: SchemaDocument;
  readonly bytes?: string;
  readonly value?: Json;
  readonly error?: Rejection;
}

interface CompareCase {
  readonly old: SchemaDocument;
  readonly new: SchemaDocument;
  readonly newReadsOld: Readable;
  readonly oldReadsNew: Readable;
}

const resolutions = linesOf<ResolveCase>("resolve.jsonl");

test("resolve", () => {
  each(resolutions, ({ writer, reader, bytes, value, error }) => {
    if (bytes === undefined) {
      equal(
        fault(() => resolve(writer, reader)),
        error,
      );
      return;
    }
    const decoder = resolve<unknown, unknown>(writer, reader);
    if (error === undefined) {
      none(differ(decoder.decode(fromHex(bytes)), valueOfJson(reader, value!)));
      return;
    }
    const { code, offset, needMore = 0 } = error;
    equal(
      fault(() => decoder.decode(fromHex(bytes))),
      { code, offset, needMore },
    );
  });
  expect(resolutions.length).toBe(1587);
});

test("the reference model agrees on which schemas fit", () => {
  each(resolutions, ({ writer, reader, bytes }) => {
    equal(new Evolution(writer, reader).isReadable(), bytes !== undefined);
  });
});

test("compare: the worst verdict of the changes", () => {
  const cases = linesOf<CompareCase>("compare.jsonl");
  each(cases, (one) => {
    const changes = compare(one.old, one.new);
    const worst = (answers: readonly Readable[]) =>
      (["no", "depends"] as const).find((answer) => answers.includes(answer)) ?? "yes";
    equal(worst(changes.map((change) => change.newReadsOld)), one.newReadsOld, "new reads old");
    equal(worst(changes.map((change) => change.oldReadsNew)), one.oldReadsNew, "old reads new");
  });
  expect(cases.length).toBe(134);
});
