// The inputs from which fuzzing starts, and the folder for those that it finds.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@moonpack/tools/setup";
import { JSON_SEEDS } from "./json.mjs";
import { LINE_SEEDS } from "./line-seeds.mjs";
import { RECORD_SEEDS } from "./msgpackr.mjs";
import { SEEDS } from "./pck-seeds.mjs";
import { PROMETHEUS_SEEDS } from "./prometheus.mjs";
import { SERIES_SEEDS } from "./series-seeds.mjs";
import { TRACE_SEEDS } from "./trace.mjs";

const OWN_SEEDS = {
  ...SEEDS,
  ...SERIES_SEEDS,
  ...LINE_SEEDS,
  ...PROMETHEUS_SEEDS,
  ...JSON_SEEDS,
  ...TRACE_SEEDS,
  ...RECORD_SEEDS,
};

/** A container with a value of each type: the bytes of its head, and the bytes that follow. */
export function everyType() {
  const bytes = readFileSync(join(root, "vectors/pck/containers/every-type.pck"));
  // The document's length has two bytes, the fingerprint eight.
  const size = 6 + ((bytes[4] & 0x7f) | (bytes[5] << 7)) + 8;
  return { head: new Uint8Array(bytes.subarray(0, size)), frames: new Uint8Array(bytes.subarray(size)) };
}

/** Vectors of the format, and the inputs kept for the target. */
export function seeds(target) {
  const own = OWN_SEEDS[target];
  const list = target === "container" ? [everyType().frames] : (own?.() ?? vectorsFor(target));
  const folder = join(root, "vectors/corpus", target);
  if (existsSync(folder))
    for (const name of readdirSync(folder)) list.push(new Uint8Array(readFileSync(join(folder, name))));
  return list;
}

function vectorsFor(target) {
  const list = [];
  const kind = target === "frames" ? "bytes" : "msgpack";
  for (const name of readdirSync(join(root, "vectors", kind))) {
    const { vectors } = JSON.parse(readFileSync(join(root, "vectors", kind, name), "utf8"));
    for (const { bytes } of vectors) {
      const raw = partsOf(bytes);
      if (raw.length <= 2048) list.push(raw);
    }
  }
  return list;
}

/** Keeps an input of the target, named by its contents. Returns its path from the repository's root. */
export function keep(target, bytes, prefix) {
  const folder = join(root, "vectors/corpus", target);
  mkdirSync(folder, { recursive: true });
  const name = prefix + createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  writeFileSync(join(folder, name), bytes);
  return join("vectors/corpus", target, name);
}

/** Bytes in the notation of vectors/README.md. */
function partsOf(notation) {
  const parts = (Array.isArray(notation) ? notation : [notation]).map((part) => {
    if (typeof part === "string") return part;
    if (part.$repeat !== undefined) return part.$repeat[0].repeat(part.$repeat[1]);
    const digits = (i) => Buffer.from(`k${String(i).padStart(5, "0")}`).toString("hex");
    return Array.from({ length: part.$entries }, (_, i) => `a6${digits(i)}c0`).join("");
  });
  return new Uint8Array(Buffer.from(parts.join(""), "hex"));
}
