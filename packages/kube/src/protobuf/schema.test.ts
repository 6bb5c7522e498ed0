import { expect, it } from 'vitest';
import { kindType, knownKinds, MessageType } from './schema.ts';

/** All messages that kinds are made of. */
function everyMessage(): Set<MessageType> {
  const seen = new Set<MessageType>();
  const visit = (type: MessageType) => {
    if (seen.has(type)) return;
    seen.add(type);
    for (const field of type.fields) if (field.type instanceof MessageType) visit(field.type);
  };
  for (const known of knownKinds()) visit(kindType(...(known.split(' ') as [string, string]))!);
  return seen;
}

/** As JSON shows them: those of inlined messages, too. */
const jsonNames = (type: MessageType): string[] =>
  type.fields.flatMap(({ jsonName, type: inner }) => (jsonName === '' ? jsonNames(inner as MessageType) : [jsonName]));

it.each([
  ['v1', 'Pod'],
  ['v1', 'Binding'],
  ['v1', 'Status'],
  ['v1', 'DeleteOptions'],
  ['apps/v1', 'DeleteOptions'],
  ['apps/v1', 'Deployment'],
  ['autoscaling/v1', 'Scale'],
  ['policy/v1', 'Eviction'],
  ['authentication.k8s.io/v1', 'TokenRequest'],
  ['authentication.k8s.io/v1', 'TokenReview'],
  ['authorization.k8s.io/v1', 'SubjectAccessReview'],
  ['authorization.k8s.io/v1', 'SelfSubjectRulesReview'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['apiregistration.k8s.io/v1', 'APIService'],
  ['meta.k8s.io/v1', 'PartialObjectMetadata'],
])('LIST-9: %s %s is known', (apiVersion, kind) => expect(kindType(apiVersion, kind)?.name).toBe(kind));

it('an unknown kind is unknown', () => {
  expect(kindType('v1', 'Foo')).toBeUndefined();
  expect(kindType('example.com/v1', 'Pod')).toBeUndefined();
  expect(kindType('*', 'Pod')).toBeUndefined();
});

it('every message can be read, and no two of its fields have the same number or JSON name', () => {
  const messages = everyMessage();
  expect(messages.size).toBeGreaterThan(1_000);
  for (const type of messages) {
    const names = jsonNames(type);
    expect(new Set(names).size, type.name).toBe(names.length);
    expect(new Set(type.fields.map(({ number }) => number)).size, type.name).toBe(type.fields.length);
    // `json:"-"` would be shown by nobody.
    expect(names, type.name).not.toContain('-');
  }
});
