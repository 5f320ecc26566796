/** Hashes passwords with a salt. */
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

export async function hashOf(password: string): Promise<string> {
  const salt = randomBytes(16);

  return `${salt.toString('base64url')}.${(await derive(password, salt, 48)).toString('base64url')}`;
}
