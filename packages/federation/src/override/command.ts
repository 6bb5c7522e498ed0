/** Overriders of a container's command and arguments. */

import type { CommandOverrider } from '../api/policies.ts';
import type { Budget } from './budget.ts';
import { withContainers } from './containers.ts';

export const withCommand = (
  manifest: unknown,
  kind: string,
  field: 'command' | 'args',
  overrider: CommandOverrider,
  budget: Budget,
): unknown =>
  withContainers(manifest, kind, budget, (container) =>
    container['name'] === overrider.containerName
      ? { ...container, [field]: changedWords(wordsOf(container[field]), overrider, budget) }
      : container,
  );

function wordsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error('a command is no list');
  return value.map(String);
}

function changedWords(words: string[], { operator, value = [] }: CommandOverrider, budget: Budget): string[] {
  budget.spend(words.length + value.length);
  switch (operator) {
    case 'add':
      return [...words, ...value];
    case 'remove': {
      const removed = new Set(value);
      return words.filter((word) => !removed.has(word));
    }
    // The schema does not allow it for commands.
    case 'replace':
      return words;
    default:
      return operator satisfies never;
  }
}
