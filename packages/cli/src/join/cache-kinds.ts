/** Reads `--cache-kinds`: the resources that the cache is allowed to list and watch in a member (IMP-6). */

import { UsageError } from '../errors.ts';
import type { GroupResource } from './grants.ts';

const dnsLabel = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const longestGroup = 253;

/** Empty for `none`. A list in another order, or with repetitions, grants the same. */
export function parseCacheKinds(text: string): GroupResource[] {
  if (text === 'none') return [];
  if (text === '*') return [{ group: '*', resource: '*' }];
  return text.split(',').map(parseKind);
}

function parseKind(text: string): GroupResource {
  if (text === '*' || text === 'none') throw new UsageError(`--cache-kinds takes "${text}" alone, not in a list`);
  const [resource = '', ...group] = text.split('.');
  if (![resource, ...group].every((label) => dnsLabel.test(label)) || group.join('.').length > longestGroup) {
    throw new UsageError(
      `--cache-kinds: ${JSON.stringify(text)} is no resource: it takes plurals in lower case with their group, separated by commas, as in pods,deployments.apps; or '*', or none`,
    );
  }
  return { group: group.join('.'), resource };
}
