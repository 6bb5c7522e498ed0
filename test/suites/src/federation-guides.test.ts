/** The guides on federation: their policies are accepted as they are written, and what `fleet schedule` prints there is what it prints. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planOf } from '@fleet/cli/dry-run/plan.ts';
import { planText } from '@fleet/cli/dry-run/plan-text.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { OverridePolicy, PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { nativeRulesOf } from '@fleet/federation/explore/native/native-rules.ts';
import { applyOverrides } from '@fleet/federation/override/apply-overrides.ts';
import { unhonouredWarnings } from '@fleet/federation/policies/unhonoured.ts';
import { overridePolicyFaults, policyFaults } from '@fleet/federation/policies/validate.ts';
import type { Member } from '@fleet/federation/schedule/candidates.ts';
import { jsonOfYaml } from '@fleet/kube/yaml-json.ts';
import { describe, expect, test } from 'vitest';

const guides = ['federation', 'dividing-replicas', 'overrides', 'custom-resources'] as const;
type Guide = (typeof guides)[number];

interface Block {
  language: string;
  text: string;
}

function blocksOf(guide: Guide): Block[] {
  const text = readFileSync(join(import.meta.dirname, `../../../docs/guides/${guide}.md`), 'utf8');
  return [...text.matchAll(/```(yaml|text)\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** In the namespace that kubectl would give them. */
const objectsIn = ({ text }: Block): AnyObject[] =>
  text.split(/^---$/m).map((document) => {
    const object = JSON.parse(jsonOfYaml(document).toString()) as AnyObject;
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  });

const yamlOf = (guide: Guide): AnyObject[] =>
  blocksOf(guide)
    .filter(({ language }) => language === 'yaml')
    .flatMap(objectsIn);

const inRegion = (name: string, region: string): Member => ({
  cluster: {
    metadata: { name },
    spec: { region },
    status: { apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment' }] }] },
  },
  federated: true,
  active: true,
});

/** As the guide describes them. */
const members = [
  inRegion('member1', 'eu-central-1'),
  inRegion('member2', 'eu-central-1'),
  inRegion('member3', 'us-east-1'),
];

const [template] = yamlOf('dividing-replicas') as [AnyObject];

describe.each(guides)('FED-2: the policies of docs/guides/%s.md', (guide) => {
  const objects = yamlOf(guide);

  test('there are some', () => {
    expect(objects.filter(({ kind }) => kind.endsWith('Policy'))).not.toEqual([]);
  });

  test.each(objects.filter(({ kind }) => kind === 'PropagationPolicy').map((object) => [object] as const))(
    'are accepted and honoured: %j',
    (object) => {
      const policy = object as unknown as PropagationPolicy;
      expect(policyFaults(policy)).toEqual([]);
      expect(unhonouredWarnings(policy)).toEqual([]);
    },
  );

  test.each(objects.filter(({ kind }) => kind === 'OverridePolicy').map((object) => [object] as const))(
    'are accepted, and can be applied: %j',
    (object) => {
      const policy = object as unknown as OverridePolicy;
      expect(overridePolicyFaults(policy)).toEqual([]);
      for (const { cluster } of members) applyOverrides(template, cluster, [], [policy]);
    },
  );
});

test('FED-7: the override of the guide changes what it names', () => {
  const policies = yamlOf('overrides') as unknown as OverridePolicy[];
  const [first, , third] = members.map(({ cluster }) => applyOverrides(template, cluster, [], policies).manifest);
  expect(first).toMatchObject({
    metadata: { labels: { tier: 'europe' } },
    spec: { template: { spec: { containers: [{ image: 'eu.registry.example/nginx' }] } } },
  });
  expect(third).toMatchObject({
    spec: { template: { spec: { priorityClassName: 'high', containers: [{ image: 'nginx', args: ['--verbose'] }] } } },
  });
});

describe('FED-5, FED-39: what `fleet schedule` prints in docs/guides/dividing-replicas.md', () => {
  const [, ...blocks] = blocksOf('dividing-replicas');
  const pairs = blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    return block.language === 'yaml' && next ? [[objectsIn(block)[0]!, next] as const] : [];
  });

  test('each policy has its output', () => {
    expect(pairs).toHaveLength(4);
    expect(pairs.every(([, { language }]) => language === 'text')).toBe(true);
  });

  test.each(pairs)('%j', (policy, { text }) => {
    const replicas = nativeRulesOf('apps/v1', 'Deployment')?.replicas?.(template);
    const policies = [policy as unknown as PropagationPolicy];
    expect(planText(planOf({ template, policies, binding: undefined, replicas, members }))).toBe(text);
  });
});
