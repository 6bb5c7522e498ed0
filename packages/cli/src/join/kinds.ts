/** Reads `--cache-kinds` and `--federation-kinds`: the resources that a function of the product is allowed to use in a member (IMP-6). */

import { UsageError } from '../errors.ts';
import { cacheGrant, federationGrant, type GroupResource, type KindsGrant, type KindsOption } from './grants.ts';

/** As they are typed. */
export type KindsFlags = Partial<Record<KindsOption, string>>;

const dnsLabel = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const longestGroup = 253;

/** Undefined where the flag is not given. */
export const kindsIn = (flags: KindsFlags): Record<KindsOption, GroupResource[] | undefined> => ({
  cacheKinds: kindsOf(cacheGrant, flags),
  federationKinds: kindsOf(federationGrant, flags),
});

function kindsOf({ option, flag }: KindsGrant, flags: KindsFlags): GroupResource[] | undefined {
  const text = flags[option];
  return text === undefined ? undefined : parseKinds(flag, text);
}

/** Empty for `none`. A list in another order, or with repetitions, grants the same. */
export function parseKinds(flag: string, text: string): GroupResource[] {
  if (text === 'none') return [];
  if (text === '*') return [{ group: '*', resource: '*' }];
  return text.split(',').map((one) => parseKind(flag, one));
}

function parseKind(flag: string, text: string): GroupResource {
  if (text === '*' || text === 'none') throw new UsageError(`${flag} takes "${text}" alone, not in a list`);
  const [resource = '', ...group] = text.split('.');
  if (![resource, ...group].every((label) => dnsLabel.test(label)) || group.join('.').length > longestGroup) {
    throw new UsageError(
      `${flag}: ${JSON.stringify(text)} is no resource: use plural names in lower case with their group, separated by commas, as in pods,deployments.apps; or '*'; or none`,
    );
  }
  return { group: group.join('.'), resource };
}
