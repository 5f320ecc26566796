/** A rule for bodies: a decimal, as text or as a number, as answers show it or as people write it. */
import { ValidateBy, type ValidationOptions } from 'class-validator';

/** How many digits fit is the column's to say. */
export function IsDecimalText(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isDecimalText',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'number' ? Number.isFinite(value) : /^-?\d+(\.\d+)?$/.test(String(value)),
        defaultMessage: () => '$property must be a decimal',
      },
    },
    options,
  );
}
