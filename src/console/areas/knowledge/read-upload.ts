/** A body may have 10 MB, and base64 makes four bytes of three. */
export const mostBytes = 7_000_000;

/** A file as base64, without the address around it. @throws where it cannot be read */
export function readUpload(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read"));
    reader.onload = () => {
      const address = String(reader.result);
      resolve(address.slice(address.indexOf(",") + 1));
    };
    reader.readAsDataURL(file);
  });
}
