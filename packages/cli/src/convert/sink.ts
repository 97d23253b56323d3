/** The kinds of containers that may arrive in parts. */
export type ContainerKind = "array" | "map";

/**
 * Takes the values of a conversion. Most arrive whole. A container that is too large to hold arrives as `open`, its keys and
 * values (each whole or opened in turn) and `close`. `endMessage` follows every top-level value.
 */
export interface Sink {
  /** A whole value: an element, the value of the last key, or a message. */
  value(value: unknown): void;
  /** A key of the open map. The next value belongs to it. */
  key(key: unknown): void;
  /** Begins a container. `count` is its number of elements or pairs, if known. */
  open(kind: ContainerKind, count: number | undefined): void;
  close(): Promise<void>;
  endMessage(): void;
  /** Called between batches: sends the written bytes and waits for a slow reader. */
  drain(): Promise<void>;
  /** Ends the output and puts it in its place. */
  finish(): Promise<void>;
  /** The conversion failed: nothing of the output must remain. */
  discard(): void;
}

interface Level {
  readonly kind: ContainerKind;
  /** Elements or pairs so far. */
  count: number;
  key: unknown;
  /** True between a key and its value. */
  keyed: boolean;
}

/** The place of a sink within a message: the open containers and their counts, and the path for errors. */
export class Place {
  readonly #levels: Level[] = [];

  /** Number of open containers. */
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

  /** Counts a value in the innermost open container. */
  value(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    level.count++;
    level.keyed = false;
  }

  open(kind: ContainerKind): void {
    this.#levels.push({ kind, count: 0, key: undefined, keyed: false });
  }

  /** Closes the innermost container and counts it in the container around it. Returns the closed container's count. */
  close(): number {
    const { count } = this.#levels.pop()!;
    this.value();
    return count;
  }

  /** Returns the path of the next value, for example `$.rows[17]`. */
  path(): string {
    let path = "$";
    for (const { kind, count, key, keyed } of this.#levels) {
      if (kind === "array") path += `[${count}]`;
      else if (keyed) path += pathStep(key);
    }
    return path;
  }
}

/** One step of a path, as error texts show it: `.name`, `["a b"]` or `[3]`. */
export function pathStep(key: unknown): string {
  if (typeof key === "string") return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  return `[${typeof key === "number" || typeof key === "bigint" ? key : typeof key}]`;
}
