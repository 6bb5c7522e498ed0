/** Products with a CA, files and flags of their own, in front of one bare member. */

import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Authority, createAuthority, type Pair } from '@fleet/bed/pki.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';

export interface Answer {
  code: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export class Front implements AsyncDisposable {
  readonly member1: Member;
  private readonly controlPlane: Member;
  private readonly authority: Authority;
  private readonly folder: string;
  private readonly running: AsyncDisposableStack;

  private constructor(controlPlane: Member, member1: Member, authority: Authority, folder: string) {
    this.controlPlane = controlPlane;
    this.member1 = member1;
    this.authority = authority;
    this.folder = folder;
    this.running = new AsyncDisposableStack();
    this.running.defer(() => rm(folder, { recursive: true }));
    this.running.use(controlPlane);
    this.running.use(member1);
  }

  static async open(): Promise<Front> {
    const [controlPlane, member1, authority, folder] = await Promise.all([
      startControlPlane(),
      startMember({ name: 'member1', nodes: 0 }),
      createAuthority('front'),
      mkdtemp(join(tmpdir(), 'fleet-front-')),
    ]);
    return new Front(controlPlane, member1, authority, folder);
  }

  /** The path of a file in a folder that goes with it. */
  file(name: string): string {
    return join(this.folder, name);
  }

  /** A serving certificate of the products' CA. */
  servingPair(): Promise<Pair> {
    return this.authority.issue({ name: 'fleet', dns: ['localhost'], ips: ['127.0.0.1'] });
  }

  async start(more: { flags?: string[]; mutant?: Mutant } = {}): Promise<Product> {
    const dataDir = await mkdtemp(this.file('data-'));
    // Known beforehand, so that a serving certificate given to it is of the product's own CA.
    await mkdir(join(dataDir, 'pki'));
    await writeFile(join(dataDir, 'pki/ca.crt'), this.authority.cert);
    await writeFile(join(dataDir, 'pki/ca.key'), this.authority.key);
    return this.running.use(await startProduct({ controlPlane: this.controlPlane, dataDir, ...more }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.running.disposeAsync();
  }
}

/** The answer has begun when this returns. */
export async function begin(
  server: { server: string; ca: string; admin?: Pair },
  path: string,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const asking = request(new URL(path, server.server), { agent: false, ca: server.ca, ...server.admin, ...options });
  asking.end(options.method === 'POST' ? '{"metadata":{"name":"held"}}' : undefined);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

export async function ask(...args: Parameters<typeof begin>): Promise<Answer> {
  const response = await begin(...args);
  const { statusCode = 0, headers } = response;
  return { code: statusCode, headers, body: await buffer(response) };
}
