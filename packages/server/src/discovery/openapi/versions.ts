/** The two versions of OpenAPI that Kubernetes serves, each in JSON and in protobuf (gnostic's OpenAPIv2 and OpenAPIv3). */

import type { OpenApiVersion } from './document-form.ts';
import { jsonForm } from './json-form.ts';
import { type Layout, protobufForm } from './protobuf-form.ts';

const v2Sections = new Set(['paths', 'definitions', 'parameters', 'responses', 'securityDefinitions']);
const entries = { entries: 1 };

/** paths, definitions, parameters, responses, securityDefinitions. */
const v2Layout: Layout = { 8: { entries: 2 }, 9: entries, 10: entries, 11: entries, 13: entries };

/** Components: schemas, responses, parameters, examples, requestBodies, headers, securitySchemes, links, callbacks. */
const componentsLayout: Layout = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i + 1, entries]));
const v3Layout: Layout = { 4: entries, 5: { inside: componentsLayout } };

/** Responses have a dot in the type, requests of all clients so far an at sign, as in kube-apiserver. */
const protobufTypes = (version: string): [string, string] => [
  `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
  `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
];

export const openApiV2: OpenApiVersion = {
  version: 'v2',
  forms: [jsonForm((path) => v2Sections.has(path)), protobufForm(protobufTypes('v2'), v2Layout)],
};

export const openApiV3: OpenApiVersion = {
  version: 'v3',
  forms: [
    jsonForm((path) => path === 'paths' || /^components(\/[^/]+)?$/.test(path)),
    protobufForm(protobufTypes('v3'), v3Layout),
  ],
};
