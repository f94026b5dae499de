import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import "./parts.css";
import { Frame } from "./Frame.tsx";
import { Sheet } from "./Sheet.tsx";

setNonce("parts");

// Two pages: the sheet of parts, and with "?frame" the frame around a list of runs.
const root = document.getElementById("root");
if (root) createRoot(root).render(location.search === "?frame" ? <Frame /> : <Sheet />);
