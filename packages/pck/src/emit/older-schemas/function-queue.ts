/** The functions of one earlier schema, in either language: each is written once, after the first function that uses it. */
export class FunctionQueue<Text> {
  readonly #names = new Map<string, string>();
  readonly #queued: (() => Text)[] = [];

  /** Returns the name of the function for `key`. The first call chooses the name and queues `write`; later calls find it. */
  nameOf(key: string, choose: () => string, write: (name: string) => Text): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = choose();
    this.#names.set(key, name);
    this.#queued.push(() => write(name));
    return name;
  }

  /** Writes the queued functions, and the functions that these queue. */
  *texts(): Generator<Text> {
    for (let write = this.#queued.shift(); write !== undefined; write = this.#queued.shift()) yield write();
  }
}
