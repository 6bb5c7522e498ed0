/**
 * `node test/bed/src/federation-manifests.ts`: packages/federation/manifests, made of the CustomResourceDefinitions in Karmada's Go module
 * without their descriptions, with the rules that Karmada has in admission webhooks (FED-2, EXP-6).
 */

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Definition {
  metadata: { name: string; annotations?: object; labels?: object };
  spec: {
    names: Record<'kind' | 'listKind' | 'plural' | 'singular', string>;
    versions: { name: string; schema: { openAPIV3Schema: Schema }; additionalPrinterColumns?: object[] }[];
  };
}

export const manifests = new URL('../../../packages/federation/manifests/', import.meta.url);
export const karmadaVersion = 'v1.16.0';
const bases = 'charts/karmada/_crds/bases';

/** Karmada's files, and which of their versions is kept: the older one of bindings would need a conversion webhook. */
const sources = [
  { file: 'policy/policy.karmada.io_propagationpolicies', version: 'v1alpha1', change: propagationRules },
  { file: 'policy/policy.karmada.io_clusterpropagationpolicies', version: 'v1alpha1', change: propagationRules },
  { file: 'policy/policy.karmada.io_overridepolicies', version: 'v1alpha1', change: overrideRules },
  { file: 'policy/policy.karmada.io_clusteroverridepolicies', version: 'v1alpha1', change: overrideRules },
  { file: 'work/work.karmada.io_resourcebindings', version: 'v1alpha2', change: () => {} },
  { file: 'work/work.karmada.io_clusterresourcebindings', version: 'v1alpha2', change: () => {} },
  { file: 'work/work.karmada.io_works', version: 'v1alpha1', change: () => {} },
  { file: 'config/config.karmada.io_resourceinterpretercustomizations', version: 'v1alpha1', change: () => {} },
  {
    file: 'config/config.karmada.io_resourceinterpreterwebhookconfigurations',
    version: 'v1alpha1',
    change: (schema: Schema) => webhookRules(schema, interpreterOperations, ['kinds'], 'interpreterContextVersions'),
  },
];

/** Each manifest, by its name. `karmada` is the folder of Karmada's Go module. */
export async function federationManifests(karmada: string): Promise<Map<string, Definition>> {
  const made = new Map<string, Definition>();
  for (const { file, version, change } of sources) {
    const definition = plain(parse(await readFile(`${karmada}/${bases}/${file}.yaml`, 'utf8'))) as Definition;
    const { name } = definition.metadata;
    const versions = definition.spec.versions.filter((one) => one.name === version);
    for (const { schema } of versions) change(schema.openAPIV3Schema);
    const metadata = { name, labels: { 'app.kubernetes.io/managed-by': 'fleet' } };
    made.set(name, { ...definition, metadata, spec: { ...definition.spec, versions } });
  }
  const exploring = exploringOf(made.get('resourceinterpreterwebhookconfigurations.config.karmada.io')!);
  return made.set(exploring.metadata.name, exploring);
}

/** Where Go keeps the module, if it was downloaded. */
export async function karmadaFolder(): Promise<string> {
  const { stdout } = await promisify(execFile)('go', ['env', 'GOMODCACHE']);
  return `${stdout.trim()}/github.com/karmada-io/karmada@${karmadaVersion}`;
}

/** Without descriptions; a property can have that name. */
function plain(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(one));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isProperties || key !== 'description');
  return Object.fromEntries(kept.map(([key, one]) => [key, plain(one, key === 'properties' && !isProperties)]));
}

/** The schema at a path such as `spec.placement.spreadConstraints[]`. */
const at = (schema: Schema, path: string): Schema =>
  path.split('.').reduce((from, step) => {
    const found = from.properties?.[step.replace('[]', '')];
    const schema = step.endsWith('[]') ? found?.items : found;
    if (!schema) throw new Error(`no ${step} of ${path} in Karmada's schema`);
    return schema;
  }, schema);

function rule(schema: Schema, expression: string, message: string): void {
  const rules = (schema['x-kubernetes-validations'] ?? []) as object[];
  schema['x-kubernetes-validations'] = [...rules, { rule: expression, message }];
}

function fieldSelectorRules(affinity: Schema): void {
  const { key, operator } = at(affinity, 'fieldSelector.matchExpressions[]').properties!;
  key!['enum'] = ['provider', 'region', 'zone'];
  operator!['enum'] = ['In', 'NotIn'];
}

const qualifiedName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

function propagationRules(schema: Schema): void {
  const spec = at(schema, 'spec');
  const placement = at(spec, 'placement');
  rule(
    spec,
    "!has(self.preemption) || self.preemption != 'Always' || self.resourceSelectors.all(s, has(s.name) && s.name != '')",
    'with preemption Always every resource selector needs a name',
  );
  rule(
    spec,
    '!has(self.failover) || !has(self.failover.application) || (has(self.propagateDeps) && self.propagateDeps)',
    'failover.application needs propagateDeps',
  );
  rule(at(spec, 'schedulerName'), 'self == oldSelf', 'field is immutable');
  rule(
    at(spec, 'suspension'),
    '!has(self.dispatching) || !self.dispatching || !has(self.dispatchingOnClusters) || ' +
      '!has(self.dispatchingOnClusters.clusterNames) || size(self.dispatchingOnClusters.clusterNames) == 0',
    'dispatching and dispatchingOnClusters cannot both be set',
  );
  rule(
    placement,
    '!has(self.clusterAffinity) || !has(self.clusterAffinities)',
    'clusterAffinity and clusterAffinities cannot both be set',
  );
  fieldSelectorRules(at(placement, 'clusterAffinity'));
  fieldSelectorRules(at(placement, 'clusterAffinities[]'));
  const affinities = at(placement, 'clusterAffinities');
  affinities['maxItems'] = 100;
  rule(
    affinities,
    'self.all(a, self.exists_one(b, b.affinityName == a.affinityName))',
    'affinity names must be unique',
  );
  affinities.items!.properties!['affinityName']!['pattern'] = qualifiedName;
  constraintRules(at(placement, 'spreadConstraints'));
}

/** A constraint without field and label is one by cluster. `maxItems` bounds what the rules cost. */
function constraintRules(constraints: Schema): void {
  const { minGroups, maxGroups } = constraints.items!.properties!;
  Object.assign(minGroups!, { default: 1, minimum: 0 });
  Object.assign(maxGroups!, { minimum: 0 });
  constraints['maxItems'] = 50;
  const byCluster =
    "(has(c.spreadByField) ? c.spreadByField == 'cluster' : (!has(c.spreadByLabel) || c.spreadByLabel == ''))";
  rule(
    constraints.items!,
    "!has(self.spreadByField) || !has(self.spreadByLabel) || self.spreadByLabel == ''",
    'spreadByField and spreadByLabel cannot both be set',
  );
  rule(
    constraints.items!,
    '!has(self.maxGroups) || self.maxGroups <= 0 || !has(self.minGroups) || self.maxGroups >= self.minGroups',
    'maxGroups cannot be below minGroups',
  );
  rule(
    constraints,
    `self.all(c, !has(c.spreadByField)) || self.exists(c, ${byCluster})`,
    'constraints by region, zone or provider need one by cluster',
  );
  rule(
    constraints,
    `self.filter(c, ${byCluster}).size() <= 1 && ['region', 'zone', 'provider'].all(f, ` +
      'self.filter(c, has(c.spreadByField) && c.spreadByField == f).size() <= 1)',
    'two constraints of one field',
  );
}

function overrideRules(schema: Schema): void {
  const spec = at(schema, 'spec');
  rule(
    spec,
    '!has(self.overrideRules) || !has(self.targetCluster)',
    'overrideRules and targetCluster cannot both be set',
  );
  const lists = Object.keys(at(spec, 'overriders').properties!);
  rule(
    spec,
    '!has(self.overrideRules) || !has(self.overriders) || ' +
      `(${lists.map((list) => `(!has(self.overriders.${list}) || size(self.overriders.${list}) == 0)`).join(' && ')})`,
    'overrideRules and overriders cannot both be set',
  );
  fieldSelectorRules(at(spec, 'targetCluster'));
  fieldSelectorRules(at(spec, 'overrideRules[].targetCluster'));
  rule(
    at(spec, 'overrideRules[].overriders.fieldOverrider[]'),
    '!has(self.json) || !has(self.yaml) || size(self.json) == 0 || size(self.yaml) == 0',
    'json and yaml cannot both be set',
  );
}

const interpreterOperations = [
  '*',
  'InterpretReplica',
  'InterpretComponent',
  'ReviseReplica',
  'Retain',
  'AggregateStatus',
  'InterpretStatus',
  'InterpretHealth',
  'InterpretDependency',
];

const exploringOperations = [
  '*',
  'ExploreReplica',
  'ExploreStatus',
  'ExplorePacking',
  'ExploreReplicaRevising',
  'ExploreRetaining',
  'ExploreStatusAggregating',
  'ExploreHealthy',
  'ExploreDependencies',
];

/** Of a domain name. */
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** What EXP-5 and EXP-6 ask of both kinds of webhooks. `kinds` or `resources` are what their rules match beside groups and versions. */
function webhookRules(schema: Schema, operations: string[], matched: string[], versions: string): void {
  const webhooks = at(schema, 'webhooks');
  const hook = webhooks.items!;
  webhooks['maxItems'] = 100;
  rule(webhooks, 'self.all(a, self.exists_one(b, b.name == a.name))', 'webhook names must be unique');
  Object.assign(at(hook, 'name'), {
    maxLength: 254,
    // Two labels at least, and a dot at the end where somebody writes one, as in Karmada.
    pattern: `^${label}(\\.${label})+\\.?$`,
  });
  rule(at(hook, 'clientConfig'), 'has(self.url) != has(self.service)', 'exactly one of url and service is needed');
  at(hook, 'clientConfig.url')['pattern'] = '^https://[^/?#@]+(/[^?#]*)?$';
  Object.assign(at(hook, 'clientConfig.service.port'), { default: 443, minimum: 1, maximum: 65_535 });
  for (const part of ['name', 'namespace']) at(hook, `clientConfig.service.${part}`)['minLength'] = 1;
  at(hook, 'clientConfig.service.path')['pattern'] = `^$|^/$|^(/${label}(\\.${label})*)+/?$`;
  Object.assign(at(hook, 'timeoutSeconds'), { default: 10, minimum: 1, maximum: 30 });
  at(hook, 'rules')['maxItems'] = 100;
  for (const list of ['operations', 'apiGroups', 'apiVersions', ...matched]) {
    const values = at(hook, `rules[].${list}`);
    Object.assign(values, { minItems: 1, maxItems: 100 });
    // The core group has an empty name.
    Object.assign(values.items!, { maxLength: 253, ...(list === 'apiGroups' ? {} : { minLength: 1 }) });
    rule(values, "!('*' in self) || size(self) == 1", "'*' stands alone");
  }
  at(hook, 'rules[].operations')['items'] = { type: 'string', enum: operations };
  Object.assign(at(hook, versions), { minItems: 1, maxItems: 20 });
  Object.assign(at(hook, `${versions}[]`), { maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' });
  rule(at(hook, versions), "'v1alpha1' in self", 'v1alpha1 must be among the versions');
  rule(at(hook, versions), 'self.all(a, self.exists_one(b, b == a))', 'versions must be unique');
}

/** The kind of the design document: as Karmada's, but for its names, resources in place of kinds, and a failure policy (EXP-1). */
function exploringOf(interpreter: Definition): Definition {
  const definition = structuredClone(interpreter);
  const plural = 'resourceexploringwebhookconfigurations';
  const kind = 'ResourceExploringWebhookConfiguration';
  const { spec } = definition;
  definition.metadata.name = `${plural}.config.karmada.io`;
  Object.assign(spec.names, { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() });
  const schema = at(spec.versions[0]!.schema.openAPIV3Schema, 'webhooks[]');
  const { interpreterContextVersions, ...properties } = schema.properties!;
  const exploring = { ...properties, exploreReviewVersions: interpreterContextVersions! };
  schema.properties = { ...exploring, failurePolicy: { type: 'string', enum: ['Fail', 'Ignore'], default: 'Fail' } };
  schema['required'] = ['clientConfig', 'exploreReviewVersions', 'name'];
  const rules = at(schema, 'rules[]');
  const { kinds, ...criteria } = rules.properties!;
  const scope = { type: 'string', enum: ['*', 'Cluster', 'Namespaced'], default: '*' };
  rules.properties = { ...criteria, resources: kinds!, scope };
  rules['required'] = ['apiGroups', 'apiVersions', 'operations', 'resources'];
  at(schema, 'rules[].operations[]')['enum'] = exploringOperations;
  return definition;
}

if (import.meta.main) {
  for (const [name, manifest] of await federationManifests(await karmadaFolder())) {
    await writeFile(new URL(`${name}.json`, manifests), `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
}
