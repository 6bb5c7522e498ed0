/** Reads and writes kubeconfig files. */

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { type ExecConfig, execCredential } from './exec-credential.ts';
import type { Endpoint } from './https-upstream.ts';
import { isProxyUrl } from './proxy.ts';

interface NamedCluster {
  name: string;
  cluster: {
    server: string;
    'certificate-authority'?: string;
    'certificate-authority-data'?: string;
    'insecure-skip-tls-verify'?: boolean;
    'tls-server-name'?: string;
    'proxy-url'?: string;
  };
}

interface NamedUser {
  name: string;
  user: {
    'client-certificate'?: string;
    'client-certificate-data'?: string;
    'client-key'?: string;
    'client-key-data'?: string;
    token?: string;
    tokenFile?: string;
    username?: string;
    password?: string;
    exec?: ExecConfig;
  };
}

interface NamedContext {
  name: string;
  context: { cluster: string; user: string; namespace?: string };
}

export interface Kubeconfig {
  'current-context'?: string;
  clusters?: NamedCluster[];
  contexts?: NamedContext[];
  users?: NamedUser[];
}

/** The endpoint, and the default namespace. */
export interface LoadedContext {
  endpoint: Endpoint;
  namespace: string | undefined;
}

/** The endpoint of a kubeconfig's context; without `context`, of its current one. */
export const loadEndpoint = async (path: string, context?: string): Promise<Endpoint> =>
  (await loadContext(path, context)).endpoint;

export async function loadContext(path: string, context?: string): Promise<LoadedContext> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${cause.message}`;
    throw new Error(`the kubeconfig ${path} ${why}`, { cause });
  });
  const config = parseFile(text, path);
  return contextOf(config, context, dirname(resolve(path)), path);
}

function parseFile(text: string, path: string): Kubeconfig {
  try {
    return (parse(text) ?? {}) as Kubeconfig;
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause });
  }
}

async function contextOf(
  config: Kubeconfig,
  requested: string | undefined,
  folder: string,
  path: string,
): Promise<LoadedContext> {
  const contextName = requested ?? config['current-context'];
  if (!contextName) {
    throw new Error(
      `${path} has no current-context; set one, as in kubectl config use-context NAME --kubeconfig ${path}`,
    );
  }
  const context = config.contexts?.find(({ name }) => name === contextName)?.context;
  if (!context) throw new Error(`${path}: there is no context "${contextName}"`);
  const cluster = config.clusters?.find(({ name }) => name === context.cluster)?.cluster;
  if (!cluster?.server)
    throw new Error(`${path}: context "${contextName}" names the cluster "${context.cluster}", which has no server`);
  const proxyUrl = cluster['proxy-url'];
  if (proxyUrl && !isProxyUrl(proxyUrl))
    throw new Error(
      `${path}: proxy-url of cluster "${context.cluster}" is not an http, https or socks5 URL; in a user or password, % is written %25`,
    );
  const user = config.users?.find(({ name }) => name === context.user)?.user ?? {};
  if (context.user && !config.users?.some(({ name }) => name === context.user))
    throw new Error(`${path}: context "${contextName}" names the user "${context.user}", which does not exist`);
  const inlineOrFile = async (data: string | undefined, file: string | undefined): Promise<string | undefined> => {
    if (data) return Buffer.from(data, 'base64').toString();
    return file ? readFile(resolve(folder, file), 'utf8') : undefined;
  };
  const endpoint: Endpoint = {
    url: cluster.server,
    tls: {
      ca: await inlineOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']),
      cert: await inlineOrFile(user['client-certificate-data'], user['client-certificate']),
      key: await inlineOrFile(user['client-key-data'], user['client-key']),
      servername: cluster['tls-server-name'],
      rejectUnauthorized: !cluster['insecure-skip-tls-verify'],
    },
    ...(proxyUrl ? { proxy: { url: proxyUrl } } : {}),
    authorization: authorizationOf(user, folder),
  };
  return { endpoint, namespace: context.namespace };
}

function authorizationOf(user: NamedUser['user'], folder: string): Endpoint['authorization'] {
  const { token, tokenFile, username, password, exec } = user;
  // Read each time: a projected ServiceAccount token changes on disk. It takes precedence over `token`, as in client-go.
  if (tokenFile) return async () => `Bearer ${(await readFile(resolve(folder, tokenFile), 'utf8')).trim()}`;
  if (token) return async () => `Bearer ${token}`;
  if (username) return async () => `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
  if (exec) return execCredential(exec, folder);
  return undefined;
}

/** A kubeconfig with one cluster, one user and one context, all of the same name. */
export function singleKubeconfig(
  name: string,
  server: string,
  ca: string,
  credential: { cert: string; key: string } | { token: string },
): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const user =
    'token' in credential
      ? { token: credential.token }
      : { 'client-certificate-data': base64(credential.cert), 'client-key-data': base64(credential.key) };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
}
