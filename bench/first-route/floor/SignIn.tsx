/** A form of two fields. */
export function SignIn() {
  return (
    <form data-ready className="max-w-sm space-y-4">
      <h1 className="text-xl font-semibold">Sign in</h1>
      {["Key", "User id"].map((name) => (
        <label key={name} className="block">
          {name}
          <input className="mt-1 block w-full rounded border border-gray-300 px-2 py-1" />
        </label>
      ))}
      <button type="submit" className="rounded bg-gray-900 px-3 py-1 text-white">
        Sign in
      </button>
    </form>
  );
}
