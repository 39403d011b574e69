// Saves bytes as a file of the reader.

/** Always as bytes without a type, so that no browser opens it as a page. */
export function saveFile(bytes: Uint8Array, name: string): void {
  const content = new Uint8Array(bytes);
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}

/** A browser may ask where to save it, and reads it only then. */
const keptMs = 60_000;
