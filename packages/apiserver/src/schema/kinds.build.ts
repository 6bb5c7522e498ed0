/**
 * Writes the built-in kinds of a real kube-apiserver, without descriptions, to generated/types.ts and generated/resources.ts.
 * The suite apiserver-kinds compares them on real clusters; `KINDS=write npx vitest run --project bed
 * test/suites/apiserver-kinds.bed.ts` generates them again.
 */

import type { JsonObject, JsonValue } from '@fleet/kube/json-value.ts';
import type { Resource } from './resource.ts';

/** Gets a path in a form, and returns the parsed response. */
export type Ask = (path: string, accept: string) => Promise<unknown>;

const json = 'application/json';
const discoveryForm = `${json};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
const tableForm = `${json};as=Table;v=v1;g=meta.k8s.io`;

/** The text of generated/types.ts: one definition per line, preceded by its name. */
export async function typesModule(ask: Ask): Promise<string> {
  const index = (await ask('/openapi/v3', json)) as { paths: { [path: string]: { serverRelativeURL: string } } };
  const definitions = new Map<string, JsonObject>();
  for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
    if (!path.startsWith('api')) continue;
    const { components } = (await ask(serverRelativeURL, json)) as {
      components?: { schemas?: { [name: string]: JsonValue } };
    };
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
      definitions.set(name, agreed(bare(schema, isExplained(name)) as JsonObject, definitions.get(name)));
    }
  }
  const lines = [...definitions].sort(([left], [right]) => (left < right ? -1 : 1));
  return moduleOf(
    'types',
    lines.map(([name, schema]) => `${name} ${JSON.stringify(schema)}`),
  );
}

/** Options and events are listed as kinds of every group, with different texts: here they are kinds of none. */
function agreed(schema: JsonObject, before: JsonObject | undefined): JsonObject {
  if (!before || JSON.stringify(before) === JSON.stringify(schema)) return schema;
  const { 'x-kubernetes-group-version-kind': _, ...shared } = schema;
  return shared;
}

const moduleOf = (name: string, lines: readonly string[]): string =>
  `// Made from a kube-apiserver by schema/kinds.build.ts; the suite apiserver-kinds on the bed holds it to that.
export const ${name} = String.raw\`${lines.join('\n')}\`;
`;

const referred = '#/components/schemas/';

/** Types that `kubectl explain` shows for custom kinds, too. */
const isExplained = (name: string): boolean =>
  /^io\.k8s\.apimachinery\.pkg\.apis\.meta\.v1\.(ObjectMeta|ListMeta|OwnerReference|ManagedFieldsEntry|FieldsV1|Time)$/.test(
    name,
  );

/** Without descriptions, unless they are needed, and with references as plain names beside the field's own properties. */
function bare(schema: JsonValue, keepsProse = false): JsonValue {
  if (Array.isArray(schema)) return schema.map((one) => bare(one, keepsProse));
  if (schema === null || typeof schema !== 'object') return schema;
  const { description, allOf, $ref, properties, default: preset, ...rest } = schema;
  const kept = Object.entries(rest).map(([key, value]) => [key, bare(value, keepsProse)] as const);
  const [only] = Array.isArray(allOf) ? allOf : [];
  const reference = $ref ?? (only as { $ref?: string } | undefined)?.$ref;
  return {
    ...(typeof reference === 'string' ? { $ref: reference.replace(referred, '') } : {}),
    ...Object.fromEntries(kept),
    ...(preset === undefined ? {} : { default: preset }),
    // A field may have the name description.
    ...(properties && typeof properties === 'object'
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, bare(one, keepsProse)]),
          ),
        }
      : {}),
    ...(typeof description === 'string' && keepsProse ? { description } : {}),
    ...(description !== undefined && typeof description !== 'string' ? { description: bare(description) } : {}),
  };
}

interface Discovery {
  items: {
    metadata: { name?: string };
    versions: { version: string; resources: DiscoveredResource[] }[];
  }[];
}

interface DiscoveredResource {
  resource: string;
  responseKind?: { group: string; version: string; kind: string };
  scope: string;
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: { subresource: string; responseKind?: DiscoveredResource['responseKind']; verbs: string[] }[];
}

interface Table {
  columnDefinitions: { name: string; type: string; format: string; priority: number }[];
}

/** The text of generated/resources.ts: one resource per line, in the order of discovery. */
export async function resourcesModule(ask: Ask): Promise<string> {
  const lines: string[] = [];
  for (const root of ['/api', '/apis']) {
    const { items } = (await ask(root, discoveryForm)) as Discovery;
    for (const { metadata, versions } of items) {
      for (const { version, resources } of versions) {
        const group = metadata.name ?? '';
        for (const found of resources) lines.push(JSON.stringify(await resourceOf(ask, group, version, found)));
      }
    }
  }
  return moduleOf('resources', lines);
}

async function resourceOf(ask: Ask, group: string, version: string, found: DiscoveredResource): Promise<Resource> {
  const path = `${group ? `/apis/${group}` : '/api'}/${version}/${found.resource}`;
  const table = found.verbs.includes('list') ? ((await ask(path, tableForm)) as Table) : undefined;
  return {
    group,
    version,
    name: found.resource,
    singular: found.singularResource,
    kind: found.responseKind?.kind ?? '',
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs,
    ...(found.shortNames ? { shortNames: found.shortNames } : {}),
    ...(found.categories ? { categories: found.categories } : {}),
    ...(found.subresources ? { subresources: found.subresources.map(subresourceOf) } : {}),
    ...(table ? { columns: table.columnDefinitions.map(columnOf) } : {}),
  };
}

const subresourceOf = ({
  subresource,
  responseKind,
  verbs,
}: NonNullable<DiscoveredResource['subresources']>[number]) => ({
  name: subresource,
  kind: responseKind?.kind ?? '',
  // Empty if they are the resource's own.
  ...(responseKind?.version ? { group: responseKind.group, version: responseKind.version } : {}),
  verbs,
});

const columnOf = ({ name, type, format, priority }: Table['columnDefinitions'][number]) => ({
  name,
  type,
  ...(format ? { format } : {}),
  ...(priority ? { priority } : {}),
});

const generated = (name: string) => new URL(`generated/${name}.ts`, import.meta.url);

export const typesFile = generated('types');
export const resourcesFile = generated('resources');
