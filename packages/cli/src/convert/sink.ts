/** A container that is too large to hold arrives in parts. */
export type ContainerKind = "array" | "map";

/**
 * Where a conversion's values go. Most arrive whole; a container that is too large to hold arrives as `open`, its keys
 * and values (each whole or opened in turn), `close`. `endMessage` follows every top-level value.
 */
export interface Sink {
  /** A whole value: an element, the value of the last key, or a message. */
  value(value: unknown): void;
  /** A key of the map that is open. The next value is its. */
  key(key: unknown): void;
  /** A container begins; `count` when it is known how many elements or pairs it has. */
  open(kind: ContainerKind, count: number | undefined): void;
  close(): Promise<void>;
  endMessage(): void;
  /** Called between batches: hands on what is written and waits for a slow reader. */
  drain(): Promise<void>;
  /** Nothing follows: what was written is put in its place. */
  finish(): Promise<void>;
  /** The conversion failed: nothing of what was written shall remain. */
  discard(): void;
}

interface Level {
  readonly kind: ContainerKind;
  /** Elements or pairs so far. */
  count: number;
  key: unknown;
  /** A key stands and its value is awaited. */
  keyed: boolean;
}

/** Where in a message a sink is: the open containers, how full they are, and the path for errors. */
export class Place {
  readonly #levels: Level[] = [];

  /** Containers that are open. */
  get depth(): number {
    return this.#levels.length;
  }

  /** The innermost open container. */
  get level(): Readonly<Level> | undefined {
    return this.#levels.at(-1);
  }

  key(key: unknown): void {
    const level = this.#levels.at(-1)!;
    level.key = key;
    level.keyed = true;
  }

  /** A value is done: counted in the container around it. */
  value(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    level.count++;
    level.keyed = false;
  }

  open(kind: ContainerKind): void {
    this.#levels.push({ kind, count: 0, key: undefined, keyed: false });
  }

  /** Closes the innermost container, which counts as a value of the one around it. Returns how many it holds. */
  close(): number {
    const { count } = this.#levels.pop()!;
    this.value();
    return count;
  }

  /** The path of the value that is next: `$.rows[17]`. */
  path(): string {
    let path = "$";
    for (const { kind, count, key, keyed } of this.#levels) {
      if (kind === "array") path += `[${count}]`;
      else if (keyed) path += pathStep(key);
    }
    return path;
  }
}

/** One step of a path as error texts show it: `.name`, `["a b"]` or `[3]`. */
export function pathStep(key: unknown): string {
  if (typeof key === "string") return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  return `[${typeof key === "number" || typeof key === "bigint" ? key : typeof key}]`;
}
