/** Asks Kubernetes' own Go code. */

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { binaryPath, kubeRules } from '@fleet/bed/binaries.ts';
import { build } from '@fleet/bed/build.ts';
import type { RuleAnswer, RuleRequest } from './rule-request.ts';

export async function askKubeRules(requests: readonly RuleRequest[]): Promise<RuleAnswer[]> {
  await build([kubeRules]);
  const child = spawn(binaryPath(kubeRules), { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  const lines = (await text(child.stdout)).split('\n').filter(Boolean);
  if (lines.length !== requests.length) throw new Error(`${requests.length} requests, ${lines.length} answers`);
  return lines.map((line) => JSON.parse(line) as RuleAnswer);
}
