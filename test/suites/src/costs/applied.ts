/** What applies configurations (server-side apply), and keeps who manages what. */

import { FieldManager } from '@fleet/apiserver/patch/managers/field-manager.ts';
import { builtInKind } from '@fleet/apiserver/patch/managers/managed-kind.ts';
import { type JsonObject, parseJson } from '@fleet/kube/json-value.ts';
import type { Read } from './growth.ts';
import {
  configMap,
  definition,
  fields,
  halves,
  little,
  many,
  named,
  pair,
  pod,
  type Structured,
  schemaDepth,
  some,
} from './structured.ts';

const at = new Date(0);
const manager = new FieldManager(builtInKind('v1', 'ConfigMap'));
const podManager = new FieldManager(builtInKind('v1', 'Pod'));
const definitions = new FieldManager(builtInKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition'));
const applied =
  (manages: FieldManager, force = true): Read =>
  (text) => {
    const [old, sent] = halves(text);
    const live = manages.update(undefined, parseJson(old) as JsonObject, 'other', at);
    return manages.apply(live, parseJson(sent) as JsonObject, { manager: 'me', force, now: at });
  };
const withoutUid = (data: object) => ({ ...configMap(data), metadata: { name: 'a' } });
const taken = pair(
  'fields of others',
  30,
  (n) => configMap(fields(n)),
  (n) => withoutUid(Object.fromEntries(Object.keys(fields(n)).map((key) => [key, 'w']))),
);
const fieldsV1 = (count: number, time: string) => ({
  manager: `m${time}`,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': Object.fromEntries(Object.keys(fields(count)).map((key) => [`f:${key}`, {}])) },
});

export const configurations: Record<string, Structured> = {
  'what is applied': {
    length: some,
    read: applied(manager),
    shapes: [
      taken,
      pair(
        'other fields',
        30,
        (n) => configMap(fields(n)),
        (n) => withoutUid(Object.fromEntries(many(n, (index) => [`o${index}`, 'v']))),
      ),
      pair(
        'managers',
        200,
        (n) => configMap(fields(n), { managedFields: many(n, (i) => fieldsV1(1, `${i}`)) }),
        () => withoutUid({}),
      ),
      pair(
        'fields of two managers',
        60,
        (n) => configMap(fields(n), { managedFields: many(2, (i) => fieldsV1(n, `${i}`)) }),
        (n) => withoutUid(fields(n)),
      ),
      pair(
        'fields that there are not',
        30,
        () => configMap({}),
        (n) => ({ ...withoutUid({}), ...fields(n) }),
      ),
      pair(
        'values that do not fit',
        30,
        () => configMap({}),
        (n) => withoutUid(Object.fromEntries(many(n, (index) => [`k${index}`, 1]))),
      ),
    ],
  },
  'what is applied against others': {
    length: some,
    read: applied(manager, false),
    shapes: [taken],
  },
  'a Pod that is applied': {
    length: some,
    read: applied(podManager),
    shapes: [
      pair(
        'containers',
        60,
        (n) => pod({ containers: named(n) }),
        (n) => pod({ containers: named(n).reverse() }),
      ),
      pair(
        'other containers',
        60,
        (n) => pod({ containers: named(n) }),
        (n) => pod({ containers: many(n, (index) => ({ name: `o${index}` })) }),
      ),
      pair(
        'containers twice',
        60,
        (n) => pod({ containers: named(n) }),
        (n) => pod({ containers: many(n, () => ({ name: 'a' })) }),
      ),
      pair(
        'ports',
        90,
        (n) => pod({ containers: [{ name: 'a', ports: many(n, (i) => ({ containerPort: i })) }] }),
        (n) => pod({ containers: [{ name: 'a', ports: many(n, (i) => ({ containerPort: n - i, protocol: 'UDP' })) }] }),
      ),
    ],
  },
  'a definition that is applied': {
    length: little,
    read: applied(definitions),
    shapes: [
      { name: 'depth', make: (length) => `${definition('{}')}\n${definition(schemaDepth(length / 40, '{}'))}` },
      {
        name: 'values that do not fit, deep',
        make: (length) =>
          `${definition('{}')}\n${definition(schemaDepth(length / 40, `{"required":[${'1,'.repeat(length / 4)}1]}`))}`,
      },
    ],
  },
};
