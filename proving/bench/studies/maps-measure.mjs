// The measurements of maps.mjs.
import { OrderedTable, slotsFor } from "./hash-table.mjs";
import { bytesOf, ownCopy, race } from "./measure.mjs";
import { isSmoke } from "./size.mjs";

const SLOT_BYTES = 8;
/** Most entries of a Map, according to the article. */
export const MOST = 2 ** 24;

const texts = (n) => Array.from({ length: n }, (_, i) => `key ${i * 7}`);
const integers = (n) => Array.from({ length: n }, (_, i) => i * 7);
/** The numbers below `n` in a shuffled order that is always the same. */
const shuffled = (n) => integers(n).map((_, i) => (i * 7919) % n);

function filled(table, keys) {
  for (const key of keys) table.set(key, 1);
  return table;
}

function filledObject(keys) {
  const object = Object.create(null);
  for (const key of keys) object[key] = 1;
  return object;
}

export async function memory() {
  const figures = {};
  for (const power of isSmoke ? [18] : [10, 18, 20]) {
    const n = 2 ** power;
    const keys = integers(n);
    const formula = slotsFor(n) * SLOT_BYTES;
    const part = (bytes) => Math.round((bytes / formula) * 1000) / 1000;
    // Small maps are measured by the hundred, since the heap's figure is off by up to 150 KB.
    const times = isSmoke ? 1 : Math.max(1, 2 ** 19 / n);
    const each = async (make) => (await bytesOf(() => Array.from({ length: times }, make))) / times;
    figures[`memory-${power}.formula`] = formula;
    figures[`memory-${power}.map`] = part(await each(() => filled(new Map(), keys)));
    figures[`memory-${power}.table`] = part(await each(() => filled(new OrderedTable(), keys)));
    if (power === 20 || isSmoke) continue;
    const named = texts(n);
    figures[`memory-${power}.map-texts`] = part(await each(() => filled(new Map(), named)));
    figures[`memory-${power}.object-texts`] = part(await each(() => filledObject(named)));
  }
  return figures;
}

export function order() {
  const keys = ["b", "10", "a", "9"];
  const isKept = (found) => found.join() === keys.join();
  const table = filled(new OrderedTable(), keys);
  const during = (map) => {
    const seen = [];
    for (const [key] of map) {
      seen.push(key);
      if (key === "b") map.set("new", 1).delete("10");
    }
    return seen.join();
  };
  return {
    "order.map": isKept([...filled(new Map(), keys).keys()]),
    "order.table": isKept([...table].map(([key]) => key)),
    "order.object": isKept(Object.keys(filledObject(keys))),
    "order.changed": during(filled(new Map(), keys)) === during(table),
    ...capacities(),
  };
}

/** How the table grows and shrinks; the article describes the same for Map. */
function capacities() {
  const table = new OrderedTable();
  const first = table.capacity;
  filled(table, integers(5));
  const grown = table.capacity;
  filled(table, integers(1024));
  for (const key of integers(1024).slice(100)) table.delete(key);
  return { "capacity.first": first, "capacity.fifth": grown, "capacity.shrunk": table.capacity };
}

export function most() {
  const map = new Map();
  try {
    for (let i = 0; i <= MOST; i++) map.set(i, i);
  } catch {
    // What more it does not take is what is asked for.
  }
  return { "map.most": map.size };
}

const asked = (table, wanted) => () => {
  let sum = 0;
  for (const key of wanted) sum += table.get(key);
  return sum;
};
const askedObject = (object, wanted) => () => {
  let sum = 0;
  for (const key of wanted) sum += object[key];
  return sum;
};

export function lookUp() {
  const figures = {};
  for (const [name, keysOf] of Object.entries({ texts, integers })) {
    for (const n of [100, 10_000]) {
      const keys = keysOf(n);
      const wanted = shuffled(n)
        .slice(0, 1000)
        .map((i) => keys[i]);
      const [map, table, object] = [filled(new Map(), keys), filled(new OrderedTable(), keys), filledObject(keys)];
      const base = `get-${name}-${n}`;
      const contestant = (id, asked, asks) => ({ id, call: ownCopy(id, asked)(asks, wanted) });
      Object.assign(
        figures,
        race(`${base}.map`, [
          contestant(`${base}.map`, asked, map),
          contestant(`${base}.table`, asked, table),
          contestant(`${base}.object`, askedObject, object),
        ]),
      );
    }
  }
  return figures;
}

export function fill() {
  const n = 10_000;
  const keys = texts(n);
  const [fillMap, fillTable] = ["fill.map", "fill.table"].map((id) => ownCopy(id, filled));
  return race("fill.map", [
    { id: "fill.map", call: () => fillMap(new Map(), keys), bytes: 300_000 },
    { id: "fill.table", call: () => fillTable(new OrderedTable(), keys), bytes: 300_000 },
    { id: "fill.object", call: () => filledObject(keys), bytes: 300_000 },
  ]);
}
