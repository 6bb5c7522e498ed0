/** What can be wrong with a request beside its object: the way, the method, the query, the headers. */
import { type Draft, isWrite, type World } from './draft.ts';

type Flaw = (draft: Draft, world: World) => void;

const query =
  (name: string, ...values: string[]): Flaw =>
  (draft, world) => {
    draft.query[name] = world.random.pick(values);
    if (draft.method === 'DELETE') delete draft.body; // or the query would count for nothing
  };

const path =
  (change: (path: string, world: World) => string): Flaw =>
  (draft, world) => {
    draft.path = change(draft.path, world);
  };

/** Of any request. Nothing here may turn a request into one that removes what is not the run's own. */
export const routeFlaws: Readonly<Record<string, Flaw>> = {
  'no such resource': path((way) => way.replace(/(\/v1(?:\/namespaces\/[^/]+)?)\/[a-z]+/, '$1/nosuches')),
  'no such version': path((way) => way.replace(/\/v1(?=\/|$)/, '/v9')),
  'no such group': path((way) => way.replace(/^\/(api|apis\/[^/]+)\//, '/apis/nosuch.example.dev/')),
  'no such namespace': path((way) => way.replace(/\/namespaces\/[^/]+\/(?=.)/, '/namespaces/@{scope}-none/')),
  'no such subresource': path((way) => `${way}/nosuch`),
  'beyond the API': path((_, world) =>
    world.random.pick([
      '/',
      '/nosuch',
      '/api/',
      '/api/v2',
      '/apis/',
      '/apis/nosuch',
      '/openapi',
      '/healthz/nosuch',
      '/version/',
    ]),
  ),
  'odd way': (draft, world) => {
    const way = draft.path;
    // a server that takes the dots for a step up must not be led to remove a whole collection
    const up = draft.method === 'DELETE' ? [] : [`${way}/%2e%2e`, `${way}/../x`];
    const odd = [`${way}/`, `/${way}`, way.replace('/v1/', '/v1//'), `${way}%zz`, way.replace('/v1', '/./v1'), ...up];
    draft.path = world.random.pick(odd);
    // what one server refuses another may take: later requests must find the same objects on both sides
    if (isWrite(draft) && draft.path !== `${way}/`) draft.query['dryRun'] = 'All';
  },
  'wrong method': (draft, world) => {
    const collection = draft.name === undefined;
    draft.method = world.random.pick(
      collection ? ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND'] : ['POST', 'OPTIONS', 'PROPFIND'],
    );
  },
  'no such form': (draft, world) => {
    draft.headers['accept'] = world.random.pick([
      'application/cbor',
      'text/plain',
      'image/png;q=1',
      'application/json;as=Nonsense;v=v1;g=meta.k8s.io',
      'application/json;as=Table;v=v9;g=meta.k8s.io',
      'application/vnd.kubernetes.protobuf;as=Nonsense',
      'nonsense',
    ]);
  },
};

export const readFlaws: Readonly<Record<string, Flaw>> = {
  'bad label selector': query(
    'labelSelector',
    '=x',
    'a in',
    'a in (',
    'a=b=c',
    '!',
    'a>b',
    'two words',
    'a!!b',
    ',',
    'x/y/z=1',
  ),
  'bad field selector': query(
    'fieldSelector',
    'nosuch=1',
    'metadata.name',
    'metadata.name=a,nosuch=b',
    'spec.nosuch=x',
    '=',
    'a>b',
  ),
  'bad limit': query('limit', 'many', '-1x', '99999999999999999999', '1.5'),
  'bad continue': query(
    'continue',
    'nonsense',
    'bm9uc2Vuc2U=',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiLi4vIn0',
  ),
  'bad version': query('resourceVersion', 'abc', '-1', '1.5', '18446744073709551616'),
  'bad match': (draft, world) => {
    draft.query['resourceVersionMatch'] = world.random.pick(['Exact', 'NotOlderThan', 'Sometimes', '']);
    if (world.random.chance(0.3)) Object.assign(draft.query, { resourceVersion: '0', resourceVersionMatch: 'Exact' });
  },
  'continue and version': (draft) => Object.assign(draft.query, { continue: 'x', resourceVersion: '5' }),
  'bad initial events': (draft, world) => {
    Object.assign(draft.query, {
      sendInitialEvents: world.random.pick(['true', 'false', 'perhaps']),
      watch: 'true',
      timeoutSeconds: '1',
    });
    if (draft.query['sendInitialEvents'] === 'perhaps') return;
    draft.query['resourceVersionMatch'] = 'Exact';
  },
  'bad watch': (draft, world) => {
    Object.assign(
      draft.query,
      world.random.pick([
        { watch: 'true', resourceVersion: 'abc', timeoutSeconds: '1' },
        { watch: 'true', fieldSelector: 'nosuch=1', timeoutSeconds: '1' },
        { watch: 'true', timeoutSeconds: 'x', resourceVersionMatch: 'Exact' },
      ]),
    );
  },
};

/** Slow (the server waits 3 s for the version to come), so rare. */
export const tooLarge: Flaw = query('resourceVersion', '900000000000');

export const writeFlaws: Readonly<Record<string, Flaw>> = {
  'bad dry run': query('dryRun', 'Some', 'true', 'None'),
  'bad field manager': query('fieldManager', 'x'.repeat(200), '\u0007'),
  'bad field validation': query('fieldValidation', 'Perhaps', 'strict'),
  'bad content type': (draft, world) => {
    draft.headers['content-type'] = world.random.pick([
      'text/plain',
      'application/xml',
      'application/cbor',
      'nonsense',
      'application/merge-patch+xml',
    ]);
  },
  'bad protobuf': (draft, world) => {
    draft.headers['content-type'] = 'application/vnd.kubernetes.protobuf';
    draft.body = world.random.pick(['nonsense', 'k8s\u0000nonsense', 'k8s\u0000', 'k8s\u0000\n\u0002\n\u0000']);
  },
};

export const removalFlaws: Readonly<Record<string, Flaw>> = {
  'bad policy': query('propagationPolicy', 'Sideways', 'background'),
  'bad grace': query('gracePeriodSeconds', 'soon', '-x'),
  'other uid': (draft) => {
    draft.body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: '11111111-1111-4111-8111-111111111111' },
    };
  },
  'other version': (draft) => {
    draft.body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion: '1' } };
  },
  'bad options': (draft, world) => {
    draft.headers['content-type'] = 'application/json';
    draft.body = world.random.pick([
      '{"kind":"Nonsense","apiVersion":"v1"}',
      '{"preconditions":5}',
      '[',
      '{"gracePeriodSeconds":"x"}',
    ]);
  },
};
