/** The webhook as a server: `TLS_CERT=tls.crt TLS_KEY=tls.key node server.ts`. */

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { answerReview } from './reviews.ts';

const largestReview = 8 * 1024 * 1024;

export function createWebhook(tls: { cert: string; key: string }): Server {
  return createServer(tls, (request, response) => {
    answer(request, response).catch((error: Error) => {
      console.error(error.message);
      response.writeHead(400).end();
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > largestReview) throw new Error('the review is too large');
    pieces.push(piece as Buffer);
  }
  const review = answerReview(JSON.parse(Buffer.concat(pieces).toString()));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(review));
}

if (import.meta.main) {
  const { TLS_CERT = 'tls.crt', TLS_KEY = 'tls.key', PORT = '8443' } = process.env;
  const server = createWebhook({ cert: readFileSync(TLS_CERT, 'utf8'), key: readFileSync(TLS_KEY, 'utf8') });
  server.listen(Number(PORT), () => console.log(`answering on port ${PORT}`));
}
