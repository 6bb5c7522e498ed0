/** The hooks of all configurations in the control plane, kept up to date. */

import type { Informer } from '@fleet/client/informer.ts';
import type { SharedInformers } from '@fleet/client/shared-informers.ts';
import type { AnyObject } from '../../api/objects.ts';
import { readHooks } from './configurations.ts';
import { createHookIndex, type HookIndex } from './select-hook.ts';

const config = '/apis/config.karmada.io/v1alpha1';
const apiVersion = 'config.karmada.io/v1alpha1';

const kinds = {
  ResourceExploringWebhookConfiguration: `${config}/resourceexploringwebhookconfigurations`,
  ResourceInterpreterWebhookConfiguration: `${config}/resourceinterpreterwebhookconfigurations`,
} as const;

export interface FollowedHooks extends Disposable {
  index(): HookIndex;
}

/** `onChange` is called when earlier answers of hooks may be out of date (EXP-7). */
export function followHooks(informers: SharedInformers, onChange: () => void): FollowedHooks {
  const followed = Object.entries(kinds).map(([kind, path]) => ({ kind, informer: informers.of<AnyObject>(path) }));
  let known: HookIndex | undefined;
  const watches = followed.map(({ informer }) =>
    informer.subscribe(() => {
      known = undefined;
      onChange();
    }),
  );
  return {
    index: () => {
      known ??= createHookIndex(followed.flatMap(({ kind, informer }) => hooksOf(kind, informer)));
      return known;
    },
    [Symbol.dispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
    },
  };
}

/** Objects of lists have no kind. */
const hooksOf = (kind: string, informer: Informer<AnyObject>) =>
  [...informer.values()].flatMap((object) => readHooks({ ...object, apiVersion, kind }));
