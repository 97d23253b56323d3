import { existsSync, readFileSync } from "node:fs";
import { Random, times } from "../../workloads/random.js";

/** One way to write a reading. */
export interface Candidate {
  readonly word: string;
  readonly note: string | null;
}

/** The dictionary of an input method: readings with their candidates, the likeliest first. */
export type Dictionary = Readonly<Record<string, readonly Candidate[]>>;

/** The path of SKK-JISYO.L in Debian's package `skkdic`. Its licence is the GPL, so it is read there and never copied. */
const SKK_FILE = "/usr/share/skk/SKK-JISYO.L";

/** The real dictionary, if it is installed. */
export function skkDictionary(): Dictionary | undefined {
  if (!existsSync(SKK_FILE)) return undefined;
  return parseSkk(new TextDecoder("euc-jp", { fatal: true }).decode(readFileSync(SKK_FILE)));
}

/**
 * Parses lines such as `きしゃ /記者/汽車;train/`; comments begin with `;`. A reading may appear twice: with and without
 * okurigana.
 */
export function parseSkk(text: string): Dictionary {
  const readings = new Map<string, Candidate[]>();
  for (const line of text.split("\n")) {
    const space = line.indexOf(" ");
    if (line.startsWith(";") || space < 0) continue;
    const reading = line.slice(0, space);
    const candidates = line
      .slice(space + 1)
      .split("/")
      .filter((part) => part !== "")
      .map((part): Candidate => {
        const semicolon = part.indexOf(";");
        return semicolon < 0
          ? { word: part, note: null }
          : { word: part.slice(0, semicolon), note: part.slice(semicolon + 1) };
      });
    readings.set(reading, [...(readings.get(reading) ?? []), ...candidates]);
  }
  return Object.fromEntries(readings);
}

const KANA =
  "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽゃゅょっー";
/** The first `count` of the common characters from U+4E00 on. */
const KANJI = 6000;
const NOTES = ["人名", "地名", "植物", "動物", "古語", "俗語", "化学", "医学", "仏教", "music", "computer", "slang"];
const READINGS = 330_000;

/**
 * A synthetic dictionary of the same shape: most readings have one candidate, a few have dozens; a sixth of the candidates have a
 * note. The same on every machine; more than 15 MB of MessagePack.
 */
export function madeDictionary(readings = READINGS): Dictionary {
  const random = new Random(20221);
  const made = new Map<string, Candidate[]>();
  while (made.size < readings) {
    const reading =
      random.characters(KANA, random.integer(2, 7)) + (random.chance(0.15) ? random.pick(["k", "s", "t", "r"]) : "");
    if (made.has(reading)) continue;
    const many = random.chance(0.02) ? random.integer(8, 40) : random.chance(0.3) ? random.integer(2, 5) : 1;
    made.set(
      reading,
      times(many, () => candidate(random)),
    );
  }
  return Object.fromEntries(made);
}

function candidate(random: Random): Candidate {
  const kanji = times(random.integer(1, 4), () => String.fromCharCode(0x4e00 + random.integer(0, KANJI - 1))).join("");
  const word = random.chance(0.2) ? kanji + random.characters(KANA, random.integer(1, 3)) : kanji;
  const note = random.chance(1 / 6) ? times(random.integer(1, 3), () => random.pick(NOTES)).join(" ") : null;
  return { word, note };
}
