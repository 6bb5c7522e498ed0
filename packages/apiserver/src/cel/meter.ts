/** Counts what an evaluation costs, in kube-apiserver's units, and ends it where it costs too much. */

/** An expression that costs more than one may (`PerCallLimit`). */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export class Meter {
  #cost = 0;
  readonly #limit: number;
  /** Told of every step: it may throw to end here what takes long. In units, too, but of time. */
  readonly work: (units: number) => void;

  constructor(limit: number, work: (units: number) => void = () => {}) {
    this.#limit = limit;
    this.work = work;
  }

  get cost(): number {
    return this.#cost;
  }

  add(units: number): void {
    this.#cost += units;
    this.work(units);
    if (this.#cost > this.#limit) throw new CostLimitError();
  }
}
