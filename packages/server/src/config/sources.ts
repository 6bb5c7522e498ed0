/** Reads settings from their sources: flags, then the environment, then the file, then the defaults. */

import { readFileSync } from 'node:fs';
import { parse, YAMLParseError } from 'yaml';
import { flagOf, type Setting, type SettingName, settingNames, settings, variableOf } from './settings.ts';

export class ConfigError extends Error {}

/** Unchecked values of one source, and a function that names the place of a setting in it for error messages. */
export interface Source {
  values: Partial<Record<string, unknown>>;
  where(name: string): string;
}

export const fromFlags = (flags: Record<string, unknown>): Source => ({ values: given(flags), where: flagOf });

/** Variables that are no settings of the server: the command line's, the test bed's, and those that Kubernetes sets for Services. */
const othersVariables = /^FLEET_(KUBECONFIG$|CONFIG$|BED_|([A-Z0-9_]+_)?(SERVICE_(HOST|PORT)|PORT(_\d+_|$)))/;

export function fromEnvironment(environment: NodeJS.ProcessEnv): Source {
  const values: Record<string, unknown> = {};
  const names = new Map<string, SettingName>(settingNames.map((name) => [variableOf(name), name]));
  for (const [variable, value] of Object.entries(given(environment))) {
    const name = names.get(variable);
    if (name) values[name] = value;
    else if (variable.startsWith('FLEET_') && !othersVariables.test(variable)) {
      throw new ConfigError(`environment variable ${variable}: there is no such setting`);
    }
  }
  return { values, where: (name) => `environment variable ${variableOf(name)}` };
}

export function fromFile(path: string): Source {
  const values = readYaml(path);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError(`${path}: must be settings and their values, such as "listen: 0.0.0.0:8443"`);
  }
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined) throw new ConfigError(`${path}: ${unknown}: there is no such setting`);
  return { values: values as Record<string, unknown>, where: (name) => `${path}: ${name}` };
}

function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    if (error instanceof YAMLParseError) throw new ConfigError(`${path}: ${error.message.split('\n')[0]}`);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`--config: ${path}: ${code === 'ENOENT' ? 'no such file' : message}`, { cause: error });
  }
}

export const defaults: Source = {
  values: given(Object.fromEntries(settingNames.map((name) => [name, (settings[name] as Setting).default]))),
  where: flagOf,
};

function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
