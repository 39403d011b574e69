// In the place of a page that met an error of its own.

export function Broken() {
  return (
    <div className="notice" data-is="risk" role="alert">
      <p>
        This page met an error of its own and cannot go on. What you have signed in your wallet stands;
        nothing else was sent.
      </p>
      <button type="button" className="button" onClick={() => location.reload()}>
        Load it anew
      </button>
    </div>
  );
}
