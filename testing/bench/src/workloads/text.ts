import type { Workload } from "../types.js";
import { Random, times } from "./random.js";

/** Frequent words. */
export const ENGLISH = (
  "the of and to in is that for it as was with be by on not he this are or his from at which but have an had they you " +
  "were their one all we can her has there been if more when will would who so no said what up its about into than them"
).split(" ");
const FRENCH = (
  "le de à et être il avoir ne je son que se qui ce dans en du elle au pour pas vous par sur faire plus dire me on mon " +
  "été côté où même déjà après très première dernière système qualité société général année façon français leçon élève " +
  "forêt île goût naïf Noël cœur sœur œuvre événement présent idée pensée journée lumière mère père frère fenêtre"
).split(" ");

/** Words and punctuation until the text has `bytes` bytes of UTF-8, or up to three more. */
export function prose(random: Random, words: readonly string[], bytes: number): string {
  let text = "";
  let length = 0;
  while (length < bytes) {
    const word = random.pick(words) + (random.chance(0.1) ? ", " : random.chance(0.08) ? ". " : " ");
    text += word;
    length += Buffer.byteLength(word);
  }
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD/g, "");
}

/** Text that looks Chinese: ideographs with an occasional full-width mark, three bytes each. */
export function ideographs(random: Random, bytes: number): string {
  return times(Math.floor(bytes / 3), () =>
    random.chance(0.06) ? random.pick(["，", "。", "、"]) : String.fromCharCode(random.integer(0x4e00, 0x9f8d)),
  ).join("");
}

/** Several messages of the same size, so that no decoder always sees the same text. */
function text(id: string, title: string, count: number, make: (random: Random) => string): Workload {
  return {
    id,
    title,
    values: () => {
      const random = new Random(17);
      return times(count, (index) => ({ id: index, text: make(random) }));
    },
  };
}

/** A long string in a small object, in scripts of one, mostly one, and three bytes per character. */
export const texts: Workload[] = [
  text("ascii-1k", "ASCII 1 KB", 64, (random) => prose(random, ENGLISH, 1000)),
  text("ascii-100k", "ASCII 100 KB", 6, (random) => prose(random, ENGLISH, 100_000)),
  text("cjk-1k", "CJK 1 KB", 64, (random) => ideographs(random, 1000)),
  text("cjk-100k", "CJK 100 KB", 6, (random) => ideographs(random, 100_000)),
  text("french-10k", "French 10 KB", 16, (random) => prose(random, FRENCH, 10_000)),
];
