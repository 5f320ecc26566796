import { describe, expect, test } from '@jest/globals';
import { choose } from '../src/choose.js';

/** Answers one after the other, and keeps the questions. */
function answering(...answers: string[]) {
  const questions: string[] = [];
  const ask = (question: string, usual: string) => {
    questions.push(question);
    return Promise.resolve(answers.shift() ?? usual);
  };
  return { questions, ask };
}

describe('a choice', () => {
  test('is what an option said, and nothing is asked', async () => {
    const { questions, ask } = answering('postgres');
    expect(await choose('database', 'mariadb', ask)).toBe('mariadb');
    expect(questions).toEqual([]);
  });

  test('is asked for until the answer is a value', async () => {
    const { questions, ask } = answering('oracle', '', 'postgres');
    expect(await choose('database', undefined, ask)).toBe('postgres');
    expect(questions).toEqual(Array(3).fill('Database: sqlite, postgres, mariadb'));
  });

  test('is its first value where nobody answers', async () => {
    expect(await choose('nest', undefined, undefined)).toBe('12');
    expect(await choose('orm', undefined, answering().ask)).toBe('typeorm');
  });

  test('refuses an option that is no value', async () => {
    const message = '--orm is "prisma", but must be one of: typeorm, drizzle';
    await expect(choose('orm', 'prisma', undefined)).rejects.toThrow(message);
  });
});
