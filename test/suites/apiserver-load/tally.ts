/** What is kept of many answers: how they are spread, the slowest, and all that may be a fault. */

import { type FuzzRequest, shown } from '../bad-input/request.ts';
import type { Outcome } from '../bad-input/send.ts';
import type { Stall } from './held-loop.ts';

/** An answer takes this long at most, in milliseconds: as long as kube-apiserver gives a request. */
export const longest = 60_000;

/** As much of a body as kube-apiserver takes; of what is larger the rest is not read, so its sender may be cut off. */
const bodyLimit = 3 * 1024 * 1024;

interface Kept {
  from: number;
  to: number;
  text: string;
}

export class Tally {
  readonly statuses: Record<number, number> = {};
  readonly faults: string[] = [];
  /** To be put to a witness. */
  readonly serverErrors: Outcome[] = [];
  slowest = 0;
  count = 0;
  readonly #kept: Kept[] = [];

  add(outcome: Outcome): void {
    const { request, status, milliseconds, failure } = outcome;
    this.count += 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    this.slowest = Math.max(this.slowest, milliseconds);
    const now = Date.now();
    this.#kept.push({ from: now - milliseconds, to: now, text: inShort(request) });
    if (failure !== undefined && !isCutOff(outcome))
      this.faults.push(`no whole answer (${failure}): ${shown(request)}`);
    if (milliseconds > longest) this.faults.push(`${Math.round(milliseconds)} ms: ${shown(request)}`);
    if (status >= 500 && !isTooNew(outcome) && !needsNodes(outcome)) this.serverErrors.push(outcome);
  }

  /** What was under way when the event loop was held. */
  during({ at, held }: Stall): string {
    const under = this.#kept.filter(({ from, to }) => from < at && to > at - held);
    return `${Math.round(held)} ms: ${under.map(({ text }) => text).join(' | ')}`;
  }
}

const inShort = ({ index, method, target, headers, body }: FuzzRequest): string =>
  `#${index} ${method} ${target.slice(0, 120)} ${headers['accept'] ?? ''}${body ? ` ${body.length} bytes` : ''}`;

const isCutOff = ({ request, failure = '' }: Outcome): boolean =>
  (request.body?.length ?? 0) > bodyLimit && /EPIPE|ECONNRESET|hang up/.test(failure);

/** Logs, commands and proxies, where kube-apiserver would ask a kubelet. */
const needsNodes = ({ status, body }: Outcome): boolean => status === 501 && body.includes('runs no pods');

const isTooNew = ({ body }: Outcome): boolean => body.includes('ResourceVersionTooLarge');
