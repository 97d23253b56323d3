/** Strings to keep from decoded messages. All are different, so that only memory can be shared. */
export interface RetainedText {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  make(index: number): string;
}

function retained(id: string, title: string, count: number, unit: string, repeat: number): RetainedText {
  return { id, title, count, make: (index) => `${String(index).padStart(6, "0")}${unit.repeat(repeat)}` };
}

const FRENCH = " une journée d'été où la forêt déjà";

/** One- and two-byte strings, shorter and longer than the thresholds of codecs' fast paths. */
export const retainedTexts: readonly RetainedText[] = [
  retained("ascii-12", "ASCII 12 B", 100_000, " short", 1),
  retained("ascii-40", "ASCII 40 B", 50_000, " of the kept text", 2),
  retained("ascii-1k", "ASCII 1 KB", 5_000, " of the kept text", 58),
  retained("french-40", "French 40 B", 50_000, FRENCH, 1),
  retained("french-10k", "French 10 KB", 500, FRENCH, 250),
  retained("cjk-60", "CJK 60 B", 50_000, "東京都の天気", 3),
  retained("cjk-1k", "CJK 1 KB", 5_000, "東京都の天気", 56),
];
