export const TESTS_ALL: boolean;
export const TESTS_CI: boolean;
