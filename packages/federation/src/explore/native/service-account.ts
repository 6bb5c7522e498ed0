/** ServiceAccounts, and the Secrets that hold their tokens. */

import type { AnyObject } from '../../api/objects.ts';
import type { ObjectRules } from '../object-rules.ts';
import { fieldAt, recordsAt, textAt, withField, withoutFields } from './fields.ts';

export const serviceAccountRules: ObjectRules = {
  pack(manifest) {
    const secrets = recordsAt(manifest, 'secrets');
    const prefix = `${manifest.metadata.name}-token-`;
    const left = secrets.filter((secret) => !textAt(secret, 'name').startsWith(prefix));
    if (left.length === secrets.length) return manifest;
    return withField(manifest, ['secrets'], left.length === 0 ? undefined : left);
  },
  /** A member creates a new token whenever the reference to the one that it has created is removed. */
  retain: (desired, observed) =>
    ['secrets', 'imagePullSecrets'].reduce((account, list) => {
      const own = recordsAt(account, list);
      const names = new Set(own.map((secret) => secret['name']));
      const added = recordsAt(observed, list).filter((secret) => !names.has(secret['name']));
      return added.length === 0 ? account : withField(account, [list], [...own, ...added]);
    }, desired),
};

const isToken = (secret: AnyObject): boolean => secret['type'] === 'kubernetes.io/service-account-token';

export const secretRules: ObjectRules = {
  pack: (manifest) =>
    isToken(manifest)
      ? withoutFields(manifest, ['data'], ['metadata', 'annotations', 'kubernetes.io/service-account.uid'])
      : manifest,
  retain(desired, observed) {
    const data = isToken(desired) ? fieldAt(observed, 'data') : undefined;
    return data === undefined ? desired : withField(desired, ['data'], data);
  },
};
