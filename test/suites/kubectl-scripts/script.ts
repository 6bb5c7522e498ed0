/** Scripts: kubectl commands, one after the other, in a namespace of their own. */

import type { Random } from '@fleet/differential/random.ts';

export interface Step {
  args: readonly string[];
  stdin?: string;
  /** Names, as in `pod/web`, of what does not come to rest. */
  stuck?: RegExp;
  /** Only the last line of its output is compared: how often it reports progress depends on time. */
  lastLine?: boolean;
}

export interface Script {
  name: string;
  /** Nodes that belong to the script alone: their taints and cordons, and which of them pods are on, are compared. */
  nodes?: readonly string[];
  steps(random: Random, namespace: string): readonly Step[];
}

/** `run` is split at spaces. */
export const kubectl = (run: string, options: Omit<Step, 'args'> = {}): Step => ({ args: run.split(' '), ...options });

export const apply = (...objects: object[]): Step => create('apply', objects);

export const create = (verb: string, objects: readonly object[]): Step => ({
  args: [verb, '-f', '-'],
  stdin: objects.map((object) => JSON.stringify(object)).join('\n---\n'),
});
