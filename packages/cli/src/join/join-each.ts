/** Joins many clusters of one kubeconfig, some at a time, with a line for each. An error of one does not stop the others. */

import { checkClusterName } from '../cluster-name.ts';
import { concurrently } from '../concurrently.ts';
import { describe, HintedError, UsageError } from '../errors.ts';
import { Progress, warning } from '../progress.ts';
import type { Joined } from './join.ts';

export interface NamedContext {
  name: string;
  context: string;
}

/** `a,b` for contexts that can be the members' names, too; `name=context` for others. */
export function namedContexts(list: string): NamedContext[] {
  const all = list.split(',').map((one) => {
    const [, name, context = ''] = /^([^=]*)=(.*)$/s.exec(one) ?? [undefined, one, one];
    if (!name || !context) throw new UsageError(`--contexts takes contexts with commas between them, not "${list}"`);
    return { name, context };
  });
  for (const { name, context } of all) {
    try {
      checkClusterName(name);
    } catch (error) {
      if (name !== context) throw error;
      throw new UsageError(`${(error as Error).message}. Give it one, as in --contexts NAME=${context}`);
    }
  }
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (twice) throw new UsageError(`--contexts names "${twice.name}" twice`);
  return all;
}

export interface EachParts {
  /** Joins one; its steps go to `progress`. `claim` refuses the uid of a cluster that another one of them has. */
  joinOne(one: NamedContext, parts: { progress: Progress; claim: (uid: string) => void }): Promise<Joined>;
  progress: Progress;
  signal: AbortSignal;
}

export async function joinEach(members: readonly NamedContext[], parts: EachParts): Promise<void> {
  const { joinOne, progress, signal } = parts;
  const names = new Map<string, string>();
  let failed = 0;
  await concurrently(members, signal, async (member) => {
    const { name } = member;
    let steps = '';
    const claim = (uid: string) => {
      const other = names.get(uid);
      if (other !== undefined) throw new Error(`it is the same cluster as ${other}`);
      names.set(uid, name);
    };
    const own = new Progress({ write: (text) => (steps += text) }, {});
    try {
      const { isNew, version } = await joinOne(member, { progress: own, claim });
      progress.line(true, `${name}: ${isNew ? 'joined' : 'was registered already'}, ${version}`);
      for (const line of steps.split('\n')) if (line.startsWith(warning)) progress.print(line);
    } catch (error) {
      failed++;
      // What an undo had to leave is for somebody to remove.
      const left = steps.split('\n').filter((line) => line.startsWith(leftBehind));
      progress.line(false, [`${name}: ${describe(error)}`, ...left].join('\n'));
      if (signal.aborted) throw error;
    }
  });
  if (failed === 0) return;
  throw new HintedError(
    `${failed} of ${members.length} clusters did not join`,
    'The same command again joins those that are missing',
  );
}

const leftBehind = '    left behind:';
