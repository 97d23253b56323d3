/** The bombs are what their titles say, the committed outcomes are complete, and moonpack answers each with a code. */
import { decode } from "moonpack";
import { expect, test } from "vitest";
import { readResult } from "../../../src/results.ts";
import { bombs, bytesOf } from "../../../src/suites/hostile/bombs.ts";
import { type HostileResult, hostile, outcomeText } from "../../../src/suites/hostile/index.ts";

const result = readResult<HostileResult>("hostile")!;

test("the committed result has every bomb and every candidate", () => {
  expect(result.bombs.map(({ outcomes: _, bytes, ...recipe }) => ({ ...recipe, bytes }))).toEqual(
    bombs.map((bomb) => ({ ...bomb, bytes: bytesOf(bomb).length })),
  );
  for (const { outcomes } of result.bombs) expect(Object.keys(outcomes)).toEqual(result.candidates.map(({ id }) => id));
});

test.each(bombs)("moonpack answers with the committed code: $title", (bomb) => {
  const { outcomes } = result.bombs.find(({ id }) => id === bomb.id)!;
  const committed = outcomes.moonpack;
  expect(committed?.kind).toBe("error");
  expect(() => decode(bytesOf(bomb))).toThrow(
    expect.objectContaining({ code: committed?.kind === "error" ? committed.code : "" }),
  );
});

test("an outcome is said in words", () => {
  expect(outcomeText({ kind: "ended" })).toBe("**process ended**");
  expect(outcomeText({ kind: "busy" })).toBe("**no answer**");
  expect(outcomeText({ kind: "value" })).toBe("a value");
  expect(outcomeText({ kind: "error", code: "ERR_X" })).toBe("`ERR_X`");
  expect(hostile.page(result)).toContain(result.bombs[0]!.title);
});
