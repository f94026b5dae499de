import { SegmentBar } from "../../ui/SegmentBar.tsx";
import { type GradeCounts, gradeFill, gradeWords, sumOf } from "./grades.ts";

/** How many got which grade, as one bar in parts. */
export function GradeBar({ counts, className }: { counts: GradeCounts; className?: string }) {
  const words = [...counts].map(([grade, count]) => `${count} ${gradeWords(grade).title.toLowerCase()}`);
  return (
    <SegmentBar
      label={words.join(", ") || "none evaluated"}
      total={sumOf(counts)}
      parts={[...counts].map(([grade, count]) => ({
        key: grade,
        count,
        className: gradeFill[gradeWords(grade).tone],
      }))}
      {...(className !== undefined && { className })}
    />
  );
}
