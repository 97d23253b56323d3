/** The layout of a struct: canonical order, sections and sizes (docs/pck-format.md, "Layout of a struct"). */
import { NUMBER_KINDS } from "../schema/types.js";
import { HUGE, type Kind, knownBytesOf, type Member, minBytesOf, type Struct } from "./model.js";

const RANKS: ReadonlyMap<Kind, number> = /* @__PURE__ */ new Map(
  (["bool", ...NUMBER_KINDS, "enumeration", "bytes", "utf8", "ascii", "ref", "union", "array", "map"] as const).map(
    (kind, rank) => [kind, rank],
  ),
);

/** A struct while it is built. */
export type OpenStruct = { -readonly [K in keyof Struct]: Struct[K] };

/** Orders the fields of a struct and computes its sizes. The structs of its required refs are laid out already. */
export function layOut(struct: OpenStruct): OpenStruct {
  const { members } = struct;
  const groupOf = (member: Member) => (member.isOptional ? 2 : knownBytesOf(member.type) < 0 ? 1 : 0);
  // Sorting is stable: equal ranks keep the order of their declaration.
  const ordered = [...members].sort(
    (a, b) => groupOf(a) - groupOf(b) || RANKS.get(a.type.kind)! - RANKS.get(b.type.kind)!,
  );
  struct.ordered = ordered;
  struct.optionals = ordered.filter((member) => member.isOptional);
  struct.bools = ordered.filter((member) => member.type.kind === "bool");
  struct.fixed = ordered.filter((member) => groupOf(member) === 0 && member.type.kind !== "bool");
  struct.dynamic = ordered.filter((member) => groupOf(member) === 1);
  struct.storeBytes = Math.ceil((struct.optionals.length + struct.bools.length) / 8);
  let fixedBytes = struct.storeBytes;
  for (const member of struct.fixed) fixedBytes += knownBytesOf(member.type);
  let minBytes = fixedBytes;
  for (const { type } of struct.dynamic) minBytes += minBytesOf(type);
  struct.minBytes = Math.min(HUGE, minBytes);
  const isKnown = struct.optionals.length + struct.dynamic.length === 0;
  struct.knownBytes = isKnown ? Math.min(HUGE, fixedBytes) : -1;
  return struct;
}
