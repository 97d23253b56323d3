/** The lanes of a round: each has at most one operation in flight. */
export class LaneTable {
  /** When the operation of each lane has begun; Infinity for none. */
  readonly begun: Float64Array;
  /** Rises when a lane is taken from an operation that takes too long: the function that waits for it no longer counts. */
  readonly generation: Uint32Array;
  readonly #run: (lane: number, generation: number) => Promise<void>;
  #left = 0;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** `run` does the operations of a lane until there are no more, or its generation has passed. */
  constructor(count: number, run: (lane: number, generation: number) => Promise<void>) {
    this.begun = new Float64Array(count).fill(Infinity);
    this.generation = new Uint32Array(count);
    this.#run = run;
  }

  /** Starts all lanes. Resolves when each of them has ended. */
  start(): Promise<void> {
    const { length } = this.begun;
    this.#left = length;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      for (let lane = 0; lane < length; lane++) this.#launch(lane);
    });
  }

  /** Frees each lane whose operation began before `time`: `expired` is told, and the lane goes on. */
  expire(time: number, expired: (lane: number) => void): void {
    for (let lane = 0; lane < this.begun.length; lane++) {
      if (this.begun[lane]! >= time) continue;
      this.#free(lane);
      expired(lane);
      this.#launch(lane);
    }
  }

  /** Ends all lanes without waiting for operations in flight. Returns how many there were. */
  abandon(): number {
    let inFlight = 0;
    for (let lane = 0; lane < this.begun.length; lane++) {
      if (this.begun[lane]! < Infinity) inFlight++;
      this.#free(lane);
    }
    this.#resolve();
    return inFlight;
  }

  #free(lane: number): void {
    this.begun[lane] = Infinity;
    this.generation[lane]!++;
  }

  #launch(lane: number): void {
    const generation = this.generation[lane]!;
    this.#run(lane, generation).then(() => {
      if (this.generation[lane] === generation && --this.#left === 0) this.#resolve();
    }, this.#reject);
  }
}
