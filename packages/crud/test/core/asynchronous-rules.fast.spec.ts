/** Rules that answer later: they are awaited, run once, and what they throw is told. */
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { registerDecorator, Validate, ValidatorConstraint } from 'class-validator';
import { makeBodyValidator } from '../../src/validation/body-validator.js';
import { rulesOf } from './rules-of.js';

describe('asynchronous rules', () => {
  const asked: unknown[] = [];
  const ACCEPTED = { value: { name: 'right' }, errors: [], ifInserted: [] };

  function Later() {
    return (target: object, propertyName: string) => {
      registerDecorator({
        target: target.constructor,
        propertyName,
        validator: {
          async validate(value: unknown) {
            asked.push(value);
            await Promise.resolve();
            if (value === 'throws') throw new Error('broken');

            return value === 'right';
          },
        },
      });
    };
  }

  class Delayed {
    @Later()
    name?: string;
  }

  @ValidatorConstraint({ async: true })
  class Announced {
    validate(value: unknown): Promise<boolean> {
      asked.push(value);

      return Promise.resolve(value === 'right');
    }
  }

  class Declared {
    @Validate(Announced)
    name?: string;
  }

  test('are awaited, and run once', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const validator = makeBodyValidator(rulesOf(Delayed));

    await expect(validator({ name: 'right' }, new Set())).resolves.toEqual(ACCEPTED);
    await expect(validator({ name: 'wrong' }, new Set())).resolves.toMatchObject({ errors: [{ property: 'name' }] });
    await expect(validator({ name: 'throws' }, new Set())).rejects.toMatchObject({ cause: new Error('broken') });
    expect(asked).toEqual(['right', 'wrong', 'throws']);
    expect(error.mock.calls).toEqual([
      [expect.stringContaining('a rule on "name" of Delayed has thrown: broken'), expect.stringContaining('broken')],
    ]);
    error.mockRestore();
  });

  test('declared asynchronous rules run once', async () => {
    asked.length = 0;
    const validator = makeBodyValidator(rulesOf(Declared));

    await expect(validator({ name: 'right' }, new Set())).resolves.toEqual(ACCEPTED);
    expect(asked).toEqual(['right']);
  });
});
