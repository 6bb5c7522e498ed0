/** `node packages/kube/src/item-ends.build.ts` assembles item-ends.wat into generated/item-ends.ts. */

import { readFile, writeFile } from 'node:fs/promises';
import wabt from 'wabt';

const source = new URL('item-ends.wat', import.meta.url);

/** The expected content of generated/item-ends.ts. */
export async function generateItemEnds(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat('item-ends.wat', await readFile(source, 'utf8'), { simd: true, bulk_memory: true });
  const { buffer } = module.toBinary({});
  const lines =
    Buffer.from(buffer)
      .toString('base64')
      .match(/.{1,110}/g) ?? [];
  return `// Made from item-ends.wat by item-ends.build.ts; a test holds it to that.
export const itemEndsModule = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
}

if (import.meta.main) await writeFile(new URL('generated/item-ends.ts', import.meta.url), await generateItemEnds());
