/** Paths of KubeSphere's own API, below `/kapis`: no kube-apiserver has them, a ks-apiserver beside it does (KS-3). */

import type { Ask } from './target.ts';

const below = /^\/kapis(\/|$)/;

export const isKapisPath = (path: string): boolean => below.test(path);

export const isKapis = (ask: Ask): boolean => ask.is === 'path' && isKapisPath(ask.path);
