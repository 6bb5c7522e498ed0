/** Validates the data that a Secret of a known type requires (Kubernetes' `ValidateSecret`). */

import { type FieldError, invalidValue, required } from '../errors/field-error.ts';
import type { KubeObject } from '../registry/kube-object.ts';

const accountName = 'kubernetes.io/service-account.name';

export function secretTypeErrors({ type, data, metadata }: KubeObject): FieldError[] {
  const values = (data ?? {}) as Record<string, string>;
  const missing = (...keys: string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(values, key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case 'kubernetes.io/service-account-token':
      return metadata.annotations?.[accountName] ? [] : [required(`metadata.annotations[${accountName}]`)];
    case 'kubernetes.io/dockercfg':
      return [...missing('.dockercfg'), ...jsonErrors(values, '.dockercfg')];
    case 'kubernetes.io/dockerconfigjson':
      return [...missing('.dockerconfigjson'), ...jsonErrors(values, '.dockerconfigjson')];
    case 'kubernetes.io/basic-auth': {
      const absent = missing('username', 'password');
      // One of the two is enough.
      return absent.length === 2 ? absent : [];
    }
    case 'kubernetes.io/ssh-auth':
      return values['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function jsonErrors(values: Record<string, string>, key: string): FieldError[] {
  const value = values[key];
  if (value === undefined) return [];
  try {
    JSON.parse(Buffer.from(value, 'base64').toString());
    return [];
  } catch (error) {
    return [invalidValue(`data[${key}]`, '<secret contents redacted>', (error as Error).message)];
  }
}
