/** `fleet create user`: creates a certificate for a user, and a kubeconfig with it. */

import { X509Certificate } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { singleKubeconfig } from '@fleet/client/kubeconfig.ts';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';
import { issueUser, type NewUser, readOwnCa } from '@fleet/server/pki/user-certificate.ts';
import { clustersPath } from '../cluster.ts';
import { shellQuote } from '../demo/shell-quote.ts';
import { durationOf } from '../duration-flag.ts';
import { HintedError, UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { interruption } from '../interruption.ts';
import { administrators, nextGrants } from '../user/next-grants.ts';
import { signByControlPlane } from '../user/signing-request.ts';

export interface CreateUserFlags {
  fleetKubeconfig?: string;
  group?: string[];
  validFor: string;
  output?: string;
  dataDir?: string;
}

/** What the CertificateSigningRequest API takes at the least. */
const shortest = 10 * 60 * 1000;

export async function runCreateUser(name: string, flags: CreateUserFlags): Promise<void> {
  const groups = flags.group ?? [];
  for (const one of [name, ...groups]) checkName(one);
  const user = { name, groups, validFor: durationOf('--valid-for', flags.validFor, shortest) };
  const output = flags.output ?? fileNameOf(name);
  if ((await readIfThere(output)) !== undefined) {
    throw new HintedError(`${output} is there already`, 'Name another file with --output, or remove it');
  }
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  using interrupted = interruption();
  const { ca } = fleet.root.tls;
  if (!ca) {
    throw new HintedError(
      `${fleet.location.path} has no certificate authority`,
      'Use the kubeconfig that "fleet serve" wrote',
    );
  }
  const credential = await certificateFor(user, fleet, flags.dataDir, interrupted.signal);
  await writePrivate(output, singleKubeconfig('fleet', fleet.root.url, ca, credential));
  const until = new X509Certificate(credential.cert).validToDate.toISOString();
  const asGroups = groups.length > 0 ? `, ${groups.length > 1 ? 'groups' : 'group'} ${groups.join(', ')}` : '';
  process.stderr.write(`Wrote ${output}: user ${name}${asGroups}, until ${until}. It cannot be revoked before.\n\n`);
  if (groups.includes(administrators))
    process.stdout.write(`# Nothing to grant: ${administrators} may do everything.\n`);
  else process.stdout.write(nextGrants(subjectOf(user), await someCluster(fleet)));
  process.stdout.write(
    `\n# What ${name} sees then (a refusal of before counts for 10 s):\nkubectl --kubeconfig ${shellQuote(output)} get pods -A\n`,
  );
}

/** Those that Kubernetes gives a meaning would be somebody else, or refused. */
function checkName(name: string): void {
  if (name.startsWith('system:')) {
    throw new UsageError(`"${name}": names that begin with "system:" are those of Kubernetes itself`);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in a name
  if (name === '' || /[\u0000-\u001f\u007f]/.test(name))
    throw new UsageError(`"${name}" is no name for a user or a group`);
}

function fileNameOf(name: string): string {
  if (/^[\w@+-][\w@.+-]*$/.test(name)) return `${name}.kubeconfig`;
  throw new UsageError(`"${name}" is no name for a file: name one with --output`);
}

/** By the fleet's own CA, where its key can be read; else by the control plane. */
async function certificateFor(user: NewUser, fleet: Fleet, dataDir: string | undefined, signal: AbortSignal) {
  const own = await readOwnCa(dataDir ?? dirname(await realpath(fleet.location.path)));
  if (own && fleet.root.tls.ca?.includes(own.cert.trim())) return issueUser(own, user);
  if (dataDir !== undefined) {
    throw own
      ? new HintedError(`${dataDir} is the data directory of another fleet`, `This one is at ${fleet.root.url}`)
      : new HintedError(`${dataDir} has no pki/ca.key`, 'Name the data directory of "fleet serve"');
  }
  const reserved = [user.name, ...user.groups].find((one) => one.startsWith('fleet:'));
  if (reserved) {
    throw new HintedError(
      `only the CA of the fleet can give the name "${reserved}"`,
      'Run this where "fleet serve" runs, and name its data directory with --data-dir',
    );
  }
  return signByControlPlane(user, { controlPlane: fleet.client('karmada'), signal });
}

/** A group is what others will be put into, too. */
const subjectOf = ({ name, groups: [group] }: NewUser) =>
  group === undefined ? ({ kind: 'User', name } as const) : ({ kind: 'Group', name: group } as const);

async function someCluster(fleet: Fleet): Promise<string> {
  const { items } = await fleet
    .client('karmada')
    .get<{ items: { metadata: { name: string } }[] }>(`${clustersPath}?limit=1`);
  return items[0]?.metadata.name ?? 'member1';
}
