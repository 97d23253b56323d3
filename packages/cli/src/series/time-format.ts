/** Times in a format of the user, such as `%d.%m.%Y %H:%M`, with the letters of `strftime`. */
import { isoTime } from "moonpack/bytes";
import { UsageError } from "../shared/failure.js";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WORD = "\\p{L}+\\.?";

/** The pattern of each letter. */
const PARTS = new Map<string, string>([
  ["Y", "(?<year>\\d{4})"],
  ["y", "(?<short>\\d\\d)"],
  ["m", "(?<month>\\d\\d?)"],
  ["b", `(?<name>${WORD})`],
  ["B", `(?<name>${WORD})`],
  ["d", "(?<day>\\d\\d?)"],
  ["e", " ?(?<day>\\d\\d?)"],
  ["H", "(?<hour>\\d\\d?)"],
  ["I", "(?<half>\\d\\d?)"],
  ["M", "(?<minute>\\d\\d)"],
  ["S", "(?<second>\\d\\d)"],
  ["f", "(?<fraction>\\d{1,9})"],
  ["p", "(?<noon>[AaPp]\\.?[Mm]\\.?)"],
  ["z", "(?<zone>[Zz]|[+-]\\d\\d(?::?\\d\\d)?)"],
  ["s", "(?<unix>\\d{1,15})"],
  ["a", WORD],
  ["A", WORD],
  ["%", "%"],
]);
const SHORTHANDS = new Map([
  ["F", "%Y-%m-%d"],
  ["T", "%H:%M:%S"],
  ["R", "%H:%M"],
  ["D", "%m/%d/%y"],
]);
const LETTERS = [...PARTS.keys(), ...SHORTHANDS.keys()].map((letter) => `%${letter}`).join(" ");

/** A time, in milliseconds as if it were UTC. */
export interface ReadTime {
  readonly time: number;
  /** False if the text states no zone. */
  readonly hasZone: boolean;
}

/** Reads texts of one format. */
export class TimeFormat {
  readonly format: string;
  readonly #pattern: RegExp;

  /** Throws a RangeError with the reason for a format that is not valid. */
  constructor(format: string) {
    this.format = format;
    const whole = format.replace(/%([FTRD])/g, (_, letter: string) => SHORTHANDS.get(letter)!);
    let pattern = "";
    for (const [text, letter] of whole.matchAll(/%(.?)|[^%]/gsu)) {
      const part = letter === undefined ? text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : PARTS.get(letter);
      if (part === undefined) throw new RangeError(`${text} is not one of ${LETTERS}`);
      pattern += part;
    }
    this.#pattern = patternOf(pattern);
    const names = groupsOf(pattern);
    const hasDate = ["year", "month", "day"].every((name) => names.has(name));
    if (!hasDate && !names.has("unix")) throw new RangeError("it needs %Y, %m and %d, or %s");
    if (names.has("half") !== names.has("noon")) throw new RangeError("%I and %p need each other");
  }

  /** Returns the time of a text; undefined if the text has another form, or is not a time of the calendar. */
  of(text: string): ReadTime | undefined {
    const found = this.#pattern.exec(text)?.groups;
    if (found === undefined) return undefined;
    const { unix, fraction = "", zone = "" } = found;
    if (unix !== undefined) return { time: Number(unix + fraction.slice(0, 3).padEnd(3, "0")), hasZone: true };
    const month = found.name === undefined ? found.month! : String(monthOf(found.name));
    const hour = hourOf(found);
    if (hour === undefined) return undefined;
    const [date, clock] = [
      [yearOf(found), two(month), two(found.day!)].join("-"),
      [two(hour), found.minute ?? "00", found.second ?? "00"].join(":"),
    ];
    const time = isoTime(`${date}T${clock}${fraction === "" ? "" : `.${fraction}`}${zone === "" ? "Z" : zone}`);
    return time === undefined ? undefined : { time, hasZone: zone !== "" };
  }
}

/** Letters that occur twice are named groups of one name, which is a syntax error. */
function patternOf(pattern: string): RegExp {
  try {
    return new RegExp(`^${pattern}$`, "u");
  } catch {
    throw new RangeError("a letter occurs twice");
  }
}

/** The groups of a pattern, with `year` for the short one too, and `month` for its name. */
function groupsOf(pattern: string): ReadonlySet<string> {
  const names = Array.from(pattern.matchAll(/\(\?<(\w+)>/g), ([, name]) => name!);
  return new Set(names.map((name) => (name === "short" ? "year" : name === "name" ? "month" : name)));
}

type Groups = Readonly<Record<string, string | undefined>>;

/** As POSIX: 69 to 99 are in the 20th century. */
function yearOf({ year, short }: Groups): string {
  return year ?? (Number(short) < 69 ? "20" : "19") + short;
}

/** The number of a month by its English name, or its first three letters; 0 if it is not one. */
function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function hourOf({ hour, half, noon }: Groups): string | undefined {
  if (half === undefined) return hour ?? "00";
  if (Number(half) < 1 || Number(half) > 12) return undefined;
  return String((Number(half) % 12) + (/^p/i.test(noon!) ? 12 : 0));
}

function two(text: string): string {
  return text.padStart(2, "0");
}

/** Reads an option's value that must be a time format. */
export function timeFormatArgument(option: string): (text: string) => TimeFormat {
  return (text) => {
    try {
      return new TimeFormat(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(`${option} must be a format such as '%d.%m.%Y %H:%M:%S', not ${text}: ${error.message}`);
    }
  };
}
