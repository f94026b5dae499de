/// <reference lib="webworker" />
// Reads PDF files for pdfjs-dist, in a file of our own so that our policies hold for it. It listens by itself.
import "pdfjs-dist/build/pdf.worker.min.mjs";
