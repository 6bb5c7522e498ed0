import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (flags: Record<string, unknown> = {}, environment: Record<string, string> = {}) =>
  readConfig({ controlPlane: 'cp.yaml', ...flags }, environment);

const fileOf = (yaml: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'fleet-config-')), 'fleet.yaml');
  writeFileSync(path, yaml);
  return path;
};

describe('readConfig', () => {
  it('has defaults, is frozen, and ignores flags that were not given', () => {
    const config = read({ dataDir: undefined });
    expect(config).toMatchObject({
      controlPlane: 'cp.yaml',
      listen: { host: '127.0.0.1', port: 8443 },
      dataDir: './fleet-data',
      serverName: [],
      authorizationAlwaysAllowPaths: ['/healthz', '/livez', '/readyz'],
      clusterSecretNamespaces: [],
      allowedLinkLocal: [],
      federationServices: [],
      anonymousAuth: true,
      partialLists: 'tables',
      maxRequestsInflight: 400,
      maxMutatingRequestsInflight: 200,
      maxMemberRequestsInflight: 200,
      maxMemberObjectSize: 16,
      cacheMemory: 1_024,
      cachedViews: 'all',
      maxMemberWatches: 1_000,
      maxUserWatches: 300,
      historyMaxsize: 512,
      sandboxProxies: true,
      requireClusterForWrites: false,
      shutdownDelay: 0,
      shutdownGrace: 10_000,
      logLevel: 'info',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['0.0.0.0:443', { host: '0.0.0.0', port: 443 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    [':8443', { host: '', port: 8443 }],
    ['fleet.example.com:65535', { host: 'fleet.example.com', port: 65535 }],
  ])('--listen %s', (listen, expected) => {
    expect(read({ listen }).listen).toEqual(expected);
  });

  it.each([
    [{ listen: 'nonsense' }, /^--listen: "nonsense" is not HOST:PORT with a port up to 65535$/],
    [{ listen: '0.0.0.0:80443' }, /^--listen: "0.0.0.0:80443" is not HOST:PORT with a port up to 65535$/],
    [{ listen: 'a:65536' }, /^--listen: "a:65536"/],
    [{ listen: '::1:8443' }, /^--listen: /],
    [{ controlPlane: '' }, /^--control-plane: must not be empty/],
    [{ partialLists: 'some' }, /^--partial-lists: "some" is none of tables, always, never$/],
    [{ logLevel: 'loud' }, /^--log-level: /],
    [{ anonymousAuth: 'maybe' }, /^--anonymous-auth: "maybe" is not true or false$/],
    [{ serverName: [1] }, /^--server-name: \[1\] is not a list of names$/],
    [{ allowedLinkLocal: '169.254.1.1' }, /^--allowed-link-local: "169.254.1.1" is not a list of addresses such as /],
    [{ federationServices: 'hooks/a' }, /^--federation-services: "hooks\/a" is not a list such as /],
    [{ federationServices: 'hooks/a=http://b' }, /^--federation-services: /],
    [{ tlsCertFile: 'x' }, /^--tls-private-key-file: is required with --tls-cert-file$/],
    [{ tlsPrivateKeyFile: 'x' }, /^--tls-cert-file: is required with --tls-private-key-file$/],
    [{ shutdownGrace: '10' }, /^--shutdown-grace: "10" is not a time such as 30s, 5m, 1h30m or 30d$/],
    [{ maxRequestsInflight: '-1' }, /^--max-requests-inflight: "-1" is not a whole number$/],
    [{ maxRequestsInflight: '1.5' }, /^--max-requests-inflight: /],
    [{ other: 1 }, /^--other: no such setting/],
    [{ config: '/nowhere.yaml' }, /^--config: \/nowhere.yaml: no such file$/],
  ])('ERR-4: %j is an error that names the flag', (flags, message) => {
    expect(() => read(flags)).toThrow(ConfigError);
    expect(() => read(flags)).toThrow(message);
  });
});

it('a time is one that a timer can keep', () => {
  expect(read({ controlPlane: 'cp.yaml', shutdownGrace: '999999m' }).shutdownGrace).toBe(2 ** 31 - 1);
});

describe('where settings come from', () => {
  const config = fileOf('logLevel: warn\nlisten: ":1"\ndataDir: /f\nserverName: [a, b]\nanonymousAuth: false\n');

  it('flag before environment before file before default', () => {
    const got = read({ config, listen: ':3' }, { FLEET_LISTEN: ':2', FLEET_DATA_DIR: '/e' });
    expect(got).toMatchObject({
      listen: { host: '', port: 3 },
      dataDir: '/e',
      logLevel: 'warn',
      partialLists: 'tables',
      serverName: ['a', 'b'],
      anonymousAuth: false,
    });
  });

  it('the environment alone is enough, the file is named there too', () => {
    const environment = { FLEET_CONTROL_PLANE: 'cp', FLEET_CONFIG: config, FLEET_SERVER_NAME: 'x, y', HOME: '/root' };
    expect(readConfig({}, environment)).toMatchObject({ controlPlane: 'cp', logLevel: 'warn', serverName: ['x', 'y'] });
  });

  it('variables of others are none of ours: the command line’s, and those of Services called fleet', () => {
    const others = ['KUBECONFIG', 'BED_MUTANT', 'SERVICE_HOST', 'PORT', 'PORT_443_TCP_ADDR', 'API_SERVICE_PORT_HTTPS'];
    read({}, Object.fromEntries(others.map((name) => [`FLEET_${name}`, 'x'])));
  });

  it.each([
    [{}, { FLEET_LISTEN: 'x' }, /^environment variable FLEET_LISTEN: "x" is not HOST:PORT with/],
    [{}, { FLEET_LOGLEVEL: 'debug' }, /^environment variable FLEET_LOGLEVEL: there is no such setting$/],
    [{ config: fileOf('listen: 8443') }, {}, /fleet.yaml: listen: 8443 is not HOST:PORT with/],
    [{ config: fileOf('listen:') }, {}, /fleet.yaml: listen: null is not HOST:PORT with/],
    [{ config: fileOf('log-level: debug') }, {}, /fleet.yaml: log-level: there is no such setting$/],
    [{ config: fileOf('config: other.yaml') }, {}, /fleet.yaml: config: there is no such setting$/],
    [{ config: fileOf('controlPlaneContext: 7') }, {}, /fleet.yaml: controlPlaneContext: must be a text$/],
    [{ config: fileOf('- a') }, {}, /fleet.yaml: must be settings/],
    [{ config: fileOf('a: [') }, {}, /fleet.yaml: .*line 1/],
  ])('ERR-4: %j %j is an error that names the key and its source', (flags, environment, message) => {
    expect(() => read(flags, environment)).toThrow(ConfigError);
    expect(() => read(flags, environment)).toThrow(message);
  });
});
