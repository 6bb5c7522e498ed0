/** `fleet logs`: prints the log of a container. */

import { errorOf } from '@fleet/client/kube-client.ts';
import { durationOf } from '../duration-flag.ts';
import { UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { containerOf, podPath, readPod } from '../pod.ts';
import { ServerWarnings } from '../server-warnings.ts';

export interface LogsFlags {
  fleetKubeconfig?: string;
  container?: string;
  namespace?: string;
  follow?: boolean;
  tail?: string;
  since?: string;
  previous?: boolean;
  timestamps?: boolean;
}

export async function runLogs(pod: string, flags: LogsFlags): Promise<void> {
  const query = queryOf(flags);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const path = podPath(pod, flags.namespace ?? fleet.namespace);
  const upstream = fleet.view();
  const { signal } = new AbortController();
  const found = await readPod(upstream, path, signal);
  query.set(
    'container',
    containerOf(found, flags.container, (text) => process.stderr.write(`${text}\n`)),
  );
  const reply = await upstream.stream({
    method: 'GET',
    path: `${path}/log?${query}`,
    headers: { accept: '*/*', 'user-agent': 'fleet-cli' },
    signal,
  });
  new ServerWarnings().take(reply.headers);
  if (reply.status !== 200) throw errorOf(reply.status, await reply.body.refusal());
  for await (const chunk of reply.body) process.stdout.write(chunk);
}

/** PodLogOptions. */
export function queryOf({ follow, tail, since, previous, timestamps }: LogsFlags): URLSearchParams {
  const query = new URLSearchParams();
  if (follow) query.set('follow', 'true');
  if (previous) query.set('previous', 'true');
  if (timestamps) query.set('timestamps', 'true');
  const lines = tail === undefined ? -1 : Number(tail);
  if (!Number.isInteger(lines) || lines < -1) throw new UsageError(`--tail takes a number of lines, not "${tail}"`);
  if (lines >= 0) query.set('tailLines', String(lines));
  if (since !== undefined) query.set('sinceSeconds', String(Math.round(durationOf('--since', since, 1000) / 1000)));
  return query;
}
