/** Validates the conversion of a definition. */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dns1035LabelFaults } from '../../names/name-rules.ts';
import type { Conversion } from '../definition.ts';

const path = 'spec.conversion';

export function conversionErrors(conversion: Conversion | undefined): FieldError[] {
  if (!conversion) return [];
  const { strategy, webhook } = conversion;
  const errors = !strategy
    ? [required(`${path}.strategy`)]
    : ['None', 'Webhook'].includes(strategy)
      ? []
      : [notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])];
  if (strategy === 'Webhook') {
    errors.push(...webhookErrors(webhook));
    // Reported only if there is no other error, as kube-apiserver would accept it.
    const why = 'conversion by webhooks is not supported by this server';
    return errors.length > 0 ? errors : [forbiddenField(`${path}.strategy`, why)];
  }
  const why = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) errors.push(forbiddenField(`${path}.webhookClientConfig`, why));
  if (webhook?.conversionReviewVersions?.length) errors.push(forbiddenField(`${path}.conversionReviewVersions`, why));
  return errors;
}

function webhookErrors(webhook: Conversion['webhook']): FieldError[] {
  const at = `${path}.webhookClientConfig`;
  const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
  const errors: FieldError[] = [];
  if (!clientConfig) errors.push(required(at, 'required when strategy is set to Webhook'));
  else if ((clientConfig.url === undefined) === (clientConfig.service === undefined)) {
    errors.push(required(at, 'exactly one of url or service is required'));
  }
  const versions = `${path}.conversionReviewVersions`;
  if (conversionReviewVersions.length === 0) return [...errors, required(versions)];
  for (const [index, version] of conversionReviewVersions.entries()) {
    const field = `${versions}[${index}]`;
    if (conversionReviewVersions.indexOf(version) < index)
      errors.push(invalidValue(field, version, 'duplicate version'));
    else errors.push(...dns1035LabelFaults(version).map((fault) => invalidValue(field, version, fault)));
  }
  if (!conversionReviewVersions.some((version) => version === 'v1' || version === 'v1beta1')) {
    errors.push(invalidValue(versions, conversionReviewVersions, 'must include at least one of v1, v1beta1'));
  }
  return errors;
}
