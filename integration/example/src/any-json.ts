/** How OpenAPI says "any JSON, or null"; an empty schema would leave null out. */
import type { ApiPropertyOptions } from '@nestjs/swagger';

export const ANY_JSON = {
  oneOf: [
    { type: 'object', additionalProperties: true, nullable: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
} satisfies ApiPropertyOptions;
