import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const read = (flags: Record<string, unknown> = {}) => readConfig({ controlPlane: 'cp.yaml', ...flags });

describe('readConfig', () => {
  it('has defaults, is frozen, and ignores flags that were not given', () => {
    const config = read({ dataDir: undefined });
    expect(config).toEqual({
      controlPlane: 'cp.yaml',
      listen: { host: '127.0.0.1', port: 8443 },
      dataDir: './fleet-data',
      serverName: [],
      anonymousAuth: true,
      partialLists: 'tables',
      logLevel: 'info',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['0.0.0.0:443', { host: '0.0.0.0', port: 443 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    [':8443', { host: '', port: 8443 }],
    ['fleet.example.com:65535', { host: 'fleet.example.com', port: 65535 }],
  ])('--listen %s', (listen, wanted) => {
    expect(read({ listen }).listen).toEqual(wanted);
  });

  it.each([
    [{ listen: 'nonsense' }, /^--listen: "nonsense" is not HOST:PORT$/],
    [{ listen: 'a:65536' }, /^--listen: "a:65536"/],
    [{ listen: '::1:8443' }, /^--listen: /],
    [{ controlPlane: undefined }, /^--control-plane: /],
    [{ controlPlane: '' }, /^--control-plane: /],
    [{ partialLists: 'some' }, /^--partial-lists: /],
    [{ logLevel: 'loud' }, /^--log-level: /],
    [{ serverName: [1] }, /^--server-name: /],
    [{ other: 1 }, /other/],
  ])('ERR-4: %j is an error that names the flag', (flags, message) => {
    expect(() => read(flags)).toThrow(ConfigError);
    expect(() => read(flags)).toThrow(message);
  });
});
