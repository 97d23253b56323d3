/** Making ids, and the memory of a kept one. */
import { randomUUID } from "node:crypto";
import { uuidv4, uuidv7 } from "@moonpack/trace";
import { collectAll, heldBytes } from "../../../measure/heap.js";
import type { Contestant } from "../../../measure/interleave.js";

const MAKERS: Readonly<Record<string, () => string>> = { randomUUID: () => randomUUID(), uuidv4, uuidv7 };

/** Ids that are made and written as a header is. */
export function idMakers(): Contestant[] {
  const out = Buffer.alloc(64);
  return Object.entries(MAKERS).map(([id, make]) => ({
    id,
    bytes: 64,
    prepare: (count) => Array.from({ length: count }, () => undefined),
    call: () => out.write(make(), 0, "latin1"),
  }));
}

/** Throws unless all ids are different UUIDs of their version. */
export function checkIds(): void {
  for (const [name, make] of Object.entries(MAKERS)) {
    const ids = Array.from({ length: 10_000 }, make);
    const form = new RegExp(
      `^[0-9a-f]{8}-[0-9a-f]{4}-${name === "uuidv7" ? 7 : 4}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
    );
    if (new Set(ids).size !== ids.length || !ids.every((id) => form.test(id)))
      throw new Error(`${name} makes other ids`);
  }
}

/** Bytes held by one of many kept ids that were never read. */
export async function keptBytes(count: number): Promise<Record<string, number>> {
  const kept: Record<string, number> = {};
  for (const [name, make] of Object.entries(MAKERS)) {
    const ids = new Array<string>(count).fill("");
    make();
    await collectAll();
    const before = heldBytes();
    for (let i = 0; i < count; i++) ids[i] = make();
    await collectAll();
    kept[name] = (heldBytes() - before) / count;
    if (ids.length !== count) throw new Error("the ids are gone");
  }
  return kept;
}
