/**
 * Gives requests, a line of JSON each, to Kubernetes' own code and to the embedded API server, and prints where they differ.
 * With `--mistakes` makes the common mistakes at the embedded API server: those whose names have the texts that follow.
 */

import { readFile } from 'node:fs/promises';
import { answerDifferences } from './answer-differences.ts';
import { openEmbedded } from './embedded-rules.ts';
import { askKubeRules } from './kube-rules.ts';
import { readRecorded } from './recorded.ts';
import type { RuleAnswer, RuleRequest } from './rule-request.ts';
import { askServer, type Send } from './served-rules.ts';
import { disagreements, mistakes, namespace, tryMistakes } from './try-mistakes.ts';

const usage = `usage: compare.ts FILE…              lines such as {"op": "update", "old": {…}, "object": {…}}; - is the input
       compare.ts --mistakes TEXT…   the common mistakes whose names have all of the texts, such as Pod update`;

async function compareFiles(files: readonly string[]): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(file === '-' ? '/dev/stdin' : file, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim());
  const requests = lines.map((line) => JSON.parse(line) as RuleRequest);
  const expected = await askKubeRules(requests);
  await using embedded = await openEmbedded();
  let differing = 0;
  for (const [at, request] of requests.entries()) {
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
  return differing;
}

const asked = (send: Send, request: RuleRequest): Promise<RuleAnswer> =>
  askServer(send, request).catch((error: Error) => ({ error: error.message }));

async function makeMistakes(words: readonly string[]): Promise<number> {
  await using embedded = await openEmbedded();
  await embedded.send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await embedded.send('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  const wanted = mistakes.filter(({ name }) => words.every((word) => name.includes(word)));
  const found = disagreements(await tryMistakes(embedded.send, wanted), readRecorded());
  for (const one of found) console.log(one);
  console.log(`${wanted.length - found.length} of ${wanted.length} agree`);
  return found.length;
}

const [first, ...rest] = process.argv.slice(2);
if (first === undefined) console.error(usage);
const differing = first === '--mistakes' ? await makeMistakes(rest) : first ? await compareFiles([first, ...rest]) : 2;
process.exitCode = Math.min(differing, first === undefined ? 2 : 1);
