/** The peak memory of a process. */
import { readFileSync } from 'node:fs';

/** The most memory that a process ever held, in MB, as the operating system counts it. */
export const peak = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
