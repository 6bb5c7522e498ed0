/**
 * Gives requests, a line of JSON each, to Kubernetes' own code and to the embedded API server, and prints where they differ.
 * With `--random` the requests are about random objects of the kinds that follow, or of all.
 * With `--mistakes` makes the common mistakes at the embedded API server: those whose names have the texts that follow.
 */

import { readFile } from 'node:fs/promises';
import { memberAdmission } from '@fleet/apiserver/admission/admission.ts';
import { answerDifferences } from './answer-differences.ts';
import { openEmbedded } from './embedded-rules.ts';
import { askKubeRules } from './kube-rules.ts';
import { randomRequests } from './random-requests.ts';
import { readRecorded } from './recorded.ts';
import type { RuleAnswer, RuleRequest } from './rule-request.ts';
import { askServer, type Send } from './served-rules.ts';
import { disagreements, mistakes, namespace, tryMistakes } from './try-mistakes.ts';

const usage = `usage: compare.ts FILE…                       lines such as {"op": "update", "old": {…}, "object": {…}}; - is the input
       compare.ts --random SEED COUNT KIND…   COUNT random objects of each kind (or all), and changes of them
       compare.ts --mistakes TEXT…            the common mistakes whose names have all of the texts, such as Pod update`;

async function readRequests(files: readonly string[]): Promise<RuleRequest[]> {
  const texts = await Promise.all(files.map((file) => readFile(file === '-' ? '/dev/stdin' : file, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim());
  return lines.map((line) => JSON.parse(line) as RuleRequest);
}

async function compare(requests: readonly RuleRequest[]): Promise<number> {
  const expected = await askKubeRules(requests);
  await using embedded = await openEmbedded([]);
  let differing = 0;
  for (const [at, request] of requests.entries()) {
    if (isStores(expected[at]!)) continue;
    const differences = answerDifferences(expected[at]!, await asked(embedded.send, request));
    if (differences.length === 0) continue;
    differing++;
    const object = request.object ?? request.old;
    console.log(`line ${at + 1}: ${request.op ?? 'create'} ${object?.['kind']}`);
    for (const { where, left, right } of differences) {
      console.log(`  ${where}\n    Kubernetes: ${JSON.stringify(left)}\n    embedded:   ${JSON.stringify(right)}`);
    }
  }
  console.log(`${requests.length - differing} of ${requests.length} agree`);
  return Math.min(differing, 1);
}

/** What the store of Services would have filled in: Kubernetes' rules alone refuse it. */
const isStores = ({ status, error = '' }: RuleAnswer): boolean =>
  /spec\.(clusterIPs|healthCheckNodePort): Required value/.test(status?.message ?? error);

const asked = (send: Send, request: RuleRequest): Promise<RuleAnswer> =>
  askServer(send, request).catch((error: Error) => ({ error: error.message }));

async function makeMistakes(words: readonly string[]): Promise<number> {
  await using embedded = await openEmbedded(memberAdmission);
  await embedded.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await embedded.send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  const chosen = mistakes.filter(({ name }) => words.every((word) => name.includes(word)));
  const found = disagreements(await tryMistakes(embedded.send, chosen), readRecorded());
  for (const one of found) console.log(one);
  console.log(`${chosen.length - found.length} of ${chosen.length} agree`);
  return Math.min(found.length, 1);
}

async function main([first, ...rest]: readonly string[]): Promise<number> {
  switch (first) {
    case undefined:
      console.error(usage);
      return 2;
    case '--mistakes':
      return await makeMistakes(rest);
    case '--random': {
      const [seed = '1', count = '10', ...kinds] = rest;
      return await compare(randomRequests(seed, Number(count), ({ kind }) => !kinds.length || kinds.includes(kind)));
    }
    default:
      return await compare(await readRequests([first, ...rest]));
  }
}

process.exitCode = await main(process.argv.slice(2));
