import type { Workload } from "../types.js";
import { Random, times } from "./random.js";

// Shaped like the dictionary of a Japanese input method: readings in hiragana, each with its candidates in kanji.
const HIRAGANA = String.fromCodePoint(...times(82, (index) => 0x3042 + index));
const OKURIGANA = "kgsztdnbmrwi";

function candidate(random: Random): string {
  const word = kanji(random, random.integer(1, 4));
  return random.chance(0.2) ? `${word};${kanji(random, random.integer(2, 8))}` : word;
}

function kanji(random: Random, length: number): string {
  return times(length, () => String.fromCharCode(random.integer(0x4e00, 0x9f8d))).join("");
}

function dictionary(entries: number): Record<string, string[]> {
  const random = new Random(7);
  const words: Record<string, string[]> = {};
  for (let made = 0; made < entries; ) {
    let key = random.characters(HIRAGANA, random.integer(2, 7));
    if (random.chance(0.15)) key += random.pick([...OKURIGANA]);
    if (Object.hasOwn(words, key)) continue;
    words[key] = times(random.integer(1, 9), () => candidate(random));
    made++;
  }
  return words;
}

/** One object with unique keys, on which key caches and shape predictions must not be slow. */
export const dictionaries: Workload[] = [
  {
    id: "dictionary",
    title: "dictionary, unique keys, CJK",
    // Below 65,536 keys: msgpackr's default refuses to encode larger objects.
    values: (quick) => [dictionary(quick ? 15_000 : 65_000)],
  },
];
