/** What a member's authorisation webhook decides: a few rules, of which the first that matches counts. */

import type { Random } from '@fleet/differential/random.ts';
import {
  verbs as allVerbs,
  groupNames,
  groupsOf,
  names,
  namespaces,
  type Question,
  resources,
  userNames,
} from './questions.ts';

export type Opinion = 'allow' | 'deny' | 'none';

export interface WebhookRule {
  readonly opinion: Opinion;
  /** A user or a group. */
  readonly who: string;
  readonly verbs: readonly string[];
  readonly resource: string;
  /** Undefined: whatever the namespace, or all of them. */
  readonly namespace: string | undefined;
  /** Undefined: whatever the name, or none. */
  readonly name: string | undefined;
  /** Only with the selector. Denials have none: what is refused without it is asked once more with it, not the reverse (IMP-3). */
  readonly isSelected: boolean;
  readonly reason: string;
}

export const ruleCount = 4;

/** The last one only begins as RBAC's do. */
const reasons = ['', 'allowed by policy 7', 'RBAC: allowed by policy 7'];

export function webhookRule(random: Random): WebhookRule {
  const opinion = random.weighted<Opinion>([
    [3, 'allow'],
    [3, 'deny'],
    [1, 'none'],
  ]);
  return {
    opinion,
    who: random.chance(0.6) ? random.pick(userNames) : random.pick(groupNames),
    verbs: random.chance(0.8) ? allVerbs : [random.pick(allVerbs)],
    resource: random.pick(resources),
    namespace: random.chance(0.4) ? random.pick(namespaces) : undefined,
    name: random.chance(0.2) ? random.pick(names) : undefined,
    isSelected: opinion === 'allow' && random.chance(0.25),
    reason: random.pick(reasons),
  };
}

export type Attributes = Pick<Question, 'verb' | 'resource' | 'namespace' | 'name' | 'isSelected'>;

export function opinionOf(
  rules: readonly WebhookRule[],
  user: string,
  groups: readonly string[],
  asked: { readonly [Key in keyof Attributes]: Attributes[Key] | string | boolean },
): WebhookRule | undefined {
  // What may be listed may be read: a list by name looks for the name first (NAME-10).
  const verb = asked.verb === 'get' ? 'list' : (asked.verb as string);
  return rules.find(
    ({ who, verbs, resource, namespace, name, isSelected }) =>
      (who === user || groups.includes(who)) &&
      verbs.includes(verb) &&
      resource === asked.resource &&
      (namespace === undefined || namespace === asked.namespace) &&
      (name === undefined || name === asked.name) &&
      (!isSelected || asked.isSelected === true),
  );
}

export const opinionAbout = (rules: readonly WebhookRule[], question: Question): Opinion =>
  opinionOf(rules, question.user, groupsOf(question.user), question)?.opinion ?? 'none';
