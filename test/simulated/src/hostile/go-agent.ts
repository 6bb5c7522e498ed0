/** The hostile agent in Go (test/bed/hostile-agent): one attack at a time, and what it reports of it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { binaryPath, hostileAgent } from '@fleet/bed/binaries.ts';
import { until } from '@fleet/bed/until.ts';

export interface Fact {
  what: string;
  answer: string;
}

export interface Attack extends AsyncDisposable {
  facts: Fact[];
  answers(what: string): string[];
  /** Waits for it to report this. */
  reports(what: string, answer?: string): Promise<Fact>;
  ended: Promise<unknown>;
}

export type Flags = Record<string, string | number>;

/** Until it ends by itself, or is disposed of. */
export function startAttack(name: string, flags: Flags): Attack {
  const args = Object.entries(flags).map(([flag, value]) => `-${flag}=${value}`);
  const child = spawn(binaryPath(hostileAgent), [name, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const facts: Fact[] = [];
  createInterface(child.stdout).on('line', (line) => facts.push(JSON.parse(line) as Fact));
  const ended = once(child, 'close');
  const answers = (what: string) => facts.filter((fact) => fact.what === what).map(({ answer }) => answer);
  return {
    facts,
    answers,
    reports: (what, answer) =>
      until(
        `${name} reports ${what}`,
        () => facts.find((fact) => fact.what === what && fact.answer === (answer ?? fact.answer)),
        { timeout: 30_000 },
      ),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
