/** Paths of KubeSphere's own API below `/kapis`, which a ks-apiserver serves and no kube-apiserver (KS-3). */

import type { Ask } from './target.ts';

const below = /^\/kapis(\/|$)/;

export const isKapisPath = (path: string): boolean => below.test(path);

export const isKapis = (ask: Ask): boolean => ask.is === 'path' && isKapisPath(ask.path);
