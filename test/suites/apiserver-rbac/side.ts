/** One of the two servers that are compared: asked as anybody, by impersonation or with a token, and by kubectl. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { kubeconfig } from '@fleet/bed/kubeconfig.ts';
import { type KubectlOptions, type KubectlResult, runKubectl } from '@fleet/bed/kubectl.ts';
import type { Member } from '@fleet/bed/member.ts';
import { asMutant, type Mutant } from '@fleet/bed/mutant.ts';
import { createAuthority, createSigningKey, loadAuthority, type Pair } from '@fleet/bed/pki.ts';
import { Connection } from '@fleet/differential/connection.ts';
import type { Endpoint } from '@fleet/differential/endpoint.ts';

export interface Who {
  user?: string;
  groups?: readonly string[];
  /** Instead of the admin's certificate. */
  token?: string;
  headers?: Record<string, string | string[]>;
}

export interface Asked {
  method?: string;
  path: string;
  body?: unknown;
  as?: Who;
}

export interface Answered {
  status: number;
  body: unknown;
}

interface SideParts {
  name: string;
  address: { server: string; ca: string };
  admin: Pair;
  /** A client certificate. */
  issue(user: string): Promise<Pair>;
  stack: AsyncDisposableStack;
}

export class Side implements AsyncDisposable {
  readonly name: string;
  readonly #stack: AsyncDisposableStack;
  readonly #admin: Connection;
  readonly #nobody: Connection;
  readonly #kubectl: Parameters<typeof runKubectl>[0];
  readonly #folder: string;
  readonly #issue: SideParts['issue'];
  readonly #address: { server: string; ca: string };
  /** As its admin. */
  readonly endpoint: Endpoint;

  constructor({ name, address, admin, issue, stack }: SideParts) {
    this.#issue = issue;
    this.name = name;
    this.#stack = stack;
    this.#address = address;
    const { server: url, ca } = address;
    this.endpoint = { url, ca, ...admin };
    this.#admin = stack.use(new Connection(this.endpoint));
    this.#nobody = stack.use(new Connection({ url, ca }));
    this.#folder = mkdtempSync(join(tmpdir(), `fleet-rbac-${name}-`));
    stack.defer(() => rmSync(this.#folder, { recursive: true, force: true }));
    this.#kubectl = { version: 'newest', kubeconfig: this.#config('admin', admin), folder: this.#folder, run: name };
  }

  static async ofMember({ server, ca, admin, dir }: Member): Promise<Side> {
    const key = await readFile(join(dir, 'pki', 'ca.key'), 'utf8');
    const authority = await loadAuthority({ cert: ca, key });
    const issue = (name: string) => authority.issue({ name });
    return new Side({
      name: 'kube-apiserver',
      address: { server, ca },
      admin,
      issue,
      stack: new AsyncDisposableStack(),
    });
  }

  /** With a certificate of that name. */
  async askAs(user: string, asked: Asked): Promise<Answered> {
    const { server: url, ca } = this.#address;
    await using connection = new Connection({ url, ca, ...(await this.#issue(user)) });
    return await this.ask(asked, connection);
  }

  async ask({ method, path, body, as = {} }: Asked, by?: Connection): Promise<Answered> {
    const { pathname, searchParams } = new URL(path, 'https://any');
    const headers: Record<string, string | string[]> = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      'user-agent': 'compare/1',
      ...(as.user ? { 'impersonate-user': as.user } : {}),
      ...(as.groups ? { 'impersonate-group': [...as.groups] } : {}),
      ...(as.token ? { authorization: `Bearer ${as.token}` } : {}),
      ...as.headers,
    };
    const connection = by ?? (as.token ? this.#nobody : this.#admin);
    const answer = await connection.send({
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      path: pathname,
      query: [...searchParams],
      headers: headers as Record<string, string>,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.failure) throw new Error(`${this.name}: ${path}: ${answer.failure}`);
    const text = answer.body.toString();
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  kubectl(...args: (string | KubectlOptions)[]): Promise<KubectlResult> {
    return runKubectl(this.#kubectl, args);
  }

  kubectlWithToken(token: string, ...args: string[]): Promise<KubectlResult> {
    return runKubectl({ ...this.#kubectl, kubeconfig: this.#config('token', { token }) }, args);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  #config(user: string, credential: Pair | { token: string }): string {
    const path = join(this.#folder, `${user}.kubeconfig`);
    writeFileSync(path, kubeconfig({ cluster: 'c', user, credential, ...this.#address }));
    return path;
  }
}

const program = fileURLToPath(new URL('../embedded/secure-api-server.ts', import.meta.url));

export async function startEmbedded(mutant?: Mutant): Promise<Side> {
  const stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'fleet-rbac-server-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'data'));
  const authority = await createAuthority('rbac');
  const serving = await authority.issue({ name: 'server', ips: ['127.0.0.1'] });
  const admin = await authority.issue({ name: 'admin', groups: ['system:masters'] });
  const files = {
    'ca.crt': authority.cert,
    'server.crt': serving.cert,
    'server.key': serving.key,
    'service-accounts.key': (await createSigningKey()).private,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const planted = mutant ? asMutant(mutant) : { nodeFlags: [], env: {} };
  const child = spawn(process.execPath, [...planted.nodeFlags, program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...planted.env },
  });
  stack.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  });
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /^listening on (\d+)$/.exec(line) ?? [];
    if (!port) continue;
    const address = { server: `https://127.0.0.1:${port}`, ca: authority.cert };
    return new Side({ name: 'embedded', address, admin, issue: (name) => authority.issue({ name }), stack });
  }
  throw new Error('the server ended before it listened');
}
