/** Lists read page by page, as a client reads them, and what they should have held. */

import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Member } from '@fleet/bed/member.ts';
import type { Product } from '@fleet/bed/product.ts';

export interface ListPage {
  code: number;
  headers: Record<string, string | string[] | undefined>;
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  /** As `name@cluster`. */
  shown: string[];
  /** The whole answer. */
  body: {
    kind: string;
    reason?: string;
    message?: string;
    details?: { causes?: unknown[]; retryAfterSeconds?: number };
  };
}

interface Item {
  metadata: { name: string };
}

const suffixed = ({ metadata: { name } }: Item): string => name.replace('.clusterspace.', '@');

/** One answer; compressed ones are unpacked. */
export async function getPage(
  { server, ca, admin }: Pick<Product, 'server' | 'ca' | 'admin'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<ListPage> {
  const agent = new Agent({ ca, ...admin });
  try {
    const asking = request(new URL(path, server), { agent, headers, signal: AbortSignal.timeout(30_000) });
    asking.end();
    const [response] = await once(asking, 'response');
    const bytes = await buffer(response);
    const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const body = JSON.parse(text.toString());
    const items: Item[] = body.items ?? body.rows?.map(({ object }: { object: Item }) => object) ?? [];
    return {
      code: response.statusCode,
      headers: response.headers,
      metadata: body.metadata,
      shown: items.map(suffixed),
      body,
    };
  } finally {
    agent.destroy();
  }
}

/** Reads from where `token` leads to the end; `afterEach` may do something between two pages. */
export async function readPages(
  productNow: () => Pick<Product, 'server' | 'ca' | 'admin'>,
  path: string,
  {
    token,
    accept,
    afterEach = async () => {},
  }: { token?: string; accept?: string; afterEach?: (count: number) => Promise<void> } = {},
): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  let next = token;
  do {
    const from = next ? `&continue=${next}` : '';
    const page = await getPage(productNow(), `${path}${from}`, accept ? { accept } : {});
    if (page.code !== 200) throw new Error(`page ${pages.length}: ${JSON.stringify(page.body)}`);
    pages.push(page);
    await afterEach(pages.length);
    next = page.metadata.continue;
  } while (next);
  return pages;
}

export const versionMap = (version: string): Record<string, string> =>
  JSON.parse(Buffer.from(version, 'base64url').toString());

/** What the members themselves had at a merged version, in a merged list's order. */
export async function heldAt(
  members: readonly Member[],
  version: string,
  path: string,
  selector = '',
): Promise<string[]> {
  const versions = versionMap(version);
  const lists = await Promise.all(
    members.map(async ({ name, api }) => {
      const exact = `resourceVersion=${versions[name]}&resourceVersionMatch=Exact`;
      const { items } = await api.object<{ items: Item[] }>(`${path}?${exact}${selector}`, { timeout: 30_000 });
      return items.map(({ metadata }) => `${metadata.name}@${name}`);
    }),
  );
  return lists.flat();
}

/** Works through all of it, so many at a time. */
export async function eachAtOnce<T>(things: readonly T[], width: number, work: (thing: T) => Promise<unknown>) {
  const queue = [...things];
  const worker = async () => {
    for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
