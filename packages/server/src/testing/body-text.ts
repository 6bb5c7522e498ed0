/** Reads the whole body of a reply, as sent, compressed or not. */

import type { PlainReply } from '../http/message.ts';

export async function bodyBytes({ body }: Pick<PlainReply, 'body'>): Promise<Buffer> {
  if (body === undefined || Buffer.isBuffer(body)) return body ?? Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const bodyText = async (reply: Pick<PlainReply, 'body'>): Promise<string> => (await bodyBytes(reply)).toString();
