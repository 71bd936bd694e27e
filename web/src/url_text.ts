// URLs as text. They come from the wild web: they are shown, never interpreted, and only http(s) becomes a link.

// Cut in the middle, because the ends of a URL say most: its host, and the page.
export function cutMiddle(text: string, longest: number): string {
  const letters = Array.from(text); // code points: half an emoji is no letter
  if (letters.length <= longest) return text;
  const kept = Math.max(2, longest - 1);
  const front = Math.ceil(kept * 0.6);
  return `${letters.slice(0, front).join("")}…${letters.slice(letters.length - (kept - front)).join("")}`;
}

// Control and direction characters could make a URL look like another.
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function isWeb(url: string): boolean {
  try {
    const { protocol } = new URL(url);
    return protocol === "http:" || protocol === "https:";
  } catch {
    return false;
  }
}

// Without what is the same for all: "http://" stays off, "https://" too; other schemes are told.
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, "");
}

export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

// As seen from a page of `host`: its own pages by their paths only.
export function seenFrom(host: string, url: string): string {
  const bare = withoutScheme(url);
  if (host === "" || hostOf(url) !== host) return bare;
  const slash = bare.search(/[/?#]/);
  return slash < 0 ? "/" : bare.slice(slash);
}

// What somebody may have meant who typed this, best guess first.
export function meantUrls(typed: string): string[] {
  const text = typed.trim();
  if (text === "") return [];
  // "example.com:8080" begins like "mailto:", but goes on with a port.
  if (/^[a-z][a-z0-9+.-]*:(?!\d+([/?#]|$))/i.test(text)) return [text];
  const bare = text.replace(/^\/+/, "");
  return [`https://${bare}`, `http://${bare}`];
}
