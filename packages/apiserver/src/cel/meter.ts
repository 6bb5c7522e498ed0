/** Counts the cost of an evaluation, in kube-apiserver's units, and ends it at the limit. */

/** An expression exceeds the limit for one expression (`PerCallLimit`). */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export class Meter {
  #cost = 0;
  readonly #limit: number;
  /** Called with every step: it may throw, to end work on this thread that takes long. In units of time. */
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
