/** An API server without a store: it computes the pods that it lists and the events of its watches, and answers what else the product asks for. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { columnDefinitions, indexOf, listedPodText, namespaceOf, podText, rowText } from './generated-pod.ts';

const json = { 'content-type': 'application/json' };
/** In milliseconds; kube-apiserver sends one a minute. */
const bookmarkEvery = 20_000;
const firstVersion = 1_000_000;
/** Written at once. */
const chunkSize = 128 * 1024;

const verbs = ['get', 'list', 'watch', 'create', 'delete', 'patch', 'update'];
const resource = (name: string, kind: string, scope: string) => ({
  resource: name,
  responseKind: { group: '', version: '', kind },
  scope,
  singularResource: kind.toLowerCase(),
  verbs,
});
const discovery = (group: string, resources: object[]) => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [{ metadata: { name: group }, versions: [{ version: 'v1', resources, freshness: 'Current' }] }],
});
const rbac = [
  ['clusterroles', 'ClusterRole', 'Cluster'],
  ['clusterrolebindings', 'ClusterRoleBinding', 'Cluster'],
  ['roles', 'Role', 'Namespaced'],
  ['rolebindings', 'RoleBinding', 'Namespaced'],
] as const;
const fixed: Record<string, object | string> = {
  '/readyz': 'ok',
  '/version': { major: '1', minor: '36', gitVersion: 'v1.36.3' },
  '/api': discovery('', [resource('pods', 'Pod', 'Namespaced')]),
  '/apis': discovery(
    'rbac.authorization.k8s.io',
    rbac.map(([name, kind, scope]) => resource(name, kind, scope)),
  ),
  '/openapi/v3': { paths: {} },
};

const reason = 'RBAC: allowed by ClusterRoleBinding "bench" of ClusterRole "bench" to Group "system:authenticated"';
const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
/** What counts nodes and pods of members is not measured here: it is refused, as where it is not granted. */
const forbidden = { ...notFound, reason: 'Forbidden', code: 403 };

interface OpenWatch {
  response: ServerResponse;
  isTable: boolean;
  /** The first event of a Table carries the column definitions. */
  hasColumns: boolean;
}

export class GeneratedMember {
  /** How many pods it has. */
  count: number;
  private readonly number: number;
  /** The number of its first pod, by which pods are named. */
  private readonly first: number;
  private version = firstVersion;
  private readonly changed = new Map<number, number>();
  private readonly watches = new Set<OpenWatch>();
  private readonly quietWatches = new Set<ServerResponse>();
  private readonly timer = setInterval(() => this.sendBookmarks(), bookmarkEvery).unref();

  constructor(number: number, count: number, first = 0) {
    this.number = number;
    this.count = count;
    this.first = first;
    this.version += count;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {});
    const { url = '', method, headers } = request;
    const { pathname, searchParams } = new URL(url, 'https://member');
    const isTable = String(headers.accept).includes('as=Table');
    if (method === 'POST') {
      request.resume();
      const review = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1' };
      send(response, 201, { ...review, status: { allowed: true, reason } });
    } else if (fixed[pathname] !== undefined) send(response, 200, fixed[pathname]);
    else if (pathname === '/api/v1/nodes') send(response, 403, forbidden);
    else if (pathname.startsWith('/apis/rbac.authorization.k8s.io/v1/'))
      this.answerRbac(pathname, searchParams, response);
    else if (!pathname.startsWith('/api/v1/')) send(response, 404, notFound);
    else if (searchParams.get('watch') === 'true') this.openWatch(response, isTable);
    else if (pathname.endsWith('/pods')) void this.list(searchParams, response, isTable);
    else this.get(pathname, response);
  }

  get isKeptUpWith(): boolean {
    return [...this.watches].every(({ response }) => !response.writableNeedDrain);
  }

  /** Changes so many pods, spread over all. Returns how many. */
  change(events: number): number {
    const step = Math.max(1, Math.floor(this.count / 7_919));
    for (let event = 0; event < events; event++) {
      const version = ++this.version;
      const index = (version * step) % this.count;
      this.changed.set(index, version);
      this.send('MODIFIED', index, version);
    }
    return events;
  }

  add(): void {
    const index = this.count++;
    const version = ++this.version;
    this.changed.set(index, version);
    this.send('ADDED', index, version);
  }

  private versionOf(index: number): number {
    return this.changed.get(index) ?? firstVersion + index;
  }

  private send(type: string, index: number, version: number): void {
    for (const watch of this.watches) {
      watch.response.write(
        watch.isTable
          ? `{"type":"${type}","object":${tableHead(version, !watch.hasColumns)}${rowText(this.number, this.first + index, version)}]}}\n`
          : `{"type":"${type}","object":${podText(this.number, this.first + index, version)}}\n`,
      );
      watch.hasColumns = true;
    }
  }

  private openWatch(response: ServerResponse, isTable: boolean): void {
    response.writeHead(200, json).flushHeaders();
    const watch = { response, isTable, hasColumns: false };
    this.watches.add(watch);
    response.on('close', () => this.watches.delete(watch));
    this.bookmark(watch);
  }

  private bookmark(watch: OpenWatch): void {
    const object = `{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"${this.version}"},"spec":{"containers":null},"status":{}}`;
    const row = `{"cells":["","0/0","","0","<unknown>","<none>","<none>","<none>","<none>"],"object":${object}}`;
    const shown = watch.isTable ? `${tableHead(this.version, !watch.hasColumns)}${row}]}` : object;
    watch.response.write(`{"type":"BOOKMARK","object":${shown}}\n`);
    watch.hasColumns = true;
  }

  private sendBookmarks(): void {
    for (const watch of this.watches) this.bookmark(watch);
    for (const response of this.quietWatches) response.write(quietBookmark);
  }

  /** What the reason names is there: only then is a review kept for minutes. */
  private answerRbac(pathname: string, query: URLSearchParams, response: ServerResponse): void {
    if (query.get('watch') !== 'true') {
      const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
      const items = /clusterrole/.test(pathname) ? [{ metadata: { name: 'bench', resourceVersion: '1' } }] : [];
      send(response, 200, { ...list, metadata: { resourceVersion: '1' }, items });
      return;
    }
    response.writeHead(200, json).flushHeaders();
    response.write(quietBookmark);
    this.quietWatches.add(response);
    response.on('close', () => this.quietWatches.delete(response));
  }

  private get(pathname: string, response: ServerResponse): void {
    const [, , , , namespace, , name = ''] = pathname.split('/');
    const named = indexOf(name) ?? -1;
    const index = named - this.first;
    if (index < 0 || index >= this.count || namespaceOf(named) !== namespace) send(response, 404, notFound);
    else response.writeHead(200, json).end(podText(this.number, named, this.versionOf(index)));
  }

  /** Selectors are not known: with one, everything is listed. */
  private async list(query: URLSearchParams, response: ServerResponse, isTable: boolean): Promise<void> {
    const from = Number(query.get('continue') ?? 0);
    const end = Math.min(this.count, from + (Number(query.get('limit')) || this.count));
    const more = end < this.count ? { continue: String(end), remainingItemCount: this.count - end } : {};
    const metadata = JSON.stringify({ resourceVersion: String(this.version), ...more });
    response.writeHead(200, json);
    const closing = new AbortController();
    response.once('close', () => closing.abort());
    let text = isTable
      ? `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":${columnDefinitions},"rows":[`
      : `{"kind":"PodList","apiVersion":"v1","metadata":${metadata},"items":[`;
    const itemText = isTable ? rowText : listedPodText;
    for (let index = from; index < end; index++) {
      text += `${index > from ? ',' : ''}${itemText(this.number, this.first + index, this.versionOf(index))}`;
      if (text.length < chunkSize) continue;
      if (response.destroyed) return;
      if (!response.write(text)) await once(response, 'drain', closing).catch(() => {});
      text = '';
    }
    response.end(`${text}]}\n`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }
}

const quietBookmark =
  '{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"}}}\n';

const tableHead = (version: number, isFirst: boolean): string =>
  `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"${version}"},"columnDefinitions":${isFirst ? columnDefinitions : '[]'},"rows":[`;

function send(response: ServerResponse, code: number, body: object | string): void {
  response.writeHead(code, json).end(typeof body === 'string' ? body : JSON.stringify(body));
}
