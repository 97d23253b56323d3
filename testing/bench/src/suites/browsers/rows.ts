import type { Operation } from "../../types.js";

/** The format of a table. */
export type Group = "msgpack" | "protobuf" | "pck";

/** One race: all candidates on one kind of message in one direction. */
export interface Row {
  /** Its group, direction and message; `--filter` matches it. */
  readonly id: string;
  readonly group: Group;
  readonly operation: Operation;
  readonly message: string;
  readonly title: string;
}

/** A group with its messages, in the order of the tables. */
export interface GroupOfRows {
  readonly id: Group;
  readonly title: string;
  readonly messages: Readonly<Record<string, string>>;
}

/** Everything that the page measures. */
export const groups: readonly GroupOfRows[] = [
  {
    id: "msgpack",
    title: "MessagePack",
    messages: {
      tiny: "tiny message, 30 B",
      "service-100": "few kinds, 100 B",
      "service-300": "few kinds, 300 B",
      "small-mixed": "small mixed",
      clinical: "clinical record",
      hn: "Hacker News, 500 stories",
      dictionary: "dictionary, unique keys, CJK",
    },
  },
  {
    id: "protobuf",
    title: "Protobuf",
    messages: { small: "small, of protobuf.js's own benchmark", large: "large, 30 MB" },
  },
  { id: "pck", title: "PCK", messages: { player: "Player", hn: "Hacker News, 500 stories" } },
];

const OPERATIONS: readonly Operation[] = ["encode", "decode"];

/** Every race of these groups. */
export function rowsOf(chosen: readonly GroupOfRows[]): Row[] {
  return chosen.flatMap(({ id: group, messages }) =>
    OPERATIONS.flatMap((operation) =>
      Object.entries(messages).map(([message, title]) => ({
        id: `${group}-${operation}-${message}`,
        group,
        operation,
        message,
        title,
      })),
    ),
  );
}

/** Every race. */
export const rows: readonly Row[] = rowsOf(groups);
