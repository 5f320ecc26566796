/** What a new application is made of, a row for each choice. */

/** The choices, and their values; the first is the default. */
export const CHOICES = {
  nest: ['12', '11'],
  orm: ['typeorm', 'drizzle'],
  database: ['sqlite', 'postgres', 'mariadb'],
  admin: ['yes', 'no'],
} as const;

/** What was chosen. */
export type Choices = { readonly [C in keyof typeof CHOICES]: (typeof CHOICES)[C][number] };

/** Name of a choice. */
export type ChoiceName = keyof Choices;

export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** What each choice is called in questions and help. */
export const QUESTIONS: Readonly<Record<ChoiceName, string>> = {
  nest: 'Version of NestJS',
  orm: 'ORM',
  database: 'Database',
  admin: 'With an admin at /admin',
};

/** Whether a text is a value of a choice. */
export function isValueOf<C extends ChoiceName>(name: C, value: string): value is Choices[C] {
  return (CHOICES[name] as readonly string[]).includes(value);
}
