import { BrandMark } from "../../console/ui/Brand.tsx";
import { ToastHost } from "../../console/ui/Toast.tsx";
import { ButtonParts, FieldParts } from "./ControlParts.tsx";
import {
  EmptyPart,
  FailingPart,
  LoadingPart,
  NotAllowedPart,
  NotFoundPart,
  NoticeParts,
} from "./FeedbackParts.tsx";
import { ConfirmPart, MenuPart, PalettePart, ToastPart } from "./FloatParts.tsx";
import { BulkPart, DifferenceParts } from "./ManyParts.tsx";
import { SignInPart } from "./SignInPart.tsx";
import { StateParts } from "./StateParts.tsx";
import { SurfaceParts, TabParts, TypeParts } from "./TypeParts.tsx";

const three =
  "grid grid-cols-1 items-start gap-x-6 gap-y-7 lg:grid-cols-[560px_minmax(0,442fr)_minmax(0,326fr)]";
const thirds = "grid grid-cols-1 items-start gap-x-6 gap-y-7 lg:grid-cols-3";

/** The sheet of parts, to be compared by eye with the pictures. Everything on it is sample data. */
export function Sheet() {
  return (
    <ToastHost>
      <main className="flex flex-col gap-6 p-4 lg:px-8 lg:py-7">
        <h1 className="flex items-center gap-3 text-title">
          <BrandMark /> Wheelhouse components and states
        </h1>
        <div className={three}>
          <StateParts />
          <ButtonParts />
          <FieldParts />
          <TypeParts />
          <SurfaceParts />
          <TabParts />
          <EmptyPart />
          <LoadingPart />
          <FailingPart />
        </div>
        <div className={thirds}>
          <NotAllowedPart />
          <NotFoundPart />
          <SignInPart />
        </div>
        <div className={three}>
          <PalettePart />
          <MenuPart />
          <ToastPart />
          <ConfirmPart />
          <BulkPart />
          <DifferenceParts />
          <NoticeParts />
        </div>
      </main>
    </ToastHost>
  );
}
