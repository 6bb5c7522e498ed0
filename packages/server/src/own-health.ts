/** Answers health requests in kube-apiserver's format: which check fails, but not why, as no permission is needed (SEC-6). */

import type { Upstream } from '@fleet/client/upstream.ts';
import type { PlainReply } from './http/message.ts';

export interface Check {
  name: string;
  isWell(): boolean | Promise<boolean>;
}

const text = (status: number, body: string): PlainReply => ({
  is: 'plain',
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: Buffer.from(body),
});

const ping: Check = { name: 'ping', isWell: () => true };

/** `path` is `/livez` and the like. Each check is listed with `?verbose`, or if one fails; `?exclude=` leaves one out. */
export async function answerHealth(path: string, query: string, checks: readonly Check[]): Promise<PlainReply> {
  const options = new URLSearchParams(query);
  const excluded = new Set(options.getAll('exclude'));
  const results = await Promise.all(
    [ping, ...checks].map(async (check) => {
      if (excluded.has(check.name)) return { fails: false, line: `[+]${check.name} excluded: ok\n` };
      const fails = !(await check.isWell());
      return { fails, line: fails ? `[-]${check.name} failed: reason withheld\n` : `[+]${check.name} ok\n` };
    }),
  );
  const lines = results.map(({ line }) => line).join('');
  if (results.some(({ fails }) => fails)) return text(503, `${lines}${path.slice(1)} check failed\n`);
  return text(200, options.has('verbose') ? `${lines}${path.slice(1)} check passed\n` : 'ok');
}

const deadline = 2_000;
const keptFor = 1_000;

/** Whether the control plane answers at all. Callers share one answer while it is recent. */
export function controlPlaneCheck(controlPlane: Upstream): Check {
  let last: { at: number; isWell: Promise<boolean> } | undefined;
  return {
    name: 'control-plane',
    isWell() {
      if (!last || performance.now() - last.at > keptFor) {
        last = { at: performance.now(), isWell: answers(controlPlane) };
      }
      return last.isWell;
    },
  };
}

async function answers(upstream: Upstream): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(deadline);
    const reply = await upstream.call({ method: 'GET', path: '/readyz', headers: { 'user-agent': 'fleet' }, signal });
    reply.body.cancel();
    // A control plane that serves no such path, or does not allow it, is reachable.
    return reply.status < 500;
  } catch {
    // The reason is logged by its watches and returned by requests.
    return false;
  }
}
