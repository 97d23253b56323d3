import { formatOf } from "../shared/formats.js";
import type { ByteWindow } from "../shared/input.js";

/** The first bytes of a container: PCK, version 1. */
const MAGIC = Buffer.from("PCK\x01", "latin1");

/** True for a PCK container, by its name or by its first bytes. */
export async function isContainer(window: ByteWindow, file: string): Promise<boolean> {
  await window.reach(MAGIC.length);
  return formatOf(file) === "pck" || MAGIC.equals(window.view().subarray(0, MAGIC.length));
}
