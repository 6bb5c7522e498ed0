import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isRecord } from '@fleet/kube/is-record.ts';
import { describe, expect, it } from 'vitest';
import { federationManifests, karmadaFolder } from '../../../../test/bed/src/federation-manifests.ts';

interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  schema: { openAPIV3Schema: Schema };
  additionalPrinterColumns?: { name: string; type: string; jsonPath: string }[];
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: object };
  spec: {
    group: string;
    scope: string;
    names: { kind: string; plural: string; shortNames?: string[]; categories: string[] };
    versions: Version[];
    conversion?: object;
  };
}
interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
}

const folder = new URL('../../manifests/', import.meta.url);
const manifests = new Map(
  readdirSync(folder).map((file): [string, Manifest] => [
    file,
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Manifest,
  ]),
);
const manifest = (name: string): Manifest => manifests.get(`${name}.json`)!;
const schemaOf = ({ spec }: Manifest): Schema => spec.versions[0]!.schema.openAPIV3Schema;

const at = (schema: Schema, path: string): Schema =>
  path.split('.').reduce((from, step) => {
    const found = from.properties![step.replace('[]', '')]!;
    return step.endsWith('[]') ? found.items! : found;
  }, schema);

const messages = (schema: Schema): unknown[] =>
  ((schema['x-kubernetes-validations'] ?? []) as { message: string }[]).map(({ message }) => message);

/** Schemas with their paths; a property can be named like a keyword. */
function* schemasIn(schema: Schema, path = ''): Iterable<[string, Schema]> {
  yield [path, schema];
  for (const [name, one] of Object.entries(schema.properties ?? {})) yield* schemasIn(one, `${path}.${name}`);
  if (schema.items) yield* schemasIn(schema.items, `${path}[]`);
  const { additionalProperties } = schema;
  if (isRecord(additionalProperties)) yield* schemasIn(additionalProperties, `${path}{}`);
}

describe('manifests of the federation', () => {
  it('FED-1, EXP-1: are these kinds', () => {
    const kinds = [...manifests.values()].map(({ spec }) => {
      const { names, versions, scope } = spec;
      return [names.kind, versions.map(({ name }) => name).join(), scope, names.shortNames?.join() ?? ''].join(' ');
    });
    expect(kinds.sort()).toEqual([
      'ClusterOverridePolicy v1alpha1 Cluster cop',
      'ClusterPropagationPolicy v1alpha1 Cluster cpp',
      'ClusterResourceBinding v1alpha2 Cluster crb',
      'OverridePolicy v1alpha1 Namespaced op',
      'PropagationPolicy v1alpha1 Namespaced pp',
      'ResourceBinding v1alpha2 Namespaced rb',
      'ResourceExploringWebhookConfiguration v1alpha1 Cluster ',
      'ResourceInterpreterCustomization v1alpha1 Cluster ric',
      'ResourceInterpreterWebhookConfiguration v1alpha1 Cluster ',
      'Work v1alpha1 Namespaced wk',
    ]);
  });

  it.each([...manifests])('FED-1: %s has the form of the product’s', (file, { apiVersion, kind, metadata, spec }) => {
    const name = `${spec.names.plural}.${spec.group}`;
    expect({ apiVersion, kind, metadata }).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'fleet' } },
    });
    expect(file).toBe(`${name}.json`);
    expect(spec.names.categories).toEqual(['karmada-io']);
    expect(spec.conversion).toBe(undefined);
    expect(spec.versions).toEqual([expect.objectContaining({ served: true, storage: true })]);
  });

  it.each([...manifests])('FED-1: %s has no descriptions, and its rules have messages', (_file, manifest) => {
    for (const [path, schema] of schemasIn(schemaOf(manifest))) {
      expect(schema['description'], path).toBe(undefined);
      for (const message of messages(schema)) expect(message, path).toEqual(expect.stringMatching(/\w/));
    }
  });

  const age = ['AGE', 'date', '.metadata.creationTimestamp'];
  const policyColumns = [
    ['CONFLICT-RESOLUTION', 'string', '.spec.conflictResolution'],
    ['PRIORITY', 'string', '.spec.priority'],
    age,
  ];
  const bindingColumns = [
    ['SCHEDULED', 'string', '.status.conditions[?(@.type=="Scheduled")].status'],
    ['FULLYAPPLIED', 'string', '.status.conditions[?(@.type=="FullyApplied")].status'],
    age,
  ];
  const workColumns = [
    ['WORKLOAD-KIND', 'string', '.spec.workload.manifests[*].kind'],
    ['APPLIED', 'string', '.status.conditions[?(@.type=="Applied")].status'],
    age,
  ];
  /** Of its v1.16: name, type and path in their order. None has a priority, so that all are in the narrow form; some kinds have none. */
  it.each([
    ['propagationpolicies.policy', policyColumns],
    ['clusterpropagationpolicies.policy', policyColumns],
    ['overridepolicies.policy', undefined],
    ['clusteroverridepolicies.policy', undefined],
    ['resourcebindings.work', bindingColumns],
    ['clusterresourcebindings.work', bindingColumns],
    ['works.work', workColumns],
    [
      'resourceinterpretercustomizations.config',
      [
        ['TARGET-API-VERSION', 'string', '.spec.target.apiVersion'],
        ['TARGET-KIND', 'string', '.spec.target.kind'],
        age,
      ],
    ],
    ['resourceinterpreterwebhookconfigurations.config', undefined],
    ['resourceexploringwebhookconfigurations.config', undefined],
  ])('FED-1: the columns of %s are Karmada’s', (name, expected) => {
    const columns = manifest(`${name}.karmada.io`).spec.versions[0]!.additionalPrinterColumns;
    expect(columns?.map(({ name, type, jsonPath, ...rest }) => ({ rest, column: [name, type, jsonPath] }))).toEqual(
      expected?.map((column) => ({ rest: {}, column })),
    );
  });

  it('FED-1: every kind is in the table of columns', () => {
    expect(manifests.size).toBe(10);
  });

  it.each(['propagationpolicies', 'clusterpropagationpolicies'])('FED-2: %s have defaults and refusals', (plural) => {
    const spec = at(schemaOf(manifest(`${plural}.policy.karmada.io`)), 'spec');
    const defaults = [...schemasIn(spec)].flatMap(([path, one]) => ('default' in one ? [[path, one['default']]] : []));
    expect(Object.fromEntries(defaults)).toMatchObject({
      '.conflictResolution': 'Abort',
      '.priority': 0,
      '.preemption': 'Never',
      '.schedulerName': 'default-scheduler',
      '.placement.replicaScheduling.replicaSchedulingType': 'Divided',
      '.placement.spreadConstraints[].minGroups': 1,
    });
    const refusals = [...schemasIn(spec)].flatMap(([path, one]) =>
      messages(one).map((message) => `${path}: ${message}`),
    );
    expect(refusals.sort()).toEqual([
      '.placement.clusterAffinities: affinity names must be unique',
      '.placement.spreadConstraints: constraints by region, zone or provider need one by cluster',
      '.placement.spreadConstraints: two constraints of one field',
      '.placement.spreadConstraints[]: maxGroups cannot be below minGroups',
      '.placement.spreadConstraints[]: spreadByField and spreadByLabel cannot both be set',
      '.placement: clusterAffinity and clusterAffinities cannot both be set',
      '.schedulerName: field is immutable',
      '.suspension: dispatching and dispatchingOnClusters cannot both be set',
      ': failover.application needs propagateDeps',
      ': with preemption Always every resource selector needs a name',
    ]);
    for (const affinity of ['clusterAffinity', 'clusterAffinities[]']) {
      const requirement = at(spec, `placement.${affinity}.fieldSelector.matchExpressions[]`);
      expect(at(requirement, 'key')['enum']).toEqual(['provider', 'region', 'zone']);
      expect(at(requirement, 'operator')['enum']).toEqual(['In', 'NotIn']);
    }
  });

  it('EXP-1: the document’s operations, fields and failure policy', () => {
    const hook = at(schemaOf(manifest('resourceexploringwebhookconfigurations.config.karmada.io')), 'webhooks[]');
    const fields = ['name', 'clientConfig', 'rules', 'failurePolicy', 'timeoutSeconds', 'exploreReviewVersions'];
    expect(Object.keys(hook.properties!).sort()).toEqual(fields.sort());
    expect(at(hook, 'failurePolicy')).toEqual({ type: 'string', enum: ['Fail', 'Ignore'], default: 'Fail' });
    expect(Object.keys(at(hook, 'rules[]').properties!).sort()).toEqual(
      ['apiGroups', 'apiVersions', 'operations', 'resources', 'scope'].sort(),
    );
    expect(at(hook, 'rules[].operations[]')['enum']).toEqual([
      '*',
      ...[
        'Replica',
        'Status',
        'Packing',
        'ReplicaRevising',
        'Retaining',
        'StatusAggregating',
        'Healthy',
        'Dependencies',
      ].map((operation) => `Explore${operation}`),
    ]);
  });

  it.each([
    ['resourceexploringwebhookconfigurations', 'resources', 'exploreReviewVersions'],
    ['resourceinterpreterwebhookconfigurations', 'kinds', 'interpreterContextVersions'],
  ])('EXP-5, EXP-6: %s', (plural, matched, versions) => {
    const webhooks = at(schemaOf(manifest(`${plural}.config.karmada.io`)), 'webhooks');
    const hook = webhooks.items!;
    expect(messages(webhooks)).toEqual(['webhook names must be unique']);
    expect(messages(at(hook, 'clientConfig'))).toEqual(['exactly one of url and service is needed']);
    for (const list of ['operations', 'apiGroups', 'apiVersions', matched]) {
      expect(messages(at(hook, `rules[].${list}`)), list).toEqual(["'*' stands alone"]);
    }
    expect(messages(at(hook, versions))).toEqual(['v1alpha1 must be among the versions', 'versions must be unique']);
    expect(at(hook, 'timeoutSeconds')).toMatchObject({ default: 10, minimum: 1, maximum: 30 });
    expect(at(hook, 'clientConfig.service.port')).toMatchObject({ default: 443 });
    const [name, url] = [at(hook, 'name'), at(hook, 'clientConfig.url')].map(
      (one) => new RegExp(String(one['pattern'])),
    );
    expect(['foo.example.com', 'a.b.c.d', 'foo.example', 'a.b.'].every((text) => name!.test(text))).toBe(true);
    expect(['foo', 'Foo.example.com', 'foo..com', 'a.b..'].some((text) => name!.test(text))).toBe(false);
    expect(['https://h', 'https://h:443/p/q'].every((text) => url!.test(text))).toBe(true);
    expect(
      ['http://h/', 'https://u@h/', 'https://h/?q', 'https://h/#f', 'https:///p'].some((text) => url!.test(text)),
    ).toBe(false);
  });

  it('EXP-2: Prune is refused', () => {
    const hook = at(schemaOf(manifest('resourceinterpreterwebhookconfigurations.config.karmada.io')), 'webhooks[]');
    expect(at(hook, 'rules[].operations[]')['enum']).not.toContain('Prune');
  });

  const karmada = karmadaFolder().catch(() => undefined);
  it('FED-1: are what is made of Karmada’s', async ({ skip }) => {
    const found = await karmada;
    if (!found || !existsSync(found)) return skip('Karmada’s Go module is not here');
    const made = await federationManifests(found);
    expect([...made.keys()].map((name) => `${name}.json`).sort()).toEqual([...manifests.keys()].sort());
    for (const [name, one] of made) expect(manifest(name), name).toEqual(one);
  });
});
