export function leaveOnePlace(
  root: object,
  staysEverywhere?: (titles: readonly string[], hasOwnTests: boolean) => boolean,
): void;

export function staysInCi(titles: readonly string[], hasOwnTests: boolean): boolean;
