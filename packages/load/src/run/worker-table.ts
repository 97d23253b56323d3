/** The workers of a round. A worker is a slot for one operation in flight; a round has `concurrency` workers. */
export class WorkerTable {
  /** The start time of each worker's operation; Infinity without one. */
  readonly startedAt: Float64Array;
  /** Increases when a worker abandons its operation: its former run then ends without effect. */
  readonly generation: Uint32Array;
  readonly #run: (worker: number, generation: number) => Promise<void>;
  #left = 0;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** `run` executes operations of a worker until the round ends or the worker's generation changes. */
  constructor(count: number, run: (worker: number, generation: number) => Promise<void>) {
    this.startedAt = new Float64Array(count).fill(Infinity);
    this.generation = new Uint32Array(count);
    this.#run = run;
  }

  /** Starts all workers. Resolves when each of them has ended. */
  start(): Promise<void> {
    const { length } = this.startedAt;
    this.#left = length;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      for (let worker = 0; worker < length; worker++) this.#launch(worker);
    });
  }

  /** Frees each worker whose operation started before `time`, calls `expired`, and continues the worker. */
  expire(time: number, expired: (worker: number) => void): void {
    for (let worker = 0; worker < this.startedAt.length; worker++) {
      if (this.startedAt[worker]! >= time) continue;
      this.#free(worker);
      expired(worker);
      this.#launch(worker);
    }
  }

  /** Ends all workers without waiting for operations in flight. Returns their number. */
  abandon(): number {
    let inFlight = 0;
    for (let worker = 0; worker < this.startedAt.length; worker++) {
      if (this.startedAt[worker]! < Infinity) inFlight++;
      this.#free(worker);
    }
    this.#resolve();
    return inFlight;
  }

  #free(worker: number): void {
    this.startedAt[worker] = Infinity;
    this.generation[worker]!++;
  }

  #launch(worker: number): void {
    const generation = this.generation[worker]!;
    this.#run(worker, generation).then(() => {
      if (this.generation[worker] === generation && --this.#left === 0) this.#resolve();
    }, this.#reject);
  }
}
