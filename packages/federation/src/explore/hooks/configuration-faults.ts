/** Validates a webhook configuration before it is stored (EXP-6). */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { AnyObject } from '../../api/objects.ts';
import { clientFaults } from './client-faults.ts';
import { codecOf, knownVersions, longestTimeoutSeconds, versionsField } from './configurations.ts';
import { domainFaults, isDomainLabel, labelText } from './domain-names.ts';
import { duplicate, type Fault, invalid, notSupported, required } from './faults.ts';
import type { Codec } from './hook-model.ts';
import { ruleFaults } from './rule-faults.ts';

/** Empty for one that may be stored, and for an object of another kind. */
export function configurationFaults(configuration: AnyObject): Fault[] {
  const codec = codecOf(configuration);
  if (!codec) return [];
  const { webhooks } = configuration;
  if (webhooks === undefined || webhooks === null) return [required('webhooks')];
  if (!Array.isArray(webhooks)) return [invalid('webhooks', webhooks, 'must be a list')];
  const names = new Set<unknown>();
  return webhooks.flatMap((webhook: unknown, index) => {
    const field = `webhooks[${index}]`;
    if (!isRecord(webhook)) return [invalid(field, webhook, 'must be an object')];
    const faults = webhookFaults(codec, field, webhook);
    if (names.has(webhook['name'])) faults.push(duplicate(`${field}.name`, webhook['name']));
    names.add(webhook['name']);
    return faults;
  });
}

function webhookFaults(codec: Codec, field: string, webhook: Record<string, unknown>): Fault[] {
  const { name, rules, timeoutSeconds, failurePolicy, clientConfig } = webhook;
  const faults = domainFaults(`${field}.name`, name);
  faults.push(...rulesFaults(codec, `${field}.rules`, rules));
  if (timeoutSeconds !== undefined && timeoutSeconds !== null && !isTimeout(timeoutSeconds)) {
    const detail = `the timeout value must be between 1 and ${longestTimeoutSeconds} seconds`;
    faults.push(invalid(`${field}.timeoutSeconds`, timeoutSeconds, detail));
  }
  if (codec === 'explore' && failurePolicy !== undefined && failurePolicy !== null && !isPolicy(failurePolicy)) {
    faults.push(notSupported(`${field}.failurePolicy`, failurePolicy, ['Fail', 'Ignore']));
  }
  faults.push(...clientFaults(`${field}.clientConfig`, clientConfig));
  faults.push(...versionFaults(`${field}.${versionsField[codec]}`, webhook[versionsField[codec]]));
  return faults;
}

function rulesFaults(codec: Codec, field: string, rules: unknown): Fault[] {
  if (rules === undefined || rules === null) return [];
  if (!Array.isArray(rules)) return [invalid(field, rules, 'must be a list')];
  return rules.flatMap((rule: unknown, index) =>
    isRecord(rule)
      ? ruleFaults(codec, `${field}[${index}]`, rule)
      : [invalid(`${field}[${index}]`, rule, 'must be an object')],
  );
}

const isTimeout = (seconds: unknown): boolean =>
  Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= longestTimeoutSeconds;

const isPolicy = (policy: unknown): boolean => policy === 'Fail' || policy === 'Ignore';

function versionFaults(field: string, versions: unknown): Fault[] {
  const known = knownVersions.join(', ');
  if (!Array.isArray(versions) || versions.length === 0) return [required(field, `must specify one of ${known}`)];
  const seen = new Set<unknown>();
  const faults = versions.flatMap((version: unknown, index) => {
    if (seen.has(version)) return [invalid(`${field}[${index}]`, version, 'duplicate version')];
    seen.add(version);
    const isLabel = typeof version === 'string' && isDomainLabel(version) && /^[a-z]/.test(version);
    return isLabel ? [] : [invalid(`${field}[${index}]`, version, `${labelText}, and start with a letter`)];
  });
  if (!knownVersions.some((version) => seen.has(version))) {
    faults.push(invalid(field, versions, `must include at least one of ${known}`));
  }
  return faults;
}
