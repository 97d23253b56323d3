/**
 * The reader of pages. It reads the same formats as the complete reader (message.ts), with a third of the code: one loop for
 * arrays, one for maps, recursion at any depth. It lacks `strict`, generated readers and guards against input designed to be slow;
 * docs/pages-size.md lists the parts that pages lack, and the size of each.
 */
import { HEAVY_ELEMENTS } from "../../bytes/elements.js";
import { DecodeError } from "../../bytes/errors.js";
import { BaseReader } from "./base.js";
import { assigner, MAX_ALWAYS_FAST_KEYS, MAX_FAST_KEYS, MAX_LITERAL_KEYS, type Sized } from "./objects.js";
import type { DecoderSettings } from "./settings.js";

const LARGEST_INDEX = "4294967294";

/** The reader of pages. */
export class PageReader extends BaseReader {
  /** Creates objects with room for 24 properties: V8 makes a dictionary of an object that grows from `{}` to more than 16. */
  #wide: Sized | null = null;

  constructor(settings: DecoderSettings) {
    super(settings, false);
  }

  override readMap(n: number, start: number, header: number): unknown {
    const reserved = this.open(n, 2 * n, start, header);
    const { maps, maxElements } = this.settings;
    if (maps === "map") this.countElements(maxElements > 0 ? HEAVY_ELEMENTS - 1 : HEAVY_ELEMENTS, start);
    const map =
      maps !== "auto"
        ? this.resume({}, n, reserved)
        : n > MAX_FAST_KEYS
          ? this.readDictionary(n, reserved)
          : n > MAX_LITERAL_KEYS
            ? this.#fill(n, reserved)
            : this.smallMap(n, reserved);
    this.depth--;
    this.reserved = reserved;
    return map;
  }

  /** Reads an object of more than four pairs. */
  #fill(n: number, reserved: number): unknown {
    const object: Record<string, unknown> = n > MAX_ALWAYS_FAST_KEYS ? new (this.#wide ??= makeWide())(false) : {};
    for (let left = n; left > 0; left--) {
      const key = this.simpleKey();
      if (key === null) return this.resume(object, left, reserved);
      object[key] = this.element(reserved + 2 * left - 2);
    }
    this.work.plain++;
    return object;
  }

  override resume(object: Record<string, unknown>, left: number, reserved: number): unknown {
    const { maps } = this.settings;
    const map = new Map<unknown, unknown>(Object.entries(object));
    let isMap = maps === "map";
    while (left-- > 0) {
      const { pos } = this;
      const key = this.element(reserved + 2 * left + 1);
      if (typeof key !== "string") {
        if (maps === "object") throw new DecodeError("ERR_UNSUPPORTED_TYPE", "a key is not a string", pos);
        isMap = true;
      }
      map.set(key, this.element(reserved + 2 * left));
    }
    if (isMap) {
      this.work.maps++;
      return map;
    }
    this.work.plain++;
    // Names such as "1023" would make an array of 12 KB (bytes/sparse.ts). With the largest index first, V8 creates a dictionary.
    const record = Object.fromEntries([[LARGEST_INDEX, null], ...map]) as Record<string, unknown>;
    if (!map.has(LARGEST_INDEX)) Reflect.deleteProperty(record, LARGEST_INDEX);
    return record;
  }
}

/** As makeSized in objects.ts, for one size: 16 assignments and 8 more slots. V8 keeps the slots that the first 8 objects use. */
function makeWide(): Sized {
  const wide = assigner();
  wide.prototype = Object.prototype;
  for (let i = 0; i < 8; i++) {
    const sample = new wide(false);
    for (let j = 0; j < 24; j++) sample[`$${j}`] = null;
  }
  return wide;
}
