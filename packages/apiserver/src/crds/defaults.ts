/** Sets the defaults of a definition. */

import type { Definition } from './definition.ts';

export function setDefaults(definition: Definition): void {
  const { spec } = definition;
  const { names } = spec;
  names.singular ||= (names.kind ?? '').toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
  definition.status ??= {};
  if (definition.status.storedVersions?.length) return;
  const stored = spec.versions?.find(({ storage }) => storage)?.name;
  if (stored !== undefined) definition.status.storedVersions = [stored];
}
