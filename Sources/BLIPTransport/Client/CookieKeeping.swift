/// Keeps cookies that servers set in their answers to handshakes, including refusals and redirects, and returns them
/// for later requests.
public protocol CookieKeeping: Sendable {
    /// The value of `Cookie` in a request to this `ws` or `wss` URL; `nil` for none.
    func cookie(for url: String) -> String?
    /// Keeps the `Set-Cookie` headers of an answer from this URL.
    func keep(setCookieHeaders headers: [String], from url: String)
}
