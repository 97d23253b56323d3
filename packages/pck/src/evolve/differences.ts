/** Describes the differences of two fields, as text. The structs that they refer to are compared separately. */

import { jsonText } from "../json/text.js";
import { toJson } from "../json/values.js";
import type { Member, Node } from "../model/model.js";
import type { OmitFlag } from "../schema/field.js";
import { namesText, nameText, typeText } from "./type-text.js";

const FLAGS: readonly (readonly [OmitFlag, string])[] = [
  ["null", "omitNull"],
  ["empty", "omitEmpty"],
  ["zero", "omitZero"],
];

/** Returns the text about a field that only one schema has. */
export function memberText(member: Member): string {
  const flags = FLAGS.filter(([flag]) => member.omit.has(flag)).map(([, name]) => name);
  const fallback = defaultText(member);
  return [typeText(member.type), ...flags, ...(fallback === undefined ? [] : [`default ${nameText(fallback)}`])].join(
    ", ",
  );
}

/** Returns the texts about a field that both schemas have; none if it did not change. */
export function memberDifferences(old: Member, now: Member): readonly string[] {
  const flags = FLAGS.filter(([flag]) => old.omit.has(flag) !== now.omit.has(flag));
  return [
    ...(old.name === now.name ? [] : [`was ${namesText([old.name])}`]),
    ...typeDifferences(old.type, now.type),
    ...flags.map(([flag, name]) => `${name} ${now.omit.has(flag) ? "added" : "removed"}`),
    ...defaultDifferences(old, now),
    // The field's name in the other schema is left out: the text above already says that it was renamed.
    ...nameDifferences("old names", old.renamed.filter(other(now.name)), now.renamed.filter(other(old.name))),
  ];
}

function other(name: string): (candidate: string) => boolean {
  return (candidate) => candidate !== name;
}

function typeDifferences(old: Node, now: Node): readonly string[] {
  switch (old.kind) {
    case "enumeration":
      if (now.kind !== "enumeration") break;
      return nameDifferences("values", old.values, now.values);
    case "union":
      if (now.kind !== "union") break;
      return [
        ...nameDifferences("arms", armsOf(old), armsOf(now)),
        ...(old.discriminator === now.discriminator
          ? []
          : [`discriminator ${nameText(old.discriminator)} became ${nameText(now.discriminator)}`]),
      ];
    case "array":
      if (now.kind !== "array" || old.length !== now.length) break;
      return typeDifferences(old.element, now.element);
    case "map":
      if (now.kind !== "map") break;
      return [...typeDifferences(old.key, now.key), ...typeDifferences(old.value, now.value)];
    case "nullable":
      if (now.kind !== "nullable") break;
      return typeDifferences(old.value, now.value);
    case "bytes":
    case "ascii":
      if (now.kind !== old.kind || now.length !== old.length) break;
      return [];
    default:
      if (now.kind === old.kind) return [];
  }
  return [`${typeText(old)} became ${typeText(now)}`];
}

function armsOf(union: Node & { readonly kind: "union" }): readonly string[] {
  return union.arms.map((arm) => arm.name);
}

function nameDifferences(what: string, old: readonly string[], now: readonly string[]): readonly string[] {
  const olds = new Set(old);
  const news = new Set(now);
  const added = now.filter((name) => !olds.has(name));
  const removed = old.filter((name) => !news.has(name));
  const texts: string[] = [];
  if (added.length > 0) texts.push(`${what} added: ${namesText(added)}`);
  if (removed.length > 0) texts.push(`${what} removed: ${namesText(removed)}`);
  if (
    isReordered(
      old.filter((name) => news.has(name)),
      now.filter((name) => olds.has(name)),
    )
  ) {
    texts.push(`${what} in another order`);
  }
  return texts;
}

/** True if two lists of the same items differ in their order. */
export function isReordered<T>(old: readonly T[], now: readonly T[]): boolean {
  return old.some((item, i) => item !== now[i]);
}

function defaultDifferences(old: Member, now: Member): readonly string[] {
  const [was, is] = [defaultText(old), defaultText(now)];
  if (was === is) return [];
  if (was === undefined) return [`default ${nameText(is!)} added`];
  if (is === undefined) return [`default ${nameText(was)} removed`];
  const [shownWas, shownIs] = [nameText(was), nameText(is)];
  return [shownWas === shownIs ? "default changed" : `default ${shownWas} became ${shownIs}`];
}

function defaultText({ type, hasDefault, fallback }: Member): string | undefined {
  if (!hasDefault) return undefined;
  return jsonText(fallback === null ? null : toJson(type, fallback));
}
