/** What other areas may use of this one. */
export { AgentFrame } from "./AgentFrame.tsx";
