/** The functions of one older schema, in either language: each is written once, after the function that asked for it. */
export class FunctionQueue<Text> {
  readonly #names = new Map<string, string>();
  readonly #waiting: (() => Text)[] = [];

  /** The name of the function for `key`. The first call chooses the name and queues `write`; later calls find it. */
  nameOf(key: string, choose: () => string, write: (name: string) => Text): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const name = choose();
    this.#names.set(key, name);
    this.#waiting.push(() => write(name));
    return name;
  }

  /** Writes the functions that wait, and the functions that these ask for. */
  *texts(): Generator<Text> {
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) yield write();
  }
}
