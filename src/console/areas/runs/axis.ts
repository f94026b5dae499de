const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  0.1 * second,
  0.2 * second,
  0.5 * second,
  second,
  2 * second,
  5 * second,
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
];

/** Round places on an axis from 0 to `length` ms, at most `most` after the zero. */
export function ticks(length: number, most: number): readonly number[] {
  if (!(length > 0)) return [0];
  const step =
    steps.find((one) => length / one <= most) ?? Math.ceil(length / most / (24 * hour)) * 24 * hour;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step);
}
