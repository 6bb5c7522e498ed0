/** Creates ServiceAccount tokens in a member, and reads them. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { poll } from '../poll.ts';
import { ensure, get } from './ensure.ts';
import type { Journal } from './journal.ts';
import type { Manifest } from './manifest.ts';
import { pathOf } from './manifest.ts';
import { type Account, tokenSecret } from './member-objects.ts';
import { remove } from './remove.ts';

interface TokenOptions {
  member: KubeClient;
  journal: Journal;
  signal: AbortSignal;
}

const tokenDeadline = 30_000;

/** The long-lived token of an account, in base64 as Secrets carry it. */
export async function longLivedToken(name: Account, account: Manifest, options: TokenOptions): Promise<string> {
  const { member, journal, signal } = options;
  const desired = tokenSecret(name);
  await dropOrphan(pathOf(desired), account, options);
  await ensure(desired, { client: member, journal, signal });
  return poll(async () => tokenOf(await get(member, pathOf(desired), signal)), {
    deadline: tokenDeadline,
    signal,
    late: () =>
      new Error(`the member gave no token for ${name} in ${tokenDeadline / 1000} s: does its controller manager run?`),
  });
}

const tokenOf = (secret: Manifest | undefined): string | undefined =>
  (secret?.data as { token?: string } | undefined)?.token;

/** A Secret of an account that was deleted and made anew will never work: the member is about to delete it. */
async function dropOrphan(path: string, account: Manifest, { member, signal }: TokenOptions): Promise<void> {
  const secret = await get(member, path, signal);
  const of = secret?.metadata.annotations?.['kubernetes.io/service-account.uid'];
  if (secret && of && of !== account.metadata.uid) await remove(member, path, { uid: secret.metadata.uid, signal });
}
