/** What one call would be in a kube-apiserver's audit log (`audit.k8s.io/v1` Event), as far as suites ask. */

interface Audited {
  auditID: string;
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body?: Buffer | undefined;
  code: number;
  begun: Date;
  ended: Date;
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const resourcePath =
  /^\/(?:api|apis\/(?<apiGroup>[^/]+))\/(?<apiVersion>[^/]+)\/(?:namespaces\/(?<namespace>[^/]+)\/(?!status$|finalize$))?(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>[^/]+))?)?$/;

function verbOf(method: string, name: string | undefined, query: URLSearchParams): string {
  if (method === 'GET') return name ? 'get' : query.has('watch') ? 'watch' : 'list';
  return method === 'DELETE' && !name ? 'deletecollection' : (verbs[method] ?? method.toLowerCase());
}

/** As kube-apiserver does, where the path has none. */
function nameIn(body: Buffer | undefined): { name?: string } {
  try {
    const { metadata } = JSON.parse(String(body)) as { metadata?: { name?: string } };
    return metadata?.name ? { name: metadata.name } : {};
  } catch {
    // Not JSON: whoever asks for it does without.
    return {};
  }
}

const all = (value: string | string[] | undefined): string[] => [value ?? []].flat();

export function eventOf({ auditID, method, path, headers, body, code, begun, ended }: Audited) {
  const { pathname, searchParams } = new URL(path, 'https://control-plane');
  const objectRef = resourcePath.exec(pathname)?.groups;
  const [impersonated] = all(headers['impersonate-user']);
  return {
    auditID,
    stage: 'ResponseComplete',
    verb: objectRef ? verbOf(method, objectRef['name'], searchParams) : method.toLowerCase(),
    requestURI: path,
    user: { username: 'fleet:control-plane' },
    ...(impersonated && { impersonatedUser: { username: impersonated, groups: all(headers['impersonate-group']) } }),
    userAgent: all(headers['user-agent'])[0],
    ...(objectRef && { objectRef: { ...objectRef, ...(method === 'POST' && nameIn(body)) } }),
    responseStatus: { code },
    requestReceivedTimestamp: begun.toISOString(),
    stageTimestamp: ended.toISOString(),
  };
}
