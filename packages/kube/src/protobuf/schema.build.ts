/**
 * `node packages/kube/src/protobuf/schema.build.ts` writes the output of test/bed/kube-types to generated/protobuf-schema.ts.
 * That program reads Kubernetes' Go types (numbers, JSON names and inlining are struct tags), so it needs Go.
 */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const program = new URL('../../../../test/bed/kube-types', import.meta.url);
const generated = new URL('../generated/protobuf-schema.ts', import.meta.url);

/** The expected content of generated/protobuf-schema.ts. */
export const schemaModule = (printed: string): string =>
  `// Made from Kubernetes' Go types by protobuf/schema.build.ts; the protobuf suite on the bed holds it to that.
export const protobufSchema = \`${printed}\`;
`;

if (import.meta.main) {
  const { stdout } = await promisify(execFile)('go', ['run', '.', 'schema'], { cwd: program, maxBuffer: 2 ** 24 });
  await writeFile(generated, schemaModule(stdout));
}
