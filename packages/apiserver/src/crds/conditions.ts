/** Sets conditions of a definition. */

import type { Condition, Definition } from './definition.ts';

/** The transition time changes only with the status. */
export function setCondition(definition: Definition, next: Omit<Condition, 'lastTransitionTime'>, now: string): void {
  const conditions = definition.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === next.type);
  const lastTransitionTime = before && before.status === next.status ? before.lastTransitionTime : now;
  const { type, status: value, reason, message } = next;
  const made: Condition = { type, status: value, lastTransitionTime, reason, message };
  const all = before ? conditions.map((one) => (one === before ? made : one)) : [...conditions, made];
  definition.status = { ...definition.status, conditions: all };
}
