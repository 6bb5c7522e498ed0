/** Finds the webhooks that `fleet explore` calls: those of the fleet, of a file, or one URL. */

import { readFile } from 'node:fs/promises';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { configurationFaults } from '@fleet/federation/explore/hooks/configuration-faults.ts';
import { codecOf, defaultTimeoutSeconds, readHooks } from '@fleet/federation/explore/hooks/configurations.ts';
import { type Hook, operations } from '@fleet/federation/explore/hooks/hook-model.ts';
import { UsageError } from '../errors.ts';
import { readObjects } from '../object-files.ts';
import type { Asked } from './question.ts';

/** One that answers for everything, in the review whose operation was named. */
export async function hookAt(url: string, ca: string | undefined, { codec }: Asked): Promise<Hook> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new UsageError(`--url "${url}" is no https URL`);
  return {
    configuration: '--url',
    name: url,
    codec,
    client: { at: 'url', url, ...(ca === undefined ? {} : { ca: await readFile(ca, 'utf8') }) },
    rules: [{ operations, groups: ['*'], versions: ['*'], what: { by: 'kind', kinds: ['*'] } }],
    failurePolicy: 'Fail',
    timeoutSeconds: defaultTimeoutSeconds,
    version: 'v1alpha1',
  };
}

/** Of files that were not applied yet, with the faults that would keep them from it. */
export async function hooksIn(path: string): Promise<Hook[]> {
  const objects = await readObjects(path);
  for (const object of objects) check(path, object);
  return objects.flatMap(readHooks);
}

function check(path: string, object: AnyObject): void {
  const { kind, metadata } = object;
  if (!codecOf(object)) throw new UsageError(`${path}: ${kind} "${metadata.name}" is no configuration of webhooks`);
  const faults = configurationFaults(object);
  if (faults.length === 0) return;
  const text = faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Error(`${kind} "${metadata.name}" would be refused: ${text}`);
}
