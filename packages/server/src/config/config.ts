/** The server's configuration: read once from flags, environment and file by one schema, then frozen. */

import { z } from 'zod';
import { flagOf, type SettingName, variableOf } from './settings.ts';
import { ConfigError, defaults, fromEnvironment, fromFile, fromFlags, type Source } from './sources.ts';
import {
  boolean,
  cidrs,
  count,
  duration,
  httpUrl,
  listenAddress,
  names,
  oneOf,
  positive,
  servicePlaces,
  text,
} from './values.ts';

export { ConfigError };

const schema = z.strictObject({
  controlPlane: text.optional(),
  controlPlaneContext: text.optional(),
  listen: listenAddress,
  agentListen: listenAddress.optional(),
  dataDir: text,
  historyMaxsize: count,
  serverName: names.default([]),
  tlsCertFile: text.optional(),
  tlsPrivateKeyFile: text.optional(),
  clientCaFile: text.optional(),
  tokenAuthFile: text.optional(),
  anonymousAuth: boolean,
  authorizationAlwaysAllowPaths: names,
  clusterSecretNamespaces: names.default([]),
  allowedLinkLocal: cidrs.default([]),
  kubesphereEndpoint: httpUrl.optional(),
  kubesphereToken: boolean,
  partialLists: oneOf('tables', 'always', 'never'),
  requireClusterForWrites: boolean,
  maxRequestsInflight: count,
  maxMutatingRequestsInflight: count,
  maxMemberRequestsInflight: count,
  maxMemberObjectSize: positive,
  sandboxProxies: boolean,
  cacheMemory: positive,
  cachedViews: oneOf('all', 'aggregation'),
  federation: boolean,
  federationEmptyWorkloads: boolean,
  federationServices: servicePlaces.default([]),
  maxMemberWatches: count,
  maxUserWatches: count,
  shutdownDelay: duration,
  shutdownGrace: duration,
  auditLog: text.optional(),
  auditLogMaxsize: count,
  auditLogMaxbackup: count,
  logLevel: oneOf('debug', 'info', 'warn', 'error'),
} satisfies Record<SettingName, z.ZodType>);

export type Config = Readonly<z.infer<typeof schema>>;

/** Throws an error that names the setting and the source of its value. The file is named by `flags.config`, or `FLEET_CONFIG`. */
export function readConfig(flags: Record<string, unknown>, environment: NodeJS.ProcessEnv = {}): Config {
  const { config: flagged, ...others } = flags;
  const file = flagged ?? environment['FLEET_CONFIG'];
  const sources = [
    fromFlags(others),
    fromEnvironment(environment),
    ...(file === undefined ? [] : [fromFile(String(file))]),
    defaults,
  ];
  const result = schema.safeParse(Object.assign({}, ...sources.map(({ values }) => values).reverse()));
  if (result.success) return Object.freeze(together(result.data));
  throw new ConfigError(result.error.issues.map((issue) => wordsFor(issue, sources)).join('; '));
}

/** Settings that are only valid in pairs. */
function together(config: Config): Config {
  const { tlsCertFile, tlsPrivateKeyFile } = config;
  if (!tlsCertFile === !tlsPrivateKeyFile) return config;
  const missing = tlsCertFile ? 'tlsPrivateKeyFile' : 'tlsCertFile';
  throw new ConfigError(
    `${flagOf(missing)}: is required with ${tlsCertFile ? '--tls-cert-file' : '--tls-private-key-file'}`,
  );
}

function wordsFor({ code, path, message, ...rest }: z.core.$ZodIssue, sources: readonly Source[]): string {
  if (code === 'unrecognized_keys' && 'keys' in rest) return `${rest.keys.map(flagOf).join(', ')}: no such setting`;
  const name = String(path[0]);
  const source = sources.find(({ values }) => Object.hasOwn(values, name));
  if (source) return `${source.where(name)}: ${message}`;
  return `${flagOf(name)}: is required (or ${variableOf(name)}, or ${name} in the file of --config)`;
}
