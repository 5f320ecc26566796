/** Rules that answer later: they are awaited, run once, and what they throw is told. */
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Validate, ValidatorConstraint } from 'class-validator';
import { makeBodyValidator } from '../../src/validation/body-validator.js';
import { rulesOf } from './rules-of.js';

const asked: unknown[] = [];

async function answer(value: unknown): Promise<boolean> {
  asked.push(value);
  await Promise.resolve();
  if (value === 'throws') throw new Error('broken');

  return value === 'right';
}

@ValidatorConstraint()
class Silent {
  validate = answer;
}

@ValidatorConstraint({ async: true })
class Announced {
  validate = answer;
}

describe('asynchronous rules', () => {
  test.each([Silent, Announced])('are awaited, and run once: %p', async (rule) => {
    class Delayed {
      @Validate(rule) name?: string;
    }
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const validator = makeBodyValidator(rulesOf(Delayed));
    const send = (name: string) => validator({ name }, new Set());
    asked.length = 0;

    expect(await send('right')).toEqual({ value: { name: 'right' }, errors: [], ifInserted: [] });
    expect(await send('wrong')).toMatchObject({ errors: [{ property: 'name' }] });
    await expect(send('throws')).rejects.toMatchObject({ cause: new Error('broken') });
    expect(asked).toEqual(['right', 'wrong', 'throws']);
    expect(error.mock.calls).toEqual([
      [expect.stringContaining('a rule on "name" of Delayed has thrown: broken'), expect.stringContaining('broken')],
    ]);
    error.mockRestore();
  });
});
