import { type AnySchema, diagnose, diagnoseContainer } from "moonpack/pck";
import { formatOf } from "../shared/formats.js";
import type { ByteWindow } from "../shared/input.js";
import type { Part } from "./parts.js";

/** The first bytes of a container: PCK, version 1. */
const MAGIC = Buffer.from("PCK\x01", "latin1");

/** True for a PCK container, by its name or by its first bytes. */
export async function isContainer(window: ByteWindow, file: string): Promise<boolean> {
  await window.reach(MAGIC.length);
  return formatOf(file) === "pck" || MAGIC.equals(window.view().subarray(0, MAGIC.length));
}

/** The whole container as one part; with a schema, the whole message. */
export async function* pckPart(
  window: ByteWindow,
  schema: AnySchema | undefined,
  framed: boolean,
): AsyncGenerator<Part, void, undefined> {
  const bytes = await window.reachEnd();
  const items = schema === undefined ? diagnoseContainer(bytes) : diagnose(bytes, schema, { framed });
  yield { bytes, position: 0, total: bytes.length, items };
}
