/** Claims of studies: when they hold, and how broken ones are reported. */
import { describe, expect, test } from "vitest";
import { broken, holds, unfounded } from "../../studies/claims.mjs";

const FILE = "proving/bench/studies/claims.mjs";
const study = (claim: object) => ({
  name: "some",
  claims: [{ text: "it is so", file: FILE, figure: "some.figure", ...claim }],
  groups: [{ rows: [["some.figure", "a figure", "count"]] }],
});
const measured = (node: string, figure: unknown) => ({ nodes: [{ node, figures: { "some.figure": figure } }] });

describe("claims", () => {
  test("hold at their bound and not beyond", () => {
    expect([holds({ is: "packed" }, "packed"), holds({ is: "packed" }, "holey")]).toEqual([true, false]);
    expect([holds({ is: false }, false), holds({ is: false }, true)]).toEqual([true, false]);
    expect([holds({ about: 100, within: 0.1 }, 110), holds({ about: 100, within: 0.1 }, 111)]).toEqual([true, false]);
    expect([holds({ atLeast: 2 }, 2), holds({ atLeast: 2 }, 1.9)]).toEqual([true, false]);
    expect([holds({ atMost: 2 }, 2), holds({ atMost: 2 }, 2.1)]).toEqual([true, false]);
  });

  test("about timed figures use medians", () => {
    expect([holds({ atLeast: 2 }, [2.1, 1.5, 3]), holds({ atLeast: 2 }, [1.9, 1.5, 3])]).toEqual([true, false]);
  });

  test("that do not hold are reported with version, file and figure", () => {
    expect(broken(study({ is: 507 }), measured("22.1.0", 507))).toEqual([]);
    const [line] = broken(study({ is: 507 }), measured("22.1.0", 508));
    expect(line).toContain("Node 22.1.0: it is so");
    expect(line).toContain(FILE);
    expect(line).toContain("508, claimed = 507");
  });

  test("apply to the versions that they name, among those studied", () => {
    expect(broken(study({ is: 1, majors: [20] }), measured("22.1.0", 2))).toEqual([]);
    expect(broken(study({ is: 1 }), measured("23.1.0", 2))).toEqual([]);
  });

  test("need a figure, and the code that they support", () => {
    expect(unfounded(study({ is: 1, code: "export function unfounded" }))).toEqual([]);
    expect(unfounded(study({ is: 1, code: "no such line in the file".toUpperCase() }))).toHaveLength(1);
    expect(unfounded(study({ is: 1, file: "packages/none.ts" }))).toHaveLength(1);
    expect(unfounded(study({ is: 1, figure: "other" }))).toHaveLength(1);
  });
});
