/** Answers the completion scripts of shells: one candidate per line, with its description after a tab. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Command } from 'commander';
import { clustersPath } from '../cluster.ts';
import { type Candidate, type Completion, complete, withoutText } from '../completion/complete.ts';
import { Fleet } from '../fleet-location.ts';

/** Whoever presses a key waits for it. */
const answerWithin = 2_000;

export async function runComplete(program: Command, words: readonly string[]): Promise<void> {
  const completion = complete(program, words);
  const found = await candidatesOf(completion, words);
  const lines = typeof found === 'string' ? [found] : found.map(({ word, about }) => `${word}\t${firstLine(about)}`);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

async function candidatesOf(completion: Completion, words: readonly string[]): Promise<Candidate[] | string> {
  switch (completion.kind) {
    case 'words':
      return completion.candidates;
    case 'clusters': {
      const { others, current, prefix } = completion;
      const all = [...(await clusterNames(words)), ...others];
      return withoutText(
        all.filter((name) => name.startsWith(current)),
        prefix,
      );
    }
    case 'files':
    case 'folders':
      return `:${completion.kind}`;
    default:
      return completion satisfies never;
  }
}

/** None where there is no fleet, or none that answers: a line that is being typed is no place for errors. */
async function clusterNames(words: readonly string[]): Promise<string[]> {
  try {
    await using fleet = await Fleet.find(fleetKubeconfigIn(words), answerWithin);
    const { items } = await fleet.client('karmada', answerWithin).get<{ items: KubeObject[] }>(clustersPath);
    return items.map(({ metadata }) => metadata.name);
  } catch {
    return [];
  }
}

function fleetKubeconfigIn(words: readonly string[]): string | undefined {
  const flag = '--fleet-kubeconfig';
  const at = words.indexOf(flag);
  if (at >= 0) return words[at + 1] === '=' ? words[at + 2] : words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

const firstLine = (text: string): string => text.split('\n', 1)[0]!;
