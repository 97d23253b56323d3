// A deterministic hash table as Tyler Close designed it and as V8's Map is implemented: one flat array with a header,
// the heads
// of the chains, and entries of three slots in insertion order. It is measured next to Map, so that claims about the
// growth and
// memory of Map can be checked on a table whose internals are known.

const HEADER = 3;
/**
 * Header words: live entries, deleted entries, buckets. In a table that was rebuilt: the next table, and the removed
 * entries.
 */
const LIVE = 0;
const DELETED = 1;
const BUCKETS = 2;
const NEXT = 0;
const LEFT_OUT = 1;
/** Mean number of entries per bucket in a full table. */
const LOAD_FACTOR = 2;
const FIRST_BUCKETS = 2;
const ENTRY = 3;
const NONE = -1;
/** Marks a deleted entry. The first word of a header never has this value. */
const GONE = Symbol("deleted");

/** Number of slots for this many entries: 3.5 per entry, and the header. */
export const slotsFor = (capacity) => HEADER + capacity / LOAD_FACTOR + capacity * ENTRY;

/** A map for keys of any type, iterated in insertion order, also while it changes. */
export class OrderedTable {
  #slots = emptySlots(FIRST_BUCKETS);

  get size() {
    return this.#slots[LIVE];
  }

  /** Entries that fit, including deleted ones, before the table is rebuilt. */
  get capacity() {
    return this.#slots[BUCKETS] * LOAD_FACTOR;
  }

  get(key) {
    const at = find(this.#slots, key);
    return at === NONE ? undefined : this.#slots[at + 1];
  }

  has(key) {
    return find(this.#slots, key) !== NONE;
  }

  set(key, value) {
    const at = find(this.#slots, key);
    if (at !== NONE) this.#slots[at + 1] = value;
    else this.#add(key, value);
    return this;
  }

  #add(key, value) {
    if (this.#slots[LIVE] + this.#slots[DELETED] === this.capacity) {
      // If half of the slots are deleted entries, a table of the same size is enough.
      const isHalfGone = this.#slots[DELETED] * 2 >= this.capacity;
      this.#rebuild(isHalfGone ? this.#slots[BUCKETS] : this.#slots[BUCKETS] * 2);
    }
    append(this.#slots, key, value);
  }

  /** Marks the entry as deleted. Its slots stay in use until the table is rebuilt. */
  delete(key) {
    const slots = this.#slots;
    const at = find(slots, key);
    if (at === NONE) return false;
    slots[at] = GONE;
    slots[at + 1] = undefined;
    slots[LIVE]--;
    slots[DELETED]++;
    if (slots[BUCKETS] > FIRST_BUCKETS && slots[LIVE] < slots[BUCKETS] / 2) this.#rebuild(slots[BUCKETS] / 2);
    return true;
  }

  clear() {
    const old = this.#slots;
    this.#slots = emptySlots(FIRST_BUCKETS);
    leave(old, this.#slots, null);
  }

  #rebuild(buckets) {
    const old = this.#slots;
    const slots = emptySlots(buckets);
    const leftOut = [];
    const used = old[LIVE] + old[DELETED];
    for (let entry = 0; entry < used; entry++) {
      const at = placeOf(old, entry);
      if (old[at] === GONE) leftOut.push(entry);
      else append(slots, old[at], old[at + 1]);
    }
    this.#slots = slots;
    leave(old, slots, leftOut);
  }

  /**
   * Entries in insertion order, including those added during the iteration, without those deleted before they are reached.
   *
   * @returns {Generator<[unknown, unknown], void>}
   */
  *[Symbol.iterator]() {
    let slots = this.#slots;
    for (let entry = 0; ; entry++) {
      // The table was rebuilt, perhaps several times: removed entries before this one moved it up.
      while (typeof slots[NEXT] !== "number") {
        const leftOut = slots[LEFT_OUT];
        entry = leftOut === null ? 0 : entry - leftOut.filter((index) => index < entry).length;
        slots = slots[NEXT];
      }
      if (entry >= slots[LIVE] + slots[DELETED]) return;
      const at = placeOf(slots, entry);
      if (slots[at] !== GONE) yield [slots[at], slots[at + 1]];
    }
  }
}

function emptySlots(buckets) {
  const slots = [0, 0, buckets];
  for (let i = 0; i < buckets; i++) slots.push(NONE);
  for (let i = buckets * LOAD_FACTOR * ENTRY; i > 0; i--) slots.push(undefined);
  return slots.slice(); // the capacity of a copy is its length
}

const placeOf = (slots, entry) => HEADER + slots[BUCKETS] + entry * ENTRY;

/** The slot of a key's entry, or NONE. */
function find(slots, key) {
  const buckets = slots[BUCKETS];
  for (let entry = slots[HEADER + (hashOf(key) & (buckets - 1))]; entry !== NONE; ) {
    const at = HEADER + buckets + entry * ENTRY;
    const other = slots[at];
    if (other === key || (Number.isNaN(key) && Number.isNaN(other))) return at;
    entry = slots[at + 2];
  }
  return NONE;
}

function append(slots, key, value) {
  const entry = slots[LIVE] + slots[DELETED];
  const at = placeOf(slots, entry);
  const head = HEADER + (hashOf(key) & (slots[BUCKETS] - 1));
  slots[at] = key === 0 ? 0 : key; // no -0, as in Map
  slots[at + 1] = value;
  slots[at + 2] = slots[head];
  slots[head] = entry;
  slots[LIVE]++;
}

/** Tells active iterators where to continue. */
function leave(old, slots, leftOut) {
  old[NEXT] = slots;
  old[LEFT_OUT] = leftOut;
}

const words = new Uint32Array(2);
const double = new Float64Array(words.buffer);
/** Objects have no hash that a program can read, so each gets a number. */
const numbers = new WeakMap();
let given = 0;

function hashOf(key) {
  if (typeof key === "string") return hashText(key);
  if (typeof key === "number") return hashNumber(key);
  if ((typeof key === "object" && key !== null) || typeof key === "function") return hashObject(key);
  return hashText(String(key));
}

/** The mixing function that V8 has for integers. */
function mix(integer) {
  let hash = integer;
  hash = ~hash + (hash << 15);
  hash ^= hash >>> 12;
  hash += hash << 2;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2057);
  return hash ^ (hash >>> 16);
}

function hashNumber(key) {
  if ((key | 0) === key) return mix(key | 0);
  double[0] = key;
  return mix(words[0] ^ words[1]);
}

/** FNV-1a over UTF-16 units. A string caches V8's hash in its header; this one is computed in each call. */
function hashText(key) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

function hashObject(key) {
  let number = numbers.get(key);
  if (number === undefined) {
    number = mix(++given);
    numbers.set(key, number);
  }
  return number;
}
