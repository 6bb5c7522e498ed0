/** Who may import whom. Packages first, then the folders of the server. */

const packages = {
  kube: [],
  client: ['kube'],
  tunnel: ['kube'],
  apiserver: ['kube', 'client'],
  cache: ['kube', 'client'],
  federation: ['kube', 'client'],
  server: ['kube', 'client', 'apiserver', 'cache', 'federation', 'tunnel'],
  simulator: ['kube', 'client', 'apiserver'],
  agent: ['kube', 'client', 'tunnel'],
  cli: ['kube', 'client', 'federation', 'server', 'simulator', 'tunnel', 'agent'],
};

/** What tests may import beyond that: those of the agent make certificates. */
const testPackages = { agent: ['apiserver'] };

/** Folders of packages/server/src; main, parts, gateway, own-endpoints and places stand above them. */
const serverFolders = {
  target: [],
  http: [],
  config: [],
  pki: [],
  'control-plane': ['members', 'pki'],
  decisions: [],
  authn: ['http', 'decisions'],
  authz: ['target', 'http', 'authn', 'decisions'],
  members: ['target', 'authn'],
  present: ['target'],
  bodies: ['target', 'present'],
  pass: ['target', 'http', 'present', 'members', 'bodies'],
  find: ['target', 'http', 'present', 'pass'],
  reviews: ['target', 'http', 'authz', 'pass'],
  merge: ['target', 'http', 'present', 'members'],
  watch: ['target', 'http', 'authn', 'present', 'merge', 'discovery'],
  agents: ['members'],
  discovery: ['http'],
  kubesphere: ['members', 'discovery'],
  controllers: ['target', 'members', 'discovery', 'registries'],
  registries: ['target', 'http', 'authn', 'members', 'pass', 'merge', 'discovery'],
  observe: ['target', 'http'],
  limits: ['target', 'http', 'pass'],
  cache: ['target', 'members', 'merge', 'registries', 'find'],
};

/** Folders of packages/apiserver/src, from the bytes on disk upwards. */
const apiserverFolders = {
  pki: [],
  errors: [],
  names: ['errors'],
  selectors: ['errors', 'names'],
  threads: [],
  store: [],
  'regular-expressions': [],
  schema: ['errors', 'regular-expressions'],
  cel: ['errors', 'names', 'regular-expressions', 'schema'],
  'go-json': [],
  patch: ['errors', 'schema', 'go-json'],
  'watch-cache': ['errors', 'store'],
  registry: ['errors', 'names', 'selectors', 'store', 'watch-cache', 'schema', 'patch'],
  kinds: ['errors', 'names', 'selectors', 'schema', 'go-json', 'store', 'registry'],
  admission: ['store', 'registry', 'kinds'],
  crds: [
    'errors',
    'names',
    'regular-expressions',
    'schema',
    'cel',
    'patch',
    'registry',
    'kinds',
    'go-json',
    'http',
    'store',
  ],
  namespaces: ['registry', 'watch-cache', 'store'],
  authn: ['errors', 'registry', 'http'],
  rbac: ['errors', 'selectors', 'registry', 'authn'],
  access: ['names', 'http', 'authn', 'rbac'],
  reviews: ['errors', 'registry', 'http', 'authn', 'rbac'],
  tokens: ['errors', 'registry', 'http', 'authn'],
  http: ['errors', 'names', 'selectors', 'go-json', 'watch-cache', 'registry', 'schema', 'patch', 'authn'],
  'pod-requests': ['errors', 'selectors', 'registry', 'kinds', 'http'],
  connect: ['errors', 'go-json', 'registry', 'http'],
  'long-requests': [
    'threads',
    'store',
    'registry',
    'kinds',
    'admission',
    'crds',
    'namespaces',
    'authn',
    'rbac',
    'http',
    'openapi',
  ],
};

const anyOf = (names) => (names.length === 0 ? '(?!)' : `(${names.join('|')})`);

const testFiles = '(\\.test\\.ts$|/src/testing/)';

const packageRule = (name, allowed, rule, from) => ({
  name: rule,
  comment: `packages/${name} may import only: ${allowed.join(', ') || 'nothing'}`,
  severity: 'error',
  from,
  to: { path: '^packages/', pathNot: `^packages/${anyOf([name, ...allowed])}/` },
});

const packageRules = Object.entries(packages).flatMap(([name, allowed]) => {
  const more = testPackages[name];
  const path = `^packages/${name}/`;
  if (!more) return [packageRule(name, allowed, `${name}-imports`, { path })];
  return [
    packageRule(name, allowed, `${name}-imports`, { path, pathNot: testFiles }),
    packageRule(name, [...allowed, ...more], `${name}-test-imports`, { path: `${path}.*${testFiles}` }),
  ];
});

const folderRules = Object.entries({ server: serverFolders, apiserver: apiserverFolders }).flatMap(([pkg, folders]) =>
  Object.entries(folders).map(([name, allowed]) => ({
    name: `${pkg}-${name}-imports`,
    comment: `packages/${pkg}/src/${name} may import only: ${allowed.join(', ') || 'kube and client'}`,
    severity: 'error',
    from: { path: `^packages/${pkg}/src/${name}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^packages/${pkg}/src/`, pathNot: `^packages/${pkg}/src/${anyOf([name, ...allowed])}/` },
  })),
);

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'product-without-tests',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.test\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'ssh2-in-one-folder',
      comment: 'the library behind the tunnel can be exchanged',
      severity: 'error',
      from: { pathNot: '^(packages/tunnel/src/ssh2/|node_modules/)' },
      to: { path: '(^ssh2$|node_modules/ssh2/)' },
    },
    { name: 'bed-is-a-witness', severity: 'error', from: { path: '^test/bed/' }, to: { path: '^packages/' } },
    ...packageRules,
    ...folderRules,
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
