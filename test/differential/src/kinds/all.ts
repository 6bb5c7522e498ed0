import * as core from './core.ts';
import { customResourceDefinition, gadget, widget } from './custom.ts';
import type { Kind } from './kind.ts';
import * as rbac from './rbac.ts';
import * as workloads from './workloads.ts';

export const allKinds: readonly Kind[] = [
  ...Object.values(core),
  ...Object.values(workloads),
  ...Object.values(rbac),
  widget,
  gadget,
  customResourceDefinition,
];
