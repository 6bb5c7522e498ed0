/** A check of the tunnel under attack: what it finds wrong, and what the suites ask of every one of them. */

import { until } from '@fleet/bed/until.ts';
import type { Attack, Flags } from './go-agent.ts';
import type { AuditEvent, Scene } from './scene.ts';

/** Undefined where all is well. */
export type Check = (scene: Scene) => Promise<string | undefined>;

const mib = 1024 * 1024;
/** What an attack may add to what the product holds: more than a collection leaves by chance, less than any of them sends. */
const mostGrowth = 40 * mib;
const sampling = 2_000;

/** The first that is wrong. */
export const first = (...found: (string | undefined | false)[]): string | undefined =>
  found.find((one) => typeof one === 'string') as string | undefined;

/** Facts other than these. */
export function unlike(attack: Attack, what: RegExp, answer: RegExp): string | undefined {
  const facts = attack.facts.filter((fact) => what.test(fact.what));
  if (facts.length === 0) return `nothing was reported of ${what}`;
  const wrong = facts.find((fact) => !answer.test(fact.answer));
  return wrong && `${wrong.what}: ${wrong.answer}`;
}

/** Whether it came to pass in a while. */
export const within = (condition: () => boolean | Promise<boolean>, timeout = 4_000): Promise<boolean> =>
  until('it came to pass', condition, { timeout }).then(
    () => true,
    () => false,
  );

/** What the audit log should have got since then, and has not. */
export async function unaudited(
  { audited }: Scene,
  since: number,
  ...expected: Partial<AuditEvent>[]
): Promise<string | undefined> {
  const isThere = (event: AuditEvent, one: Partial<AuditEvent>) =>
    Object.entries(one).every(([key, value]) => event[key as keyof AuditEvent] === value);
  let missing: Partial<AuditEvent> | undefined;
  await within(async () => {
    const events = (await audited()).slice(since);
    missing = expected.find((one) => !events.some((event) => isThere(event, one)));
    return missing === undefined;
  });
  return missing && `not in the audit log: ${JSON.stringify(missing)}`;
}

export const refusal = (what: string): Partial<AuditEvent> => ({ stage: 'AgentRefused', cluster: 'mordor', what });

/** Runs an attack to its end; the other cluster is served meanwhile, and memory stays within its bounds. */
export async function endured(
  scene: Scene,
  name: string,
  flags: Flags,
  judge: (attack: Attack, since: number) => Promise<string | undefined>,
): Promise<string | undefined> {
  const since = (await scene.audited()).length;
  const before = await scene.heap.collected();
  await using attack = scene.start(name, flags);
  let isOver = false;
  attack.ended.then(() => {
    isOver = true;
  });
  let most = 0;
  const failures: number[] = [];
  for (let next = 0; !isOver; ) {
    const status = await scene.status('rohan');
    if (status !== 200) failures.push(status);
    // A full collection takes half a second of the product's time: most of it is left for the attack.
    if (Date.now() < next) continue;
    most = Math.max(most, await scene.heap.collected());
    next = Date.now() + sampling;
  }
  most = Math.max(most, await scene.heap.collected());
  const growth = most - before;
  return first(
    await judge(attack, since),
    failures.length > 0 && `another cluster got ${failures}`,
    growth > mostGrowth && `${Math.round(growth / mib)} MiB more are held`,
  );
}
