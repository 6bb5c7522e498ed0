/** All functions that kube-apiserver supports in validation rules of CRDs. */

import { joined } from '../environment.ts';
import { addresses } from './addresses.ts';
import { conversions } from './conversions.ts';
import { lists } from './lists.ts';
import { namedFormats } from './named-formats.ts';
import { operators } from './operators.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantities.ts';
import { regularExpressions } from './regular-expressions.ts';
import { texts } from './texts.ts';
import { urls } from './urls.ts';
import { versions } from './versions.ts';

export const functions = joined([
  operators,
  conversions,
  texts,
  regularExpressions,
  lists,
  optionals,
  urls,
  quantities,
  addresses,
  namedFormats,
  versions,
]);
