/** Limits: nesting, and counts with owed bytes. */
import type { DocumentField, Json } from "../shape.ts";
import { Cases, documentOf, type OwnCase, oneField, times } from "./make.ts";

/** Counts that no message can hold. */
const MOST = [0xff, 0xff, 0xff, 0xff, 0x0f];

/** Recursive fields: the field, its value around `inner` or at the end, bytes per level, containers per level. */
export const RECURSIVE: readonly {
  readonly name: string;
  readonly field: DocumentField;
  readonly hold: (inner: Json) => Json;
  readonly end: Json;
  readonly open: readonly number[];
  readonly levels: number;
}[] = [
  {
    name: "an optional ref",
    field: { name: "v", type: { ref: "Root" }, omit: ["null"] },
    hold: (v) => ({ v }),
    end: { v: null },
    open: [1],
    levels: 1,
  },
  {
    name: "an array",
    field: { name: "v", type: { array: { ref: "Root" } } },
    hold: (v) => ({ v: [v] }),
    end: { v: [] },
    open: [1],
    levels: 2,
  },
  {
    name: "an array of nullables",
    field: { name: "v", type: { array: { nullable: { ref: "Root" } }, length: 1 } },
    hold: (v) => ({ v: [v] }),
    end: { v: [null] },
    open: [1],
    levels: 2,
  },
  {
    name: "a map",
    field: { name: "v", type: { map: ["u8", { ref: "Root" }] } },
    hold: (v) => ({ v: [[7, v]] }),
    end: { v: [] },
    open: [1, 7],
    levels: 2,
  },
  {
    name: "a union",
    field: {
      name: "v",
      type: {
        union: [
          ["end", "End"],
          ["more", "Root"],
        ],
      },
    },
    hold: (inner) => ({ v: { kind: "more", ...(inner as object) } }),
    end: { v: { kind: "end" } },
    open: [1],
    levels: 1,
  },
];

/** 512 and 513 levels, by each kind of container. */
export function depthCases(): readonly OwnCase[] {
  const cases = new Cases();
  for (const { name, field, hold, end, open, levels } of RECURSIVE) {
    const doc = documentOf({ Root: [field], End: [] });
    // An empty list or an arm in the innermost struct is a level; an absent ref is not.
    const own = name === "an optional ref" ? 0 : 1;
    const most = Math.floor((512 - 1 - own) / levels);
    let value = end;
    for (let i = 0; i < most; i++) value = hold(value);
    const bytes = cases.value(`${name}: as deep as it may be`, doc, value);
    cases.refused(`${name}: one deeper`, doc, "ERR_LIMIT_DEPTH", [...open, ...bytes]);
    cases.refused(`${name}: the bytes end where it is too deep`, doc, "ERR_LIMIT_DEPTH", times(513, open).flat());
  }
  return cases.list;
}

/** Counts that the bytes left cannot hold, alone and together. */
export function countCases(): readonly OwnCase[] {
  const cases = new Cases();
  const structs = {
    Three: [
      { name: "a", type: "u16" },
      { name: "b", type: "u8" },
    ],
    Empty: [],
  } as const;
  const least: readonly (readonly [string, Parameters<typeof oneField>[0], number])[] = [
    ["u64", { array: "u64" }, 8],
    ["structs of 3 bytes", { array: { ref: "Three" } }, 3],
    [
      "arms of 0 bytes",
      {
        array: {
          union: [
            ["three", "Three"],
            ["empty", "Empty"],
          ],
        },
      },
      1,
    ],
    ["lists of two u16", { array: { array: "u16", length: 2 } }, 4],
    ["lists of 9 bools", { array: { array: "bool", length: 9 } }, 2],
    ["lists of 9 nullables", { array: { array: { nullable: "u64" }, length: 9 } }, 2],
    ["ascii(5)", { array: { ascii: 5 } }, 5],
    ["pairs", { map: ["u16", "u32"] }, 6],
    ["pairs with nullables", { map: ["u16", { nullable: "u32" }] }, 3],
    ["pairs with bools", { map: ["u16", "bool"] }, 3],
  ];
  for (const [name, type, min] of least) {
    const doc = oneField(type, [], structs);
    cases.refused(`${name}: one byte too few for 2`, doc, "ERR_LIMIT_ELEMENTS", [2, ...times(2 * min - 1, 0)]);
    cases.bytes(`${name}: just enough for 2`, doc, [2, ...times(2 * min, 0)]);
    cases.refused(`${name}: the greatest count`, doc, "ERR_LIMIT_ELEMENTS", [...MOST, ...times(40, 0)]);
  }
  for (const type of ["bool", { nullable: "u8" }] as const) {
    const doc = oneField({ array: type });
    cases.refused(`bits of ${JSON.stringify(type)}: a byte too few`, doc, "ERR_LIMIT_ELEMENTS", [17, 0, 0]);
    cases.bytes(`bits of ${JSON.stringify(type)}: just enough`, doc, [17, 0, 0, 0]);
    cases.refused(`bits of ${JSON.stringify(type)}: the greatest count`, doc, "ERR_LIMIT_ELEMENTS", [
      ...MOST,
      ...times(40, 0),
    ]);
  }
  owedCases(cases);
  return cases.list;
}

function owedCases(cases: Cases): void {
  const lists = oneField({ array: { array: "u8" } });
  cases.refused("an inner count that takes what the outer one owes", lists, "ERR_LIMIT_ELEMENTS", [3, 2, 0, 0, 0]);
  cases.bytes("an inner count that leaves what the outer one owes", lists, [3, 2, 0, 0, 0, 0]);
  cases.refused(
    "a count of 0 where more is owed than is left",
    oneField({ array: { array: "u8" }, length: 2 }, [], {}),
    "ERR_TRUNCATED",
    [0],
  );
  const deep = oneField({ array: { array: { array: "u8" } } });
  cases.refused("what two open lists owe", deep, "ERR_LIMIT_ELEMENTS", [2, 2, 1, 0]);
  cases.bytes("what two open lists owe is there", deep, [2, 2, 1, 0, 0, 0]);
  const texts = oneField({ array: { ref: "S" } }, [], {
    S: [
      { name: "t", type: "utf8" },
      { name: "l", type: { array: "u8" } },
    ],
  });
  cases.refused(
    "0 elements, and what is owed was eaten by a text",
    texts,
    "ERR_LIMIT_ELEMENTS",
    [2, 3, 0x61, 0x61, 0x61, 0],
  );
  const maps = oneField({ map: ["u8", { array: "u8" }] });
  cases.refused("an inner count that takes what a map owes", maps, "ERR_LIMIT_ELEMENTS", [2, 1, 2, 0, 0]);
  cases.bytes("an inner count that leaves what a map owes", maps, [2, 1, 1, 0, 2, 0]);
  const fixed = oneField({ array: { array: "u8" }, length: 3 });
  cases.bytes("elements of a fixed list are not owed", fixed, [2, 0, 0]);
  const fields = documentOf({
    Root: [
      { name: "a", type: { array: "u8" } },
      { name: "b", type: { array: "u8" } },
    ],
  });
  cases.bytes("fields that are not yet read are not owed", fields, [1, 5]);
  const nullables = oneField({ array: { nullable: { array: "u8" } } });
  cases.bytes("nullables are not owed after their bits", nullables, [2, 3, 1, 5]);
  cases.refused("bytes: a count above what is left is cut short", oneField("bytes"), "ERR_TRUNCATED", [...MOST, 1, 2]);
  const most = oneField({ array: "u64", length: 65535 });
  cases.refused("a fixed list of 65,535, and nothing else", most, "ERR_TRUNCATED", [1, 2, 3]);
  const huge = oneField({ array: { array: { array: { array: "u64", length: 65535 }, length: 65535 }, length: 65535 } });
  cases.refused("elements larger than any memory", huge, "ERR_LIMIT_ELEMENTS", [1, 0, 0]);
  cases.value("none of them", huge, { v: [] });
}
