/** The login of one connection: a token as the password, or a key with the proof that the client holds it. */

import type { AuthContext } from 'ssh2';
import { hashSecret } from '../token.ts';
import { library } from './library.ts';

export type Login =
  | { name: string; by: 'token'; token: string }
  /** The second field of a line of authorized_keys, decoded. */
  | { name: string; by: 'key'; publicKey: Buffer };

/** Identifies the credential of a connection, so that it can be found when that is revoked. It is not secret. */
export type Proof = `token ${string}` | `key ${string}`;

export const proofOfHash = (hash: string): Proof => `token ${hash}`;
export const proofOfKey = (publicKey: Buffer): Proof => `key ${publicKey.toString('base64')}`;

interface Handlers {
  authenticate(login: Login): boolean | Promise<boolean>;
  loginFailed(login: { name: string; by: string }): void;
}

const methods = ['publickey', 'password'];
/** Names of clusters are shorter; a token has 43 characters. */
const longest = 256;

export class Logins {
  readonly #handlers: Handlers;
  readonly #mostFailures: number;
  readonly #fail: (reason: Error) => void;
  #failures = 0;
  /** In SSH, a connection may use one name only. */
  name = '';
  proof: Proof = 'token ';

  constructor(handlers: Handlers, mostFailures: number, fail: (reason: Error) => void) {
    this.#handlers = handlers;
    this.#mostFailures = mostFailures;
    this.#fail = fail;
  }

  attempt(context: AuthContext): void {
    // With this method clients ask which methods there are.
    if (context.method === 'none') {
      context.reject(methods);
      return;
    }
    const name = context.username;
    this.#isAllowed(context).then(
      (isAllowed) => {
        if (isAllowed) {
          this.name = name;
          this.proof =
            context.method === 'password' ? proofOfHash(hashSecret(context.password)) : proofOfKey(context.key.data);
          return context.accept();
        }
        this.#handlers.loginFailed({ name: name.slice(0, longest), by: context.method });
        if (++this.#failures >= this.#mostFailures) this.#fail(new Error('too many failed logins'));
        else context.reject(methods);
      },
      // The check itself failed: that is not the client's fault, and the client will retry.
      (cause: unknown) => this.#fail(new Error('the login could not be checked', { cause })),
    );
  }

  async #isAllowed(context: AuthContext): Promise<boolean> {
    const { username: name, method } = context;
    if (name.length > longest) return false;
    if (method === 'password') {
      const { password: token } = context;
      return token.length <= longest && this.#handlers.authenticate({ name, by: 'token', token });
    }
    if (method !== 'publickey' || !isProven(context)) return false;
    return this.#handlers.authenticate({ name, by: 'key', publicKey: context.key.data });
  }
}

/** Also for a client that only asks whether a key is acceptable: ssh2 does not accept a login by that. */
function isProven({ key, hashAlgo, signature, blob }: AuthContext): boolean {
  const publicKey = library().utils.parseKey(key.data);
  if (publicKey instanceof Error) return false;
  // SHA-1 signatures can be forged.
  if (key.algo === 'ssh-dss' || (key.algo === 'ssh-rsa' && hashAlgo === undefined)) return false;
  return !signature || !blob || publicKey.verify(blob, signature, hashAlgo) === true;
}
