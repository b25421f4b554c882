import DocumentValues
import Foundation
import Logging

/// An issuer's public keys, fetched from the address at which it publishes them (`jwks_uri`). They are fetched again
/// when a token names an unknown key.
actor RemoteKeys {
    private let url: URL
    private var keys: [JSONObject] = []
    /// Seconds since 1970.
    private var lastAttempt: Int64?
    private var state = State.idle

    private enum State {
        case idle
        /// For these, too.
        case fetching(waiting: [CheckedContinuation<Void, Never>])
    }

    init?(_ text: String) {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil else { return nil }
        self.url = url
    }

    /// Keys that may have signed a token; if the issuer cannot be reached, the known ones stay.
    func keys(for token: SignedToken, now: Int64, logger: Logger) async -> [TokenKey] {
        let known = matching(token)
        guard known.isEmpty else { return known }
        switch state {
        case .fetching: await withCheckedContinuation { wait($0) }
        case .idle:
            guard isDue(now: now) else { return [] }
            await fetch(now: now, logger: logger)
        }
        return matching(token)
    }

    /// If the clock was set back, the time of the last attempt means nothing.
    private func isDue(now: Int64) -> Bool {
        guard let lastAttempt else { return true }
        return now < lastAttempt || now - lastAttempt >= GatewayLimits.keySetInterval
    }

    /// Until the keys have come.
    private func wait(_ continuation: CheckedContinuation<Void, Never>) {
        guard case .fetching(var waiting) = state else { return continuation.resume() }
        // Cleared first: a list in two variables would be copied with each entry.
        state = .idle
        waiting.append(continuation)
        state = .fetching(waiting: waiting)
    }

    private func fetch(now: Int64, logger: Logger) async {
        if lastAttempt == nil, url.scheme == "http" {
            logger.warning(
                "An issuer's keys are fetched without TLS: any machine on the way can replace them",
                metadata: ["host": "\(url.host() ?? "")"])
        }
        lastAttempt = now
        state = .fetching(waiting: [])
        do {
            keys = try await Self.fetch(url)
        } catch {
            logger.warning("An issuer's keys could not be fetched", metadata: ["error": "\(type(of: error)): \(error)"])
        }
        guard case .fetching(let waiting) = state else { return }
        state = .idle
        for continuation in waiting { continuation.resume() }
    }

    /// By the rules of go-oidc: the key's name decides; a key without an algorithm is used for any of its kind.
    private func matching(_ token: SignedToken) -> [TokenKey] {
        keys.compactMap { json in
            guard token.keyID.map({ id in json["kid"]?.stringValue?.isExactly(id) == true }) ?? true,
                (json["alg"]?.stringValue ?? token.algorithm) == token.algorithm
            else { return nil }
            var complete = json
            complete["alg"] = .string(token.algorithm)
            return try? TokenKey(complete)
        }
    }

    private static func fetch(_ url: URL) async throws -> [JSONObject] {
        let bytes = try await KeySetDownload.bytes(of: url)
        return (try JSONValue(parsing: bytes)["keys"]?.arrayValue ?? []).compactMap(\.objectValue)
    }
}
