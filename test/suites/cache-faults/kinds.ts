/** The kinds that are written to members and registered: nothing in a cluster acts on them, so only the suite deletes any. */

export interface Kind {
  kind: string;
  plural: string;
  /** Beside its metadata. */
  content: object;
}

export const namespace = 'faults';

const container = { name: 'web', image: 'web' };

export const kinds: readonly Kind[] = [
  { kind: 'ConfigMap', plural: 'configmaps', content: { data: { a: 'b' } } },
  { kind: 'PodTemplate', plural: 'podtemplates', content: { template: { spec: { containers: [container] } } } },
  {
    kind: 'LimitRange',
    plural: 'limitranges',
    content: { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
  },
  { kind: 'ServiceAccount', plural: 'serviceaccounts', content: {} },
];

export const configMaps = kinds[0]!;

/** Registered all the while; the registry of the others changes. */
export const steadyKinds = kinds.slice(0, 2);
export const changingKinds = kinds.slice(2);

/** Large objects are of this kind, so that the others need not be. */
export const secrets: Kind = { kind: 'Secret', plural: 'secrets', content: {} };

export const everywhere = ({ plural }: Kind): string => `/api/v1/${plural}`;
export const within = ({ plural }: Kind): string => `/api/v1/namespaces/${namespace}/${plural}`;

export const selectorsOf = (...some: readonly Kind[]) => some.map(({ kind }) => ({ apiVersion: 'v1', kind }));

/** As `fleet join --cache-kinds` takes them. */
export const cacheKinds = [...kinds, secrets].map(({ plural }) => plural).join();
