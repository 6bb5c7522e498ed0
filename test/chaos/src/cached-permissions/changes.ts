/** What is changed in one member while it is asked: RBAC objects in bursts with calm between them, and webhook rules all the time. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@fleet/differential/random.ts';
import type { Authority } from './authority.ts';
import type { Decisions } from './decisions.ts';
import type { Focus } from './focus.ts';
import { type Cluster, keyOf } from './questions.ts';
import { type Change, nextChange } from './rbac-changes.ts';
import { opinionAbout, ruleCount, type WebhookRule, webhookRule } from './webhook-rules.ts';

export interface ChangesOptions {
  readonly cluster: Cluster;
  readonly authority: Authority;
  readonly decisions: Decisions;
  readonly focus: Focus;
  readonly random: Random;
  readonly log: (what: string) => void;
}

const candidates = 12;
/** In milliseconds. A yes is kept from 5 s after the last change of RBAC objects: so long nothing changes, and longer. */
const [calm, calmMore] = [7_500, 2_000];
/** A revocation counts after a second, and is seen for a while after that. */
const [between, betweenMore] = [1_400, 600];
/** Each of the rules stays for longer than the ten seconds that count after it. */
const [ruleStays, ruleStaysMore] = [3_100, 600];

export async function changeRbac(options: ChangesOptions, first: number, signal: AbortSignal): Promise<void> {
  const { authority, random, log } = options;
  const wait = (millis: number) => pause(millis, undefined, { signal }).catch(() => {});
  await wait(first);
  while (!signal.aborted) {
    await wait(calm + random.below(calmMore));
    for (let left = 2 + random.below(2); left > 0 && !signal.aborted; left--) {
      const change = takingAway(options);
      for (const step of change.steps) await authority.step(step);
      log(`RBAC: ${change.what}`);
      await wait(between + random.below(betweenMore));
    }
  }
}

/** One that takes something away of what is asked just now, as a rule. */
function takingAway({ cluster, authority, decisions, focus, random }: ChangesOptions): Change {
  const asked = new Set(focus.questions.map(keyOf));
  let change = nextChange(random, authority.rbac);
  const isAny = random.chance(0.3);
  for (let left = candidates; left > 0 && !isAny; left--) {
    const flipped = authority.flippedBy(change.steps[0]!);
    const takes = flipped.some((one) => asked.has(keyOf(one)) && decisions.of(cluster, one).rbac.value);
    if (takes) return change;
    change = nextChange(random, authority.rbac);
  }
  return change;
}

export async function changeWebhook(
  options: ChangesOptions,
  rules: readonly WebhookRule[],
  signal: AbortSignal,
): Promise<void> {
  const { authority, random, log } = options;
  let now = rules;
  for (let slot = 0; !signal.aborted; slot = (slot + 1) % ruleCount) {
    await pause(ruleStays + random.below(ruleStaysMore), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    now = now.with(slot, otherRule(options, now, slot));
    await authority.setRules(now);
    const { opinion, who, resource, namespace = '*', name = '*', isSelected } = now[slot]!;
    log(`webhook: ${opinion} ${who} ${resource} ${namespace}/${name}${isSelected ? ' selected' : ''}`);
  }
}

function otherRule({ cluster, decisions, focus, random }: ChangesOptions, now: readonly WebhookRule[], slot: number) {
  let rule = webhookRule(random);
  for (let left = candidates; left > 0; left--) {
    const next = now.with(slot, rule);
    const changes = focus.questions.some((one) => opinionAbout(next, one) !== decisions.of(cluster, one).webhook.value);
    if (changes) return rule;
    rule = webhookRule(random);
  }
  return rule;
}
