/** What members write down about pods while something is asked of the product, and who asks. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '@fleet/bed/audit-entry.ts';
import type { Product } from '@fleet/bed/product.ts';
import { openWitness } from '@fleet/bed/witness.ts';
import type { Fleet } from '../fleet.ts';

export type Name = 'member1' | 'member2';

/** Runs `act`, then returns what each member's audit log has about pods meanwhile. */
export async function witnessedBy<T>(
  { members }: Fleet<Name>,
  act: () => Promise<T>,
): Promise<{ result: T; seen: Record<Name, AuditEntry[]> }> {
  const names = ['member1', 'member2'] as const;
  const open = await Promise.all(
    names.map(async (name) => {
      const witness = await openWitness(members[name].auditLog);
      return { name, witness, mark: witness.mark() };
    }),
  );
  const result = await act();
  const seen = await Promise.all(
    open.map(async ({ name, witness, mark }) => {
      const entries = await witness.all(mark, (path) => members[name].api.ask(path));
      return [name, entries.filter(({ objectRef }) => objectRef?.resource === 'pods')] as const;
    }),
  );
  return { result, seen: Object.fromEntries(seen) as Record<Name, AuditEntry[]> };
}

export const clustersIn = (stdout: string): string[] =>
  [...new Set([...stdout.matchAll(/\.clusterspace\.(\S+)/g)].map(([, name]) => name!))].sort();

export const asWhom = ({ impersonatedUser, impersonatedGroups, code }: AuditEntry) => ({
  impersonatedUser,
  impersonatedGroups,
  code,
});

/** A user of the control plane's own CA, at the product's address. */
export async function kubeconfigOf(
  controlPlane: Fleet<Name>['controlPlane'],
  product: Product,
  user: string,
  groups: string[],
): Promise<string> {
  const own = await readFile(await controlPlane.userKubeconfig(user, groups), 'utf8');
  const ca = Buffer.from(product.ca).toString('base64');
  const path = join(product.dataDir, `${encodeURIComponent(user)}.kubeconfig`);
  const moved = own
    .replace(/server: .*/, `server: ${product.server}`)
    .replace(/certificate-authority-data: .*/, `certificate-authority-data: ${ca}`);
  await writeFile(path, moved, { mode: 0o600 });
  return path;
}
