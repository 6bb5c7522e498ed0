/** Returns a valid agent token of a cluster: the one in a file or, if there is none, a new one that it writes to the file. */

import { rm } from 'node:fs/promises';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { type AgentToken, makeToken } from '@fleet/tunnel/token.ts';
import { HintedError } from '../errors.ts';
import type { Journal } from '../join/journal.ts';
import { AgentTokens } from './agent-tokens.ts';
import { fingerprintsOf, readHostKeys } from './host-keys.ts';
import { readTokenFileIfThere, writeTokenFile } from './token-file.ts';

interface IssueParts {
  controlPlane: KubeClient;
  journal: Journal;
  signal?: AbortSignal | undefined;
}

/** The file comes first: a token that could not be kept is never one that logs in. */
export async function issueToken(cluster: string, file: string, parts: IssueParts): Promise<AgentToken> {
  const { controlPlane, journal, signal } = parts;
  const token = makeToken(cluster, fingerprintsOf(await readHostKeys(controlPlane, signal)));
  await writeTokenFile(file, token);
  journal.made(writeTokenFile, file, () => rm(file, { force: true }));
  const undo = await new AgentTokens(controlPlane, cluster, signal).add(token);
  journal.made(controlPlane, `a token of ${cluster}`, undo);
  return token;
}

/** The token of the file, checked; undefined if there is no such file. */
export async function knownToken(
  cluster: string,
  file: string,
  { controlPlane, signal }: Pick<IssueParts, 'controlPlane' | 'signal'>,
): Promise<AgentToken | undefined> {
  const token = await readTokenFileIfThere(file);
  if (!token) return undefined;
  if (token.cluster !== cluster)
    throw new HintedError(`${file} holds a token of cluster "${token.cluster}"`, 'Name another file');
  if (!(await new AgentTokens(controlPlane, cluster, signal).has(token))) {
    throw new HintedError(
      `${file} holds a token that the fleet does not know, or no longer`,
      'Remove it, or name another file, to get a new one',
    );
  }
  const pinned = fingerprintsOf(await readHostKeys(controlPlane, signal));
  if (!token.fingerprints.some((one) => pinned.includes(one))) {
    throw new HintedError(
      `${file} holds a token for a server with another host key than the fleet has now`,
      `Get a new one with "fleet agent token rotate ${cluster}"`,
    );
  }
  return token;
}
