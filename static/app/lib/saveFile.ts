/** Saves a file in the folder for downloads, under this name as far as files can have it. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_');
  link.click();
  // Waits, because some browsers begin to read the file later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
