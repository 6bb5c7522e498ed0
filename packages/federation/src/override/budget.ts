/**
 * What the overrides of one manifest may cost for one cluster, in steps: values looked at or copied, characters of texts that are parsed.
 * They run between the requests of all users, and few bytes of a policy may ask for very much work (SEC-3).
 */

/** Many times what overrides of an object of 3 MiB need, and about a second at the most. */
const mostSteps = 2_000_000;

export class Budget {
  spent = 0;

  spend(steps: number): void {
    this.spent += steps;
    if (this.spent > mostSteps) throw new Error('the overrides ask for too much work');
  }
}
