/// Keeps what servers set in their answers to handshakes, refusals and redirects among them, and knows what to send back.
public protocol CookieKeeping: Sendable {
    /// The value of `Cookie` in a request to this `ws` or `wss` URL; `nil` for none.
    func cookie(for url: String) -> String?
    /// Takes up the `Set-Cookie` headers of an answer from this URL.
    func keep(setCookieHeaders headers: [String], from url: String)
}
