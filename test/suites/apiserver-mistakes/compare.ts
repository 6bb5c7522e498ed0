/** Gives requests, a line of JSON each, to Kubernetes' own code and to the embedded API server, and prints where they differ. */

import { readFile } from 'node:fs/promises';
import { answerDifferences } from './answer-differences.ts';
import { openEmbedded } from './embedded-rules.ts';
import { askKubeRules } from './kube-rules.ts';
import type { RuleAnswer, RuleRequest } from './rule-request.ts';
import { askServer, type Send } from './served-rules.ts';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: compare.ts FILE…   lines such as {"op": "update", "old": {…}, "object": {…}}; - is the input');
  process.exit(2);
}

const texts = await Promise.all(files.map((file) => readFile(file === '-' ? '/dev/stdin' : file, 'utf8')));
const requests = texts.flatMap((text) =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as RuleRequest),
);

const asked = (send: Send, request: RuleRequest): Promise<RuleAnswer> =>
  askServer(send, request).catch((error: Error) => ({ error: error.message }));

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
process.exitCode = differing > 0 ? 1 : 0;
