// The message of docs/pck.md byte by byte: encoded by the library, and explained by its own dump.
import { bool, codec, diagnose, ivar, ref, schema, u8 } from "@moonpack/pck";
import { escaped, figure, WIDTH } from "./figure.ts";

const CELL = 44;
const CELL_HEIGHT = 34;
const FIRST_ROW = 84;
const ROW = 19;

/** A picture of the eight bytes of a Player. */
export function playerPicture(): string {
  const Position = schema("Position", ivar("x"), ivar("y"));
  const Attributes = schema("Attributes", u8("str"), u8("agi"), u8("int"));
  const Player = schema(
    "Player",
    ivar("health"),
    bool("jumping"),
    ref("position", Position),
    ref("attributes", Attributes),
  );
  const player = { health: 100, jumping: true, position: { x: 10, y: 20 }, attributes: { str: 100, agi: 50, int: 10 } };
  const bytes = codec(Player).encode(player);
  const hexOf = (from: number, to: number) =>
    [...bytes.subarray(from, to)].map((byte) => byte.toString(16).padStart(2, "0"));
  const fields = [...diagnose(bytes, Player)]
    .filter(({ format }) => format !== "struct")
    .map(({ offset, end, path, format, meaning }) => ({
      from: offset,
      // A bool is a bit of a byte that others share.
      to: Math.max(end, offset + 1),
      name: path.replace("$.", ""),
      format,
      meaning,
      section: format.startsWith("bool") ? "bits" : format === "ivar" ? "dynamic" : "fixed",
    }));
  const sectionAt = (byte: number) => fields.find(({ from, to }) => from <= byte && byte < to)?.section ?? "bits";
  const cells = hexOf(0, bytes.length).map(
    (
      hex,
      i,
    ) => `<rect class="byte ${sectionAt(i)}" x="${i * (CELL + 1) + 0.5}" y="18" width="${CELL - 1}" height="${CELL_HEIGHT}" rx="3"/>
      <text class="hex" x="${i * (CELL + 1) + CELL / 2}" y="40" text-anchor="middle">${hex}</text>
      <text class="value" x="${i * (CELL + 1) + CELL / 2}" y="12" text-anchor="middle">${i}</text>`,
  );
  const rows = fields.map(({ from, to, name, format, meaning, section }, i) => {
    const y = FIRST_ROW + i * ROW;
    return `<rect class="byte ${section}" x="0.5" y="${y - 12}" width="46" height="15" rx="3"/>
      <text class="hex small" x="23" y="${y}" text-anchor="middle">${hexOf(from, to).join(" ")}</text>
      <text class="name" x="58" y="${y}">${escaped(name)}</text>
      <text class="value" x="176" y="${y}">${escaped(format)}</text>
      <text class="name" x="${WIDTH - 2}" y="${y}" text-anchor="end">${escaped(meaning)}</text>`;
  });
  const words = fields.map(
    ({ from, to, name, format, meaning }) => `${hexOf(from, to).join(" ")} is ${name}, ${format}, ${meaning}`,
  );
  return figure({
    id: "player",
    title: `The ${bytes.length} bytes of a Player: no names, no tags, no lengths`,
    description: words.join("; "),
    height: FIRST_ROW + fields.length * ROW - 6,
    content: [...cells, ...rows].join("\n"),
    legend: [
      ["bits", "bit store"],
      ["fixed", "fixed section: of known size"],
      ["dynamic", "dynamic section"],
    ],
  });
}
