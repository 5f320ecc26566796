export declare function sectionOf(changelog: string, version: string): string | undefined;
export declare function named(changelog: string, version: string, date: string): string;
export declare function distTagOf(version: string, changelog: string): 'latest' | 'next';
export declare function faultsOf(tag: string, changelog: string, versions: Readonly<Record<string, string>>): string[];
