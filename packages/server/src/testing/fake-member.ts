/** A member in the test process with a history: it serves pages and versions, and compacts, as kube-apiserver does. */

import type { BytesReply, UpstreamCall } from '@fleet/client/upstream.ts';
import { expired, StatusError } from '@fleet/kube/status.ts';
import { FakeUpstream, replyOf } from './fake-upstream.ts';

export type ListForm = 'built-in' | 'custom' | 'unversioned';

const continueText = (version: number, start: string) =>
  Buffer.from(JSON.stringify([version, start])).toString('base64url');

export class FakeMember {
  readonly upstream = new FakeUpstream((call) => this.answer(call));
  /** Names at each version since the last compaction. */
  private readonly history = new Map<number, readonly string[]>();
  version = 1;
  form: ListForm = 'built-in';
  /** What a label selector matches. A continue token is returned while any object follows, matching or not. */
  matches: ((name: string) => boolean) | undefined;
  /** Replaces every answer. */
  instead: ((call: UpstreamCall) => BytesReply | Promise<BytesReply>) | undefined;

  constructor(names: readonly string[]) {
    this.history.set(1, names.toSorted());
  }

  get names(): readonly string[] {
    return this.history.get(this.version)!;
  }

  /** The names that clients get. */
  get selected(): readonly string[] {
    return this.names.filter((name) => this.matches?.(name) ?? true);
  }

  write(names: readonly string[]): void {
    this.history.set(++this.version, names.toSorted());
  }

  /** Drops all versions but the newest. */
  compact(): void {
    for (const version of this.history.keys()) if (version !== this.version) this.history.delete(version);
  }

  private answer(call: UpstreamCall): BytesReply | Promise<BytesReply> {
    if (this.instead) return this.instead(call);
    try {
      return this.list(new URLSearchParams(call.path.split('?')[1]), String(call.headers['accept']));
    } catch (error) {
      if (error instanceof StatusError) return replyOf(error.code, error.toStatus());
      throw error;
    }
  }

  private list(query: URLSearchParams, accept: string): BytesReply {
    const token = query.get('continue');
    const [tokenVersion, start] = token
      ? (JSON.parse(Buffer.from(token, 'base64url').toString()) as [number, string])
      : [undefined, ''];
    const asked =
      tokenVersion ?? (query.get('resourceVersionMatch') === 'Exact' ? Number(query.get('resourceVersion')) : -1);
    const version = asked === -1 ? this.version : asked;
    const names = this.history.get(version);
    if (!names) throw expired('too old', token ? { continueToken: continueText(-1, start) } : {});
    const limit = this.form === 'unversioned' ? Number.POSITIVE_INFINITY : Number(query.get('limit'));
    const following = names.filter((name) => name >= start);
    const page: string[] = [];
    let seen = 0;
    for (const name of following) {
      if (page.length === limit) break;
      seen++;
      if (this.matches?.(name) ?? true) page.push(name);
    }
    const more = seen < following.length;
    const metadata = {
      resourceVersion: this.form === 'unversioned' ? '' : String(version),
      ...(more ? { continue: continueText(version, `${following[seen - 1]}\0`) } : {}),
      ...(more && !this.matches ? { remainingItemCount: following.length - seen } : {}),
    };
    return replyOf(200, listText(page, metadata, this.form, accept));
  }
}

function listText(names: readonly string[], metadata: object, form: ListForm, accept: string): string {
  const items = names.map((name) => ({ metadata: { name } }));
  if (accept.includes('as=Table')) {
    const columnDefinitions = [{ name: 'Name', type: 'string', format: 'name', description: 'n', priority: 0 }];
    const rows = items.map((object) => ({ cells: [object.metadata.name], object }));
    return JSON.stringify({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions, rows });
  }
  const short = accept.includes('as=PartialObjectMetadataList');
  if (form === 'custom' && !short) return JSON.stringify({ apiVersion: 'a/v1', items, kind: 'WidgetList', metadata });
  return JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items });
}
