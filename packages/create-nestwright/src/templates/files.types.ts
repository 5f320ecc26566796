/** Texts of files, by their paths. */
export type Files = Readonly<Record<string, string>>;
